import type { DescribedRule, Facts } from './description.ts';

/** All engines must agree on this outcome. */
export interface Outcome {
  /** 0 to 100. */
  readonly score: number;
  /** Ids, sorted. */
  readonly fired: readonly string[];
}

/** One engine with one rule set. */
export interface DecisionEngine {
  readonly name: string;
  /** Timed: a whole decision, as users of the engine make it. */
  readonly decide: (facts: Facts) => unknown;
  /** The decision in common terms; not timed. */
  readonly outcome: (facts: Facts) => Promise<Outcome>;
}

export type MakeEngine = (rules: readonly DescribedRule[]) => DecisionEngine | Promise<DecisionEngine>;

/** The outcome of fired rules, for engines that do not sum points. */
export function addUp(fired: readonly { readonly id: string; readonly points: number }[]): Outcome {
  const sum = fired.reduce((total, { points }) => total + points, 0);
  return { score: Math.min(sum, 100), fired: fired.map(({ id }) => id).sort() };
}
