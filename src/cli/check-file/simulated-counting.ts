import { createSecretKey, randomBytes } from 'node:crypto';
import type { CheckCounting } from '../../checks/assessor.ts';
import { Mutex } from '../../lib/concurrency.ts';
import { readInstant } from '../../lib/time.ts';
import { InMemoryVelocityCounters } from '../../shared-state/memory/velocity-counters.ts';

/** Why a row has no place among the others in time. */
export type TimeFault = 'no_time' | 'time_goes_back';

/** Look-ups of rows run side by side; what is counted is counted in their order. */
export interface CountedRow extends CheckCounting {
  end(): void;
}

/** The rows of a file are the checks of one account, asked with one live key. */
const WHOSE = { accountId: 'file', environment: 'live', keyFamily: 'file' } as const;

/**
 * Counts the rows of a file as the service would have counted them as checks, at the times that they have: each sees the rows before it,
 * and itself. Where there are more than fit into memory, the oldest are forgotten, as in the service.
 */
export class SimulatedCounting {
  readonly #counters = new InMemoryVelocityCounters(createSecretKey(randomBytes(32)));
  readonly #turns = new Mutex();
  #lastMs = Number.NEGATIVE_INFINITY;

  /** Takes a row's place among the others: rows are begun in their order, and each that is begun is ended. */
  begin(time: string | null): CountedRow | TimeFault {
    const instant = readInstant(time?.trim() ?? '');
    if (instant === null) return 'no_time';
    const at = Date.parse(instant);
    if (at < this.#lastMs) return 'time_goes_back';
    this.#lastMs = at;
    const [turn, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    this.#turns.run(() => {
      turn.resolve();
      return over.promise;
    });
    return {
      count: async (spelling, counts) => {
        await turn.promise;
        const receipt = await this.#counters.count({ ...WHOSE, spelling, at }, counts);
        await receipt.settle();
        over.resolve();
        return receipt.numbers;
      },
      end: over.resolve,
    };
  }
}
