import type { InjectionToken } from '../di.ts';
import type { Clock } from '../provider-kit/index.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

export const systemClock: Clock = { now: () => Date.now() };

/** Never set back or ahead: for windows and waits within the process. Begins anywhere. */
export const monotonicClock: Clock = { now: () => performance.now() };

/** The wall clock. */
export const CLOCK: InjectionToken<Clock> = Symbol('Clock');

/** ISO 8601, UTC, milliseconds. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** `2026-11-26T11:00:00.000Z` as `2026-11-26 11:00 UTC`. */
export function spokenTime(instant: string): string {
  return `${instant.slice(0, 16).replace('T', ' ')} UTC`;
}

const FORM = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/**
 * `2026-11-01`, which is its first moment in UTC, or a time of day with its offset, in ISO 8601; with milliseconds and in
 * UTC. Null for any other text: a time without an offset is another one elsewhere.
 */
export function readInstant(text: string): string | null {
  const day = text.slice(0, 10);
  const [instant, dayBegins] = [Date.parse(text), Date.parse(day)];
  if (!FORM.test(text) || Number.isNaN(instant)) return null;
  // JavaScript reads 30 February as 2 March.
  return isoTime(dayBegins).startsWith(day) ? isoTime(instant) : null;
}

/** Calls back again and again until the returned function is called; keeps no process alive that has nothing else to do. */
export function unrefInterval(intervalMs: number, run: () => void): () => void {
  const timer = setInterval(run, intervalMs).unref();
  return () => clearInterval(timer);
}

/** First lets what has arrived be read: a busy event loop runs overdue timers before its sockets, and would call late what lies there. */
export function afterPendingIo(then: () => void): () => void {
  return () => void setImmediate(then);
}

/** Runs `task` with a signal that fires after `timeoutMs`, with a TimeoutError. The task is to heed it: nothing else cuts it off. */
export async function withDeadline<Result>(
  timeoutMs: number,
  task: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const timer = setTimeout(
    afterPendingIo(() => controller.abort(new DOMException('the time is over', 'TimeoutError'))),
    timeoutMs,
  );
  try {
    return await task(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** What `shared` comes to, or `instead` once `signal` fires: others may go on waiting for it. */
export function unlessAborted<Result>(
  signal: AbortSignal | undefined,
  shared: Promise<Result>,
  instead: Result,
): Promise<Result> {
  if (!signal) return shared;
  if (signal.aborted) return Promise.resolve(instead);
  return new Promise((resolve, reject) => {
    const giveUp = () => resolve(instead);
    signal.addEventListener('abort', giveUp, { once: true });
    shared.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

/**
 * Longer than any data takes to load. A start without an end would say nothing, and once nothing else is waited
 * for, node ends with 0 as if all were well; a reload without an end would hold up every later one.
 */
export const START_PATIENCE_MS = 30_000;
/** What is waited for is named after this: an operator who watches a start should not have to guess. */
export const WAIT_TOLD_MS = 5_000;

/** Told, in a sentence, what is still waited for. */
export type TellWait = (what: string) => void;

/** What `task` resolves to; rejects when it is not ready in time. `awaited` names it, for `tell`, where it takes long. */
export async function inTime<Result>(
  task: PromiseLike<Result> | Result,
  awaited: string,
  tell: TellWait,
): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const told = setTimeout(() => tell(`still waiting for ${awaited}`), WAIT_TOLD_MS);
  const ended = setTimeout(
    () => late.reject(new Error(`is not ready after ${START_PATIENCE_MS / 1000} seconds`)),
    START_PATIENCE_MS,
  );
  try {
    return await Promise.race([task, late.promise]);
  } finally {
    clearTimeout(told);
    clearTimeout(ended);
  }
}
