import type { RuleSet } from './compile.ts';
import type { Action, Facts } from './decision.ts';
import { RISK_SCORE } from './definitions.ts';
import { truthOf } from './kleene.ts';
import type { NormalCondition } from './negation-normal-form.ts';
import { addUp } from './score.ts';

/** The score alone, by Kleene's logic: what json-rules-engine is held to by its own tests, and fifty times faster. */
export function quickScore({ points, caps, thresholdFacts }: RuleSet, facts: Facts): number {
  const all = { ...facts, ...thresholdFacts };
  return addUp(
    points.filter(({ condition }) => isTrue(condition, all)),
    caps,
  ).score;
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
