/** Calls back again and again until the returned function is called; keeps no process alive that has nothing else to do. */
export function everyUnheld(intervalMs: number, run: () => void): () => void {
  const timer = setInterval(run, intervalMs).unref();
  return () => clearInterval(timer);
}
