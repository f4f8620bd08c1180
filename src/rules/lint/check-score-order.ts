import type { Level } from '../decision.ts';
import { type LevelRule, RISK_SCORE, type Rule, THRESHOLD_PREFIX, type Threshold } from '../definitions.ts';
import { truthOf } from '../kleene.ts';
import { comparisonsOf, literalsOf, toNegationNormalForm } from '../negation-normal-form.ts';
import type { ProblemList } from '../problem.ts';

const RISING: readonly string[] = ['greaterThan', 'greaterThanInclusive'];

/** Levels and actions may only become graver as the score climbs; the levels must stand in their order. */
export function checkScoreOrder(
  rules: readonly Rule[],
  thresholds: ReadonlyMap<string, Threshold>,
  problems: ProblemList,
): void {
  const sound: LevelRule[] = [];
  for (const rule of rules) {
    if (rule.kind !== 'level' && rule.kind !== 'action') continue;
    const falling = literalsOf(toNegationNormalForm(rule.conditions)).filter(
      ({ fact, operator }) => fact === RISK_SCORE && !RISING.includes(operator),
    );
    if (falling.length === 0) {
      if (rule.kind === 'level') sound.push(rule);
      continue;
    }
    const place = comparisonsOf(rule.conditions).find(({ fact }) => fact === RISK_SCORE)?.place ?? rule.place;
    const message = `${rule.id} could fire at a lower score and not at a higher one: compare risk_score by greaterThan or greaterThanInclusive alone`;
    problems.report('falls_with_score', place, message);
  }
  checkLevels(sound, thresholds, problems);
}

function checkLevels(
  rules: readonly LevelRule[],
  thresholds: ReadonlyMap<string, Threshold>,
  problems: ProblemList,
): void {
  const lowest = new Map<Level, { rule: LevelRule; score: number }>();
  for (const rule of rules) {
    if (rule.mode !== 'live') continue;
    const score = lowestScore(rule, thresholds);
    if (score === undefined) {
      problems.report('level_order', rule.place, `${rule.id} never fires: no score from 0 to 100 reaches it`);
    } else if (score < (lowest.get(rule.level)?.score ?? Infinity)) {
      lowest.set(rule.level, { rule, score });
    }
  }
  const medium = lowest.get('medium');
  const high = lowest.get('high');
  if (medium && high && high.score <= medium.score) {
    const message = `high begins at ${high.score} and medium at ${medium.score}: medium could never be the level`;
    problems.report('level_order', high.rule.place, message);
  }
}

function lowestScore(
  { conditions }: LevelRule,
  thresholds: ReadonlyMap<string, Threshold>,
): number | undefined {
  const condition = toNegationNormalForm(conditions);
  const named = [...thresholds.values()].map(({ name, value }) => [`${THRESHOLD_PREFIX}${name}`, value]);
  for (let score = 0; score <= 100; score++) {
    const facts = { ...Object.fromEntries(named), [RISK_SCORE]: score };
    if (truthOf(condition, facts).is === 'true') return score;
  }
  return undefined;
}
