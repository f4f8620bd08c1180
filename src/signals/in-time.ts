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
