import { type Condition, RISK_SCORE, type Rule } from '../definitions.ts';
import { describeComparison } from '../describe-comparison.ts';
import { comparisonsOf, toNegationNormalForm } from '../negation-normal-form.ts';
import type { ProblemList } from '../problem.ts';
import type { Logic } from './worlds/logic.ts';

/**
 * Looks at each condition in every world that it can tell apart. One that is true in none of them, or in all, is a
 * slip; so is a part of it without which it would be the same.
 */
export function checkWorlds(rules: readonly Rule[], logic: Logic, problems: ProblemList): void {
  for (const rule of rules) {
    const condition = toNegationNormalForm(rule.conditions);
    if (!logic.canFire(condition, 'all_known')) {
      // A level that no score reaches is an error of its own.
      if (rule.kind === 'level') continue;
      const readsScore = comparisonsOf(rule.conditions).some(({ fact }) => fact === RISK_SCORE);
      const why = readsScore ? ', or waits for a score above 100' : '';
      const message = `the condition of ${rule.id} contradicts itself${why}: it is never true`;
      problems.report('never_true', rule.place, message);
    } else if (!logic.canKeepQuiet(condition, 'all_known')) {
      problems.report('always_true', rule.place, `the condition of ${rule.id} is true for every address`);
    } else {
      reportIdleParts(rule, logic, problems);
    }
  }
}

function reportIdleParts(rule: Rule, logic: Logic, problems: ProblemList): void {
  const whole = toNegationNormalForm(rule.conditions);
  const isSame = (condition: Condition) =>
    logic.areEqual(whole, toNegationNormalForm(condition), 'some_unknown');

  /** `put` sets a condition in the place of this one within the whole. */
  const walk = (condition: Condition, put: (inner: Condition) => Condition): void => {
    if ('fact' in condition) return;
    if ('not' in condition) {
      walk(condition.not, (inner) => put({ not: inner }));
      return;
    }
    const isAll = 'all' in condition;
    const listOf = (parts: readonly Condition[]): Condition => (isAll ? { all: parts } : { any: parts });
    let kept = isAll ? condition.all : condition.any;
    // From the last: of two equal parts the second is the idle one.
    for (const part of kept.toReversed()) {
      const others = kept.filter((other) => other !== part);
      if (others.length === 0 || !isSame(put(listOf(others)))) continue;
      report(part, others, isAll);
      kept = others;
    }
    for (const part of kept) {
      walk(part, (inner) => put(listOf(kept.map((other) => (other === part ? inner : other)))));
    }
  };

  const report = (part: Condition, others: readonly Condition[], isAll: boolean): void => {
    const normal = toNegationNormalForm(part);
    const because = others.find((other) => {
      const beside = toNegationNormalForm(other);
      return isAll ? logic.implies(beside, normal, 'all_known') : logic.implies(normal, beside, 'all_known');
    });
    const [first] = comparisonsOf(part);
    const why = because ? `"${describe(because)}" says it already` : 'what stands beside it says it already';
    const message = `"${describe(part)}" makes no difference to ${rule.id}: ${why}`;
    problems.report('subsumed_condition', first?.place ?? rule.place, message);
  };

  walk(rule.conditions, (inner) => inner);
}

function describe(condition: Condition): string {
  if ('fact' in condition) return describeComparison(condition);
  if ('not' in condition) return `not ${describe(condition.not)}`;
  const isAll = 'all' in condition;
  return (isAll ? condition.all : condition.any).map(describe).join(isAll ? ' and ' : ' or ');
}
