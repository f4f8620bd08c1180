import { DAY_MS, HOUR_MS, isoTime, unrefInterval } from '../lib/time.ts';
import type { Instruments } from '../observability/metrics.ts';
import type { JobLock } from './job-lock.ts';
import type { LabelStore } from './label-ports.ts';
import type { PeopleStore } from './people-ports.ts';
import type { CheckStore, ServiceStateStore } from './ports.ts';

export interface RetentionOptions extends Instruments {
  readonly checks: Pick<CheckStore, 'deleteBefore' | 'extent' | 'countBefore' | 'prepare'>;
  readonly state: ServiceStateStore;
  readonly labels: Pick<LabelStore, 'deleteIdle'>;
  readonly people: Pick<PeopleStore, 'deleteEndedSessions'>;
  readonly jobLock: JobLock;
  /** `retention.days` */
  readonly days: number;
  /** Calls back again and again until the returned function is called. */
  readonly every?: (intervalMs: number, run: () => void) => () => void;
}

export type Retention = ReturnType<typeof startRetention>;

/** A pass deletes this share, or SHARE_FROM records if more, without a person. A steady service deletes an hour of its days: 0.05 % of 90. */
const SHARE_AT_ONCE = 0.05;
const SHARE_FROM = 1_000;

/**
 * What the next pass would delete: `due` records created `before` an instant, counted only as far as the limit plus one. `waits` says
 * why the pass waits for a person, and is undefined where it does not. A wrong clock, or `retention.days` that lost a digit, would
 * delete records for good. So a pass waits for `postern retention confirm` when a day or more has gone by since the last pass (before
 * the first pass: since the newest record), and when more than a twentieth of all records, and more than 1,000, are due at once.
 */
export async function findDue(options: Pick<RetentionOptions, 'checks' | 'state' | 'days' | 'clock'>) {
  const { checks, state, days, clock } = options;
  const now = isoTime(clock.now());
  const before = isoTime(clock.now() - days * DAY_MS);
  const { atMost, newest } = await checks.extent();
  const allowed = Math.max(SHARE_FROM, Math.floor(atMost * SHARE_AT_ONCE));
  const due = await checks.countBefore(before, allowed + 1);
  const last = (await state.find('retention_ran_at')) ?? newest ?? now;
  const leap = Math.floor((clock.now() - Date.parse(last)) / DAY_MS);
  const reasons = [
    leap >= 1 && `the clock says ${now}, ${leap} days after the last pass or record (${last})`,
    due > allowed && `more than ${allowed} of about ${atMost} records are due at once`,
  ].filter((reason) => reason !== false);
  const isConfirmed = before <= ((await state.find('retention_confirmed')) ?? '');
  if (due === 0 || isConfirmed || reasons.length === 0) return { before, due, waits: undefined };
  const remedy = 'if the clock and retention.days are right, run "postern retention confirm"';
  const waits = `records created before ${before} are kept: ${reasons.join(', and ')}; ${remedy}`;
  return { before, due, waits };
}

/** Allows the passes of the coming day to delete all records that are due by then. */
export async function confirmDue(state: ServiceStateStore, due: { readonly before: string }): Promise<void> {
  await state.keep('retention_confirmed', isoTime(Date.parse(due.before) + DAY_MS));
}

/** Less than the hour between two passes of an instance, with room for a timer that is late. */
const RECENT_MS = 0.9 * HOUR_MS;

/**
 * Deletes records that are older than `retention.days`, and sessions that are over: now, and once an hour. Also makes the partition for
 * the checks of the next day. Only one of several instances that share a storage does so: the others find its pass of the last hour.
 */
export function startRetention(options: RetentionOptions) {
  const { checks, state, jobLock, clock, log } = options;
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let waits: string | undefined;
  /** The `retention_ran_at` that never makes this instance skip a pass: its own, or one from before its start. Null until it is read. */
  let known: string | undefined | null = null;

  const pass = async () => {
    const last = await state.find('retention_ran_at');
    if (last !== undefined && last !== known && isRecent(last, clock.now())) {
      waits = undefined;
      return;
    }
    // Before the deletion, which may have to wait for a person.
    await checks.prepare(isoTime(clock.now() + DAY_MS));
    waits = await deleteDue(options, stopping.signal);
    known = await state.find('retention_ran_at');
  };
  const begin = async () => {
    try {
      if (known === null) known = await state.find('retention_ran_at');
      await jobLock.runExclusive('retention', pass, stopping.signal);
    } catch (err) {
      // Stopped: another instance makes the pass, or the next start does.
      if (stopping.signal.aborted) return;
      log.error(
        { err },
        'what is past its retention is not deleted, or not all of it; next attempt in an hour',
      );
    }
  };
  const run = () => {
    // A run that takes longer than the interval is not doubled.
    running ??= begin().finally(() => {
      running = undefined;
    });
    return running;
  };
  void run();
  const stopTimer = (options.every ?? unrefInterval)(HOUR_MS, () => void run());
  return {
    /** Why records wait for a person's confirmation; undefined where none wait. */
    get waits() {
      return waits;
    },
    /** Deletes what is due now; resolves when that is done. Never rejects. */
    run,
    /** Resolves when nothing is being deleted any more; what is left is due at the next start. */
    async stop() {
      stopTimer();
      stopping.abort();
      await running;
    },
  };
}

/** In either direction: the clock of the instance that made the pass may be ahead. */
function isRecent(instant: string, now: number): boolean {
  return Math.abs(now - Date.parse(instant)) < RECENT_MS;
}

/** Resolves to why records wait for a person; undefined where none do. */
async function deleteDue(options: RetentionOptions, signal: AbortSignal): Promise<string | undefined> {
  const { checks, labels, people, state, days, clock, log, metrics } = options;
  const { before, waits } = await findDue(options);
  if (waits !== undefined) {
    log.error({ reason: waits }, 'records past their retention wait for a person');
    return waits;
  }
  await people.deleteEndedSessions(isoTime(clock.now()));
  const deleted = await checks.deleteBefore(before, signal);
  metrics.count('postern_records_deleted_total', {}, deleted);
  if (deleted > 0) log.info({ deleted, days }, 'records past their retention deleted');
  if (signal.aborted) return undefined;
  // After the records: a label whose last check has just been deleted is idle.
  const idle = await labels.deleteIdle(before, signal);
  if (idle > 0) log.info({ deleted: idle, days }, 'labels of people without records deleted');
  await state.keep('retention_ran_at', isoTime(clock.now()));
  return undefined;
}
