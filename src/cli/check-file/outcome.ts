import type { Assessor, World } from '../../checks/assessor.ts';
import { readAddress } from '../../email/read-address.ts';
import type { Action, Level } from '../../rules/decision.ts';
import type { InputRow } from './input-rows.ts';

/** What is added to each row; with the names that leave the process. */
export interface Outcome {
  readonly action: Action | null;
  readonly risk_score: number | null;
  readonly risk_level: Level | null;
  readonly canonical: string | null;
  /** Providers that tried and failed. */
  readonly degraded: readonly string[];
  /** Why there is no answer: a fault of the address, `missing_email` or `broken_line`. */
  readonly fault: string | null;
  /** Where in the address, in code points from 0. */
  readonly position: number | null;
}

export const OUTCOME_COLUMNS = [
  'action',
  'risk_score',
  'risk_level',
  'canonical',
  'degraded',
  'fault',
  'position',
] as const satisfies readonly (keyof Outcome)[];

/** Never rejects for what stands in the row. */
export async function assessRow(assessor: Assessor, world: World, row: InputRow): Promise<Outcome> {
  if (row.broken !== null) return refused('broken_line');
  if (row.email === null) return refused('missing_email');
  // Read here too, so that what is no address costs no exception: a file may be full of them.
  const reading = readAddress(row.email);
  if (!reading.ok) return refused(reading.refusal.code, reading.refusal.position);
  const { address, signals, decision } = await assessor.assess(row.email, world);
  return {
    action: decision.action,
    risk_score: decision.score,
    risk_level: decision.level,
    canonical: address.canonical.address,
    degraded: signals.degraded,
    fault: null,
    position: null,
  };
}

function refused(fault: string, position: number | null = null): Outcome {
  return {
    action: null,
    risk_score: null,
    risk_level: null,
    canonical: null,
    degraded: [],
    fault,
    position,
  };
}
