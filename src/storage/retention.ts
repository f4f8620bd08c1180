import { isoTime } from '../lib/dates.ts';
import { unrefInterval } from '../lib/timers.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Clock } from '../provider-kit/index.ts';
import type { JobLock } from './job-lock.ts';
import type { LabelStore } from './label-ports.ts';
import type { PeopleStore } from './people-ports.ts';
import type { CheckStore } from './ports.ts';

export interface RetentionOptions {
  readonly checks: Pick<CheckStore, 'deleteBefore'>;
  readonly labels: Pick<LabelStore, 'deleteIdle'>;
  readonly people: Pick<PeopleStore, 'deleteEndedSessions'>;
  readonly jobLock: JobLock;
  /** `retention.days` */
  readonly days: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Calls back again and again until the returned function is called. */
  readonly every?: (intervalMs: number, run: () => void) => () => void;
}

export interface Retention {
  /** Deletes what is due now; resolves when that is done. Never rejects. */
  run(): Promise<void>;
  /** Resolves when nothing is being deleted any more; what is left is due at the next start. */
  stop(): Promise<void>;
}

const DAY_MS = 86_400_000;
/** Records outlive their days by no more than this. */
const INTERVAL_MS = 3_600_000;

/** Deletes records that are older than `retention.days`, and sessions that are over: now, and once an hour. */
export function startRetention(options: RetentionOptions): Retention {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const run = () => {
    // A run that takes longer than the interval is not doubled.
    const job = () => deleteDue(options, stopping.signal);
    running ??= options.jobLock.runExclusive('retention', job).finally(() => {
      running = undefined;
    });
    return running;
  };
  void run();
  const stopTimer = (options.every ?? unrefInterval)(INTERVAL_MS, () => void run());
  return {
    run,
    async stop() {
      stopTimer();
      stopping.abort();
      await running;
    },
  };
}

async function deleteDue(
  { checks, labels, people, days, clock, log, metrics }: RetentionOptions,
  signal: AbortSignal,
): Promise<void> {
  try {
    const due = isoTime(clock.now() - days * DAY_MS);
    await people.deleteEndedSessions(isoTime(clock.now()));
    const deleted = await checks.deleteBefore(due, signal);
    metrics.count('postern_records_deleted_total', {}, deleted);
    if (deleted > 0) log.info({ deleted, days }, 'records past their retention deleted');
    if (signal.aborted) return;
    // After it: a label whose last check has just gone is idle.
    const idle = await labels.deleteIdle(due, signal);
    if (idle > 0) log.info({ deleted: idle, days }, 'labels of people without records deleted');
  } catch (err) {
    log.error(
      { err },
      'what is past its retention is not deleted, or not all of it; next attempt in an hour',
    );
  }
}
