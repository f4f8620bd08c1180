/** A clock that all threads of a process share; `performance.now()` starts at zero in each thread. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
