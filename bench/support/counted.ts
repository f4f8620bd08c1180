import { createSecretKey } from 'node:crypto';
import type { Assessment, Assessor } from '../../dist/src/checks/assessor.js';
import { InMemoryVelocityCounters } from '../../dist/src/shared-state/memory/velocity-counters.js';
import type { CountReceipt } from '../../dist/src/shared-state/ports.js';

export const BENCH_CHECK = { accountId: 'acc_bench', environment: 'live', keyFamily: 'key_bench' } as const;

/** Counters in memory, without snapshots. */
export function benchCounters(): InMemoryVelocityCounters {
  return new InMemoryVelocityCounters(createSecretKey(Buffer.alloc(32, 1)));
}

/** Assesses as the service does: each check is counted. */
export function counted(assessor: Assessor): (email: string) => Promise<Assessment> {
  const counters = benchCounters();
  return async (email) => {
    let receipt: CountReceipt | undefined;
    const assessment = await assessor.assess(email, 'live', {
      count: async (spelling, counts) => {
        receipt = await counters.count({ ...BENCH_CHECK, spelling, at: Date.now() }, counts);
        return receipt.numbers;
      },
    });
    await receipt?.settle();
    return assessment;
  };
}
