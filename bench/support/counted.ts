import type { Assessment, Assessor } from '../../dist/src/checks/assessor.js';
import { CounterBook } from '../../dist/src/shared-state/counters/counter-book.js';

const KEY = { accountId: 'acc_bench', environment: 'live', family: 'key_bench' } as const;

/** Assesses as the service does: each check is counted, and what was counted is not kept for a restart. */
export function counted(assessor: Assessor): (email: string) => Promise<Assessment> {
  const book = new CounterBook({ key: new Int32Array([1, 2, 3, 4]), keep: () => undefined });
  return async (email) => {
    const counting = book.begin(KEY, Date.now());
    const assessment = await assessor.assess(email, 'live', counting);
    counting.settle();
    return assessment;
  };
}
