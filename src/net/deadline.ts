import { afterPendingIo } from '../lib/timers.ts';

/** Runs `task` with a signal that fires after `timeoutMs`. The task is to heed it: nothing else cuts it off. */
export async function withDeadline<Result>(
  timeoutMs: number,
  task: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const timer = setTimeout(
    afterPendingIo(() => controller.abort()),
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
  signal: AbortSignal,
  shared: Promise<Result>,
  instead: Result,
): Promise<Result> {
  if (signal.aborted) return Promise.resolve(instead);
  return new Promise((resolve, reject) => {
    const giveUp = () => resolve(instead);
    signal.addEventListener('abort', giveUp, { once: true });
    shared.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
