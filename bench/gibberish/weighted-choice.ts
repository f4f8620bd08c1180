/** Draws values in proportion to their weights. Throws when there is none. */
export function weightedChoice<Value extends { readonly weight: number }>(
  values: readonly Value[],
): (random: () => number) => Value {
  const all = values.reduce((sum, { weight }) => sum + weight, 0);
  const last = values.at(-1);
  if (last === undefined) throw new Error('nothing to choose from');
  return (random) => {
    let left = random() * all;
    for (const value of values) {
      left -= value.weight;
      if (left < 0) return value;
    }
    return last;
  };
}
