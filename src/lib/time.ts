import type { InjectionToken } from '../di.ts';
import type { Clock } from '../provider-kit/index.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

export const systemClock: Clock = { now: () => Date.now() };

/** Never set back or ahead: for windows and waits within the process. Its zero is arbitrary. */
export const monotonicClock: Clock = { now: () => performance.now() };

/** The wall clock. */
export const CLOCK: InjectionToken<Clock> = Symbol('Clock');

/** ISO 8601, UTC, milliseconds. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** The day in UTC: `2026-11-26`. */
export function isoDay(ms: number): string {
  return isoTime(ms).slice(0, 10);
}

/** `2026-11-26T11:00:00.000Z` as `2026-11-26 11:00 UTC`. */
export function spokenTime(instant: string): string {
  return `${instant.slice(0, 16).replace('T', ' ')} UTC`;
}

const FORM = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/**
 * Reads a day such as `2026-11-01`, as its first moment in UTC, or an ISO 8601 time with its offset; returns UTC with
 * milliseconds. Null for any other text: a time without an offset is ambiguous.
 */
export function readInstant(text: string): string | null {
  const day = text.slice(0, 10);
  const [instant, dayBegins] = [Date.parse(text), Date.parse(day)];
  if (!FORM.test(text) || Number.isNaN(instant)) return null;
  // JavaScript reads 30 February as 2 March.
  return isoTime(dayBegins).startsWith(day) ? isoTime(instant) : null;
}

/** Calls `run` every `intervalMs` until the returned function is called; does not keep the process alive. */
export function unrefInterval(intervalMs: number, run: () => void): () => void {
  const timer = setInterval(run, intervalMs).unref();
  return () => clearInterval(timer);
}

/** Delays `then` until arrived data is read: a busy event loop runs overdue timers before its sockets, so timeouts would be false. */
export function afterPendingIo(then: () => void): () => void {
  return () => void setImmediate(then);
}

/** Runs `task` with a signal that fires after `timeoutMs`, with a TimeoutError. The task must obey the signal: nothing else ends it. */
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

/** The result of `shared`, or `instead` once `signal` fires; other callers may go on waiting for `shared`. */
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
 * Longer than any data takes to load. Without a limit, a start that hangs would say nothing, and node would exit with 0 as
 * if all were well once nothing else is pending; a reload that hangs would block every later reload.
 */
export const START_PATIENCE_MS = 30_000;
/** After this time the awaited part is named: an operator who watches a start should not have to guess. */
export const WAIT_TOLD_MS = 5_000;

/** Called with a sentence that names what is still awaited. */
export type TellWait = (what: string) => void;

/** The result of `task`; rejects after `START_PATIENCE_MS`. If it takes long, `tell` is called with a sentence that holds `awaited`. */
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
