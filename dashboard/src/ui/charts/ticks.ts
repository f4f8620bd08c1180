const MOST = 4;

/** The values that get a label. Counts get them at whole numbers alone: 0.4 of a check would be written as 0. */
export function ticksOf(scale: object, isCount: boolean): number[] {
  if (!('ticks' in scale && typeof scale.ticks === 'function')) return [];
  const ticks: readonly number[] = scale.ticks(MOST);
  return ticks.filter((value) => !isCount || Number.isInteger(value));
}
