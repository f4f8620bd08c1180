import type { Assessment } from '../../dist/src/checks/assessor.js';
import { AppError } from '../../dist/src/errors.js';
import { openBuiltPipeline } from '../support/open-pipeline.ts';

/** No DNS server listens here; offline, none is asked. */
const NO_DNS = '127.0.0.1:9';

/** The built service's own answers, without a network. */
export interface Postern {
  /** Null where the service would answer 422. */
  assess(email: string): Promise<Assessment | null>;
  /** Whether the fact has this value; a refused address has none. */
  says(email: string, fact: string, value: unknown): Promise<boolean>;
  close(): void;
}

export async function openPostern(): Promise<Postern> {
  const { assessor, policies } = await openBuiltPipeline(NO_DNS);
  const assess = async (email: string) => {
    try {
      return await assessor.assess(email, 'local');
    } catch (error) {
      if (error instanceof AppError && error.code === 'unparseable_email') return null;
      throw error;
    }
  };
  return {
    assess,
    says: async (email, fact, value) => {
      const assessment = await assess(email);
      if (assessment === null) return false;
      if (!(fact in assessment.signals.facts)) throw new Error(`no provider tells ${fact}`);
      return assessment.signals.facts[fact] === value;
    },
    close: () => policies.close(),
  };
}
