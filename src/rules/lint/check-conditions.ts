import {
  comparisonsOf,
  describeComparison,
  factsRead,
  literalsOf,
  type NormalCondition,
  toNegationNormalForm,
} from '../conditions.ts';
import { type Condition, RISK_SCORE, type Rule } from '../definitions.ts';
import type { ProblemList } from '../problem.ts';
import { show } from './declared.ts';
import type { Logic } from './worlds.ts';

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

interface Judged {
  readonly rule: Rule;
  readonly condition: NormalCondition;
  readonly reads: ReadonlySet<string>;
}

/** Rules in force of which another leaves nothing to say: at most one message for each. */
export function checkOverlap(rules: readonly Rule[], logic: Logic, problems: ProblemList): void {
  const judged = rules.map(judge).filter(({ condition }) => logic.canFire(condition, 'some_unknown'));
  for (const [index, own] of judged.entries()) {
    const earlier = judged.slice(0, index);
    if (reportTwin(own, earlier, logic, problems)) continue;
    const [wider] = judged.flatMap((other) => {
      const how = other === own ? undefined : overruled(own.rule, other.rule);
      if (!how || !isNarrower(own, other, logic)) return [];
      // Of two that say the same the second has been reported.
      if (how === 'repeats' && isNarrower(other, own, logic)) return [];
      return [{ how, rule: other.rule }];
    });
    if (wider) report(own.rule, wider.how, wider.rule, problems);
  }
}

function judge(rule: Rule): Judged {
  const condition = toNegationNormalForm(rule.conditions);
  return { rule, condition, reads: new Set(literalsOf(condition).flatMap(factsRead)) };
}

/** A rule that stands before this one and fires with it, always. */
function reportTwin(own: Judged, earlier: readonly Judged[], logic: Logic, problems: ProblemList): boolean {
  const twin = earlier.find(
    (other) =>
      isTwinOfInterest(own.rule, other.rule) &&
      isNarrower(own, other, logic) &&
      isNarrower(other, own, logic),
  );
  if (!twin) return false;
  const where = `${twin.rule.id} (${show(twin.rule.place)})`;
  if (effectOf(own.rule) === effectOf(twin.rule)) {
    const message = `${own.rule.id} says the same as ${where}: same condition, same effect`;
    problems.report('duplicate_rule', own.rule.place, message);
  } else {
    const message = `${own.rule.id} has the same condition as ${where}: they always fire together`;
    problems.report('duplicate_condition', own.rule.place, message);
  }
  return true;
}

/** Two levels from one score on are an error already; a rule that is absorbed by its twin never counts. */
function isTwinOfInterest(own: Rule, other: Rule): boolean {
  if (own.kind === 'points' && other.kind === 'points') return !absorbs(own, other) && !absorbs(other, own);
  return own.kind === other.kind && effectOf(own) === effectOf(other);
}

function effectOf(rule: Rule): string {
  switch (rule.kind) {
    case 'points':
      return String(rule.points);
    case 'level':
      return rule.level;
    default:
      return rule.action;
  }
}

/** In what way `by` leaves nothing for the rule to do when both fire. */
function overruled(rule: Rule, by: Rule): 'absorbed' | 'forced' | 'repeats' | undefined {
  if (rule.kind === 'points') return absorbs(by, rule) ? 'absorbed' : undefined;
  // A forced action decides alone, and of two forced ones ALLOW.
  if (by.kind === 'force') {
    if (rule.kind === 'action') return 'forced';
    if (rule.kind === 'force' && rule.action === 'BLOCK' && by.action === 'ALLOW') return 'forced';
  }
  return by.kind === rule.kind && effectOf(by) === effectOf(rule) ? 'repeats' : undefined;
}

function absorbs(by: Rule, of: Rule): boolean {
  return by.kind === 'points' && by.absorbs.some(({ id }) => id === of.id);
}

function isNarrower(own: Judged, other: Judged, logic: Logic): boolean {
  if (![...own.reads].some((id) => other.reads.has(id))) return false;
  return logic.implies(own.condition, other.condition, 'some_unknown');
}

function report(own: Rule, how: 'absorbed' | 'forced' | 'repeats', wider: Rule, problems: ProblemList): void {
  const where = `${wider.id} (${show(wider.place)})`;
  if (how === 'repeats') {
    const message = `${own.id} adds nothing: ${where} fires whenever it does, with the same effect`;
    problems.report('subsumed_rule', own.place, message);
    return;
  }
  const message =
    how === 'absorbed'
      ? `${own.id} never counts: ${where} fires whenever it does, and absorbs it`
      : `${own.id} never decides: ${where} forces the action whenever it fires`;
  problems.report('unreachable_rule', own.place, message);
}
