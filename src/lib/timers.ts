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
