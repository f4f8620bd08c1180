import { comparisonsOf, describeComparison, toNegationNormalForm } from '../conditions.ts';
import { type Condition, RISK_SCORE, type Rule } from '../definitions.ts';
import { describePlace, type ProblemCode, type ProblemList } from '../problem.ts';
import type { Logic } from './worlds.ts';

/**
 * Looks at each condition in every world that it can tell apart. One that is true in none of them, or in all, is a
 * slip; so is a part of it without which it would be the same.
 */
export function checkWorlds(rules: readonly Rule[], logic: Logic, problems: ProblemList): void {
  for (const rule of rules) {
    const { condition, reads } = rule;
    if (!logic.canFire(condition, 'all_known')) {
      // A level that no score reaches is an error of its own.
      if (rule.kind === 'level') continue;
      const why = reads.includes(RISK_SCORE) ? ', or waits for a score above 100' : '';
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
  const isSame = (condition: Condition) =>
    logic.areEqual(rule.condition, toNegationNormalForm(condition), 'some_unknown');

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

/** Rules in force of which another leaves nothing to say: at most one message for each. */
export function checkOverlap(rules: readonly Rule[], logic: Logic, problems: ProblemList): void {
  const judged = rules.filter(({ condition }) => logic.canFire(condition, 'some_unknown'));
  const isNarrower = (own: Rule, other: Rule) =>
    own.reads.some((id) => other.reads.includes(id)) &&
    logic.implies(own.condition, other.condition, 'some_unknown');
  for (const [index, own] of judged.entries()) {
    const { id, place } = own;
    const twin = judged
      .slice(0, index)
      .find((other) => isTwinOfInterest(own, other) && isNarrower(own, other) && isNarrower(other, own));
    if (twin) {
      const where = describeRule(twin);
      if (effectOf(own) === effectOf(twin)) {
        const message = `${id} says the same as ${where}: same condition, same effect`;
        problems.report('duplicate_rule', place, message);
      } else {
        const message = `${id} has the same condition as ${where}: they always fire together`;
        problems.report('duplicate_condition', place, message);
      }
      continue;
    }
    for (const other of judged) {
      const found = other === own || !isNarrower(own, other) ? undefined : overruled(own, other);
      // Of two that say the same the second has been reported.
      if (!found || (found.code === 'subsumed_rule' && isNarrower(other, own))) continue;
      problems.report(found.code, place, found.message);
      break;
    }
  }
}

/** Two levels from one score on are an error already; a rule that is absorbed by its twin never counts. */
function isTwinOfInterest(own: Rule, other: Rule): boolean {
  if (own.kind === 'points' && other.kind === 'points') return !absorbs(own, other) && !absorbs(other, own);
  return own.kind === other.kind && effectOf(own) === effectOf(other);
}

function effectOf(rule: Rule): string | number {
  if (rule.kind === 'points') return rule.points;
  return rule.kind === 'level' ? rule.level : rule.action;
}

/** In what way `by` leaves nothing for the rule to do when both fire. */
function overruled(
  rule: Rule,
  by: Rule,
): { readonly code: ProblemCode; readonly message: string } | undefined {
  const where = describeRule(by);
  if (absorbs(by, rule)) {
    const message = `${rule.id} never counts: ${where} fires whenever it does, and absorbs it`;
    return { code: 'unreachable_rule', message };
  }
  if (rule.kind === 'points') return undefined;
  // A forced action decides alone, and of two forced ones ALLOW.
  const isOutranked = rule.kind === 'force' && rule.action === 'BLOCK' && effectOf(by) === 'ALLOW';
  if (by.kind === 'force' && (rule.kind === 'action' || isOutranked)) {
    const message = `${rule.id} never decides: ${where} forces the action whenever it fires`;
    return { code: 'unreachable_rule', message };
  }
  if (by.kind !== rule.kind || effectOf(by) !== effectOf(rule)) return undefined;
  const message = `${rule.id} adds nothing: ${where} fires whenever it does, with the same effect`;
  return { code: 'subsumed_rule', message };
}

function absorbs(by: Rule, of: Rule): boolean {
  return by.kind === 'points' && by.absorbs.includes(of.id);
}

function describeRule({ id, place }: Rule): string {
  return `${id} (${describePlace(place)})`;
}
