let lastMs = Number.NaN;
let lastText = '';

/** ISO 8601, UTC, milliseconds. The instants that a busy process writes come several at a time: the last one is kept. */
export function isoTime(ms: number): string {
  if (ms !== lastMs) {
    lastText = new Date(ms).toISOString();
    lastMs = ms;
  }
  return lastText;
}
