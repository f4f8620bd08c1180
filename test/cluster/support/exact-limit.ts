/** What one limiter of its own would have let through: fixed windows, each from the first request after the one before has ended. */
export function exactlyAllowed(
  arrivals: readonly number[],
  { requests, windowMs }: { readonly requests: number; readonly windowMs: number },
): number {
  let [endsAt, taken, allowed] = [Number.NEGATIVE_INFINITY, 0, 0];
  for (const at of [...arrivals].sort((a, b) => a - b)) {
    if (at >= endsAt) [endsAt, taken] = [at + windowMs, 0];
    if (taken < requests) allowed++;
    taken++;
  }
  return allowed;
}
