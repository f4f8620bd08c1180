/** How many requests a single limiter would allow: fixed windows, each starting with the first request after the last window's end. */
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
