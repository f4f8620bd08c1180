import type { CompiledPoints } from './rule-set.ts';

export const LOWEST_SCORE = 0;
export const HIGHEST_SCORE = 100;
export const ALL_SCORES: readonly number[] = Array.from({ length: HIGHEST_SCORE + 1 }, (_, score) => score);

/** How points became the score. All points here stand in the ledger; with those of the fired rules they sum to `score`. */
export type Tally = ReturnType<typeof addUp>;

/** The members of a rule that the score depends on. */
export type Scored = Pick<CompiledPoints, 'id' | 'group' | 'points' | 'absorbs'>;

/** Adds up the fired rules, which must be sorted by id: leaves out absorbed rules, caps each group, bounds the total to 0 to 100. */
export function addUp(fired: readonly Scored[], maxScores: Readonly<Record<string, number>>) {
  // Reversed: where several rules absorb one, the first is named.
  const absorbers = new Map(
    fired.toReversed().flatMap(({ id, absorbs }) => absorbs.map((part) => [part, id] as const)),
  );
  const absorbed = fired.flatMap(({ id, points }) => {
    const by = absorbers.get(id);
    return by === undefined ? [] : [{ id, by, points: -points }];
  });
  const sums = new Map<string, number>();
  for (const { id, group, points } of fired) {
    if (!absorbers.has(id)) sums.set(group, (sums.get(group) ?? 0) + points);
  }
  const caps = [...sums]
    .map(([group, sum]) => ({ group, sum, maxScore: maxScores[group] ?? HIGHEST_SCORE }))
    .filter(({ sum, maxScore }) => sum > maxScore)
    .map(({ group, sum, maxScore }) => ({ group, points: maxScore - sum, maxScore }))
    .toSorted((a, b) => (a.group < b.group ? -1 : 1));
  const total = [...fired, ...absorbed, ...caps].reduce((sum, { points }) => sum + points, 0);
  const score = Math.min(Math.max(total, LOWEST_SCORE), HIGHEST_SCORE);
  // `bound`: what was added or taken to stay within 0 to 100.
  return { score, absorbed, caps, bound: score - total };
}

/** All points together, under the caps of their groups, before the bounds of the score. */
export function totalOf({ score, bound }: Tally): number {
  return score - bound;
}
