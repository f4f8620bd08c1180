import { hkdfSync, type KeyObject } from 'node:crypto';
import { unrefInterval } from '../../lib/timers.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Clock } from '../../provider-kit/index.ts';
import { CounterBook } from './counter-book.ts';
import { CounterJournal } from './counter-journal.ts';
import { SipHash, type SipKey } from './sip-hash.ts';

/** The counts of the service and what keeps them. */
export interface OpenCounters {
  readonly book: CounterBook;
  /** Writes what was counted; resolves when the operating system has it. Never rejects. */
  close(): Promise<void>;
}

export interface OpenCountersOptions {
  /** `counters/` of the data directory. */
  readonly directory: string;
  readonly hmacKey: KeyObject;
  readonly clock: Clock;
  readonly log: Logger;
  /** Calls back again and again until the returned function is called. */
  readonly every?: (intervalMs: number, run: () => void) => () => void;
}

const FLUSH_MS = 1_000;
const SWEEP_MS = 600_000;

/** Opens the counts with all that is kept of the last 24 hours. */
export async function openCounters(options: OpenCountersOptions): Promise<OpenCounters> {
  const { directory, hmacKey, clock, log, every = unrefInterval } = options;
  const key = countersKey(hmacKey);
  const mark = new SipHash(key);
  mark.of('journal');
  const journal = new CounterJournal({ directory, key: { low: mark.low, high: mark.high }, clock, log });
  const book = new CounterBook({ key, keep: (check) => journal.append(check) });
  const now = clock.now();
  await journal.read((check) => book.restore(check, now));
  const stops = [
    every(FLUSH_MS, () => void journal.flush()),
    every(SWEEP_MS, () => {
      book.sweep(clock.now());
      void journal.prune();
    }),
  ];
  return {
    book,
    async close() {
      for (const stop of stops) stop();
      await journal.close();
    },
  };
}

/** A key of its own (RFC 5869): a count's hash tells nothing of the hash in a record. */
function countersKey(hmacKey: KeyObject): SipKey {
  return new Int32Array(hkdfSync('sha256', hmacKey, '', 'postern counters 1', 16));
}
