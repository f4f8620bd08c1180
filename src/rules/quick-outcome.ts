import type { RuleSet } from './compile.ts';
import type { Action, Facts } from './decision.ts';
import { RISK_SCORE } from './definitions.ts';
import { truthOf } from './kleene.ts';
import type { NormalCondition } from './negation-normal-form.ts';
import { addUp, type Tally, totalOf } from './score.ts';

type Points = Pick<RuleSet, 'points' | 'caps' | 'thresholdFacts'>;

/** The score alone, by Kleene's logic: what json-rules-engine is held to by its own tests, and fifty times faster. */
export function quickScore(rules: Points, facts: Facts): number {
  return tallyOf(rules, facts).score;
}

/** All points together, under the caps of their groups, before the bounds of the score. */
export function quickPoints(rules: Points, facts: Facts): number {
  return totalOf(tallyOf(rules, facts));
}

function tallyOf({ points, caps, thresholdFacts }: Points, facts: Facts): Tally {
  const all = { ...facts, ...thresholdFacts };
  const fired = points.filter(({ condition }) => isTrue(condition, all));
  return addUp(fired, caps);
}

/** What these facts would come to at this score, forced actions included. */
export function quickAction(
  { forces, actions, thresholdFacts }: RuleSet,
  facts: Facts,
  score: number,
): { readonly action: Action; readonly isForced: boolean } {
  const all = { ...facts, ...thresholdFacts, [RISK_SCORE]: score };
  const forced = forces.filter(({ condition }) => isTrue(condition, all)).map(({ action }) => action);
  if (forced.length > 0) return { action: forced.includes('ALLOW') ? 'ALLOW' : 'BLOCK', isForced: true };
  const isBlocked = actions.some(({ condition }) => isTrue(condition, all));
  return { action: isBlocked ? 'BLOCK' : 'ALLOW', isForced: false };
}

function isTrue(condition: NormalCondition, facts: Facts): boolean {
  return truthOf(condition, facts).is === 'true';
}
