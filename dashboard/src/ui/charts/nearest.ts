/** The index of the value that is nearest to `wanted`, in values that rise; null where there are none. */
export function nearestIndex(values: readonly number[], wanted: number): number | null {
  if (values.length === 0) return null;
  const after = values.findIndex((value) => value >= wanted);
  if (after === -1) return values.length - 1;
  if (after === 0) return 0;
  const [low, high] = [values[after - 1] ?? 0, values[after] ?? 0];
  return wanted - low <= high - wanted ? after - 1 : after;
}
