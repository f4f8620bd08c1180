/** Calls back again and again until the returned function is called; keeps no process alive that has nothing else to do. */
export function unrefInterval(intervalMs: number, run: () => void): () => void {
  const timer = setInterval(run, intervalMs).unref();
  return () => clearInterval(timer);
}

/**
 * For a timer's end: first lets what has already arrived be read. A busy event loop runs timers that are overdue before
 * it looks at its sockets, and would call late what lies there in time.
 */
export function afterPendingIo(then: () => void): () => void {
  return () => void setImmediate(then);
}
