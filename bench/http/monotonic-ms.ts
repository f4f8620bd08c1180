/** A clock that all threads of a process share; `performance.now()` begins anew in each. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
