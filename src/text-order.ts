/** By code units: the same everywhere, whatever the locale. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Entries by their keys, in the order of `compareTexts`. */
export function compareKeys(
  [a]: readonly [string, ...unknown[]],
  [b]: readonly [string, ...unknown[]],
): number {
  return compareTexts(a, b);
}
