import {
  comparisonsOf,
  describeCondition,
  factsIn,
  namesUsed,
  partsOf,
  toNegationNormalForm,
  withParts,
} from '../conditions.ts';
import { type Condition, type NamedCondition, RISK_SCORE, type Rule } from '../definitions.ts';
import { describePlace, type ProblemCode, type ProblemList } from '../problem.ts';
import { ROLLOUT_BUCKET } from '../rollout.ts';
import type { Logic } from './worlds.ts';

/** A condition of a rule, or one with a name of its own. */
interface Judged extends Pick<NamedCondition, 'conditions' | 'condition' | 'place'> {
  /** Id of the rule, or name of the condition. */
  readonly name: string;
  /** For messages: `the condition of x`. */
  readonly what: string;
}

/**
 * Reports a condition that is true in no world (set of facts), or in all, and a part that makes no difference to its condition. Tries
 * every world that the condition can tell apart. A named condition is judged once: where it is never or always true, the rules and
 * conditions that use it get no report of their own.
 */
export function checkWorlds(
  rules: readonly Rule[],
  named: readonly NamedCondition[],
  logic: Logic,
  problems: ProblemList,
): void {
  const settled = new Set<string>();
  const judge = (judged: Judged): boolean =>
    namesUsed(judged.conditions).some((name) => settled.has(name)) || reportWorlds(judged, logic, problems);
  // Conditions with fewer names first: a condition that uses a settled one is settled too.
  const depths = named.toSorted(
    (one, other) => namesUsed(one.conditions).length - namesUsed(other.conditions).length,
  );
  for (const one of depths) {
    if (judge({ ...one, what: `the condition ${one.name}` })) settled.add(one.name);
  }
  for (const rule of rules) {
    // `checkScoreOrder` reports a live level that no score reaches, as an error.
    if (rule.kind === 'level' && rule.mode === 'live' && !logic.canFire(rule.condition)) continue;
    judge({ ...rule, name: rule.id, what: `the condition of ${rule.id}` });
  }
}

/** True, after a report, where the condition is the same for every address. */
function reportWorlds(judged: Judged, logic: Logic, problems: ProblemList): boolean {
  const { condition, place, what } = judged;
  const empty = logic.describeEmptyList(condition);
  if (!logic.canFire(condition)) {
    const why = factsIn(condition).includes(RISK_SCORE) ? ', or waits for a score above 100' : '';
    const cause = empty === undefined ? `${what} contradicts itself${why}: it` : `${empty}: ${what}`;
    problems.report('never_true', place, `${cause} is never true`);
    return true;
  }
  if (!logic.isSoForAnAddress(condition, true)) {
    problems.report('never_true', place, `${what} asks for values that no address has: it is never true`);
    return true;
  }
  if (!logic.isSoForAnAddress(condition, false)) {
    const cause = empty === undefined ? '' : `${empty}: `;
    problems.report('always_true', place, `${cause}${what} is true for every address`);
    return true;
  }
  reportIdleParts(judged, logic, problems);
  return false;
}

function reportIdleParts(judged: Judged, logic: Logic, problems: ProblemList): void {
  /** Whether `shorter` fires just as the whole does. It is known to be wider, or narrower, so one direction is tested. */
  const isSame = (shorter: Condition, isWider: boolean) => {
    const other = toNegationNormalForm(shorter);
    return isWider
      ? logic.implies(other, judged.condition, 'some_unknown')
      : logic.implies(judged.condition, other, 'some_unknown');
  };

  /** `put` returns the whole with another condition in the place of this one. `isNegated`: within an odd number of `not`. */
  const walk = (condition: Condition, put: (inner: Condition) => Condition, isNegated = false): void => {
    // A named condition is judged where it is declared.
    if ('fact' in condition || 'condition' in condition) return;
    if ('not' in condition) {
      walk(condition.not, (inner) => put({ not: inner }), !isNegated);
      return;
    }
    // Without a part, `all` is true more often, the others less often.
    const isWider = 'all' in condition !== isNegated;
    const listOf = (parts: readonly Condition[]): Condition => withParts(condition, parts);
    const least = 'at_least' in condition ? condition.at_least.count : 1;
    let kept = partsOf(condition);
    // From the last, so that the second of two equal parts is reported.
    for (const part of kept.toReversed()) {
      const others = kept.filter((other) => other !== part);
      if (others.length < least || !isSame(put(listOf(others)), isWider)) continue;
      report(part, others, condition);
      kept = others;
    }
    for (const part of kept) {
      walk(part, (inner) => put(listOf(kept.map((other) => (other === part ? inner : other)))), isNegated);
    }
  };

  const report = (part: Condition, others: readonly Condition[], within: Condition): void => {
    const normal = toNegationNormalForm(part);
    const saysIt = (other: Condition) => {
      const beside = toNegationNormalForm(other);
      if ('any' in within) return logic.implies(normal, beside, 'all_known');
      return 'all' in within && logic.implies(beside, normal, 'all_known');
    };
    const because = others.find(saysIt);
    const beside = because ? `"${describeCondition(because)}"` : 'what stands beside it';
    const why =
      'at_least' in within
        ? 'so many of the others are true with it and without it'
        : `${beside} says it already`;
    const message = `"${describeCondition(part)}" makes no difference to ${judged.name}: ${logic.describeEmptyList(normal) ?? why}`;
    problems.report('subsumed_condition', comparisonsOf(part)[0]?.place ?? judged.place, message);
  };

  walk(judged.conditions, (inner) => inner);
}

/** Reports rules in force that another rule makes redundant: at most one message for each. */
export function checkOverlap(rules: readonly Rule[], logic: Logic, problems: ProblemList): void {
  const judged = rules.filter(({ condition }) => logic.canFire(condition));
  const isNarrower = (own: Rule, other: Rule) =>
    own.reads.some((id) => id !== ROLLOUT_BUCKET && other.reads.includes(id)) &&
    logic.implies(own.condition, other.condition, 'some_unknown');
  for (const [index, own] of judged.entries()) {
    const { id, place } = own;
    const twin = judged
      .slice(0, index)
      .find((other) => isTwinOfInterest(own, other) && isNarrower(own, other) && isNarrower(other, own));
    if (twin && effectOf(own) === effectOf(twin)) {
      const message = `${id} says the same as ${describeRule(twin)}: same condition, same effect`;
      problems.report('duplicate_rule', place, message);
    } else if (twin) {
      const message = `${id} has the same condition as ${describeRule(twin)}: they always fire together`;
      problems.report('duplicate_condition', place, message);
    } else {
      const [found] = judged.flatMap((other) => {
        const how = other === own ? undefined : overruled(own, other);
        if (!how || !isNarrower(own, other)) return [];
        // Where both say the same, only the second is reported, as a duplicate.
        return how[0] === 'subsumed_rule' && isNarrower(other, own) ? [] : [how];
      });
      if (found) problems.report(found[0], place, found[1]);
    }
  }
}

/** Two different levels that begin at one score are an error already. A rule absorbed by its twin is reported by `overruled` instead. */
function isTwinOfInterest(own: Rule, other: Rule): boolean {
  if (own.kind === 'points' && other.kind === 'points') return !absorbs(own, other) && !absorbs(other, own);
  return own.kind === other.kind && effectOf(own) === effectOf(other);
}

function effectOf(rule: Rule): string | number {
  if (rule.kind === 'points') return rule.points;
  return rule.kind === 'level' ? rule.level : rule.action;
}

/** Why the rule has no effect when `by` fires too; undefined where it has one. */
function overruled(rule: Rule, by: Rule): readonly [ProblemCode, message: string] | undefined {
  const where = `${describeRule(by)} fires whenever it does`;
  if (absorbs(by, rule)) return ['unreachable_rule', `${rule.id} never counts: ${where}, and absorbs it`];
  if (rule.kind === 'points') return undefined;
  // A forced action decides alone; a forced ALLOW wins over a forced BLOCK.
  const isOutranked = rule.kind === 'force' && rule.action === 'BLOCK' && effectOf(by) === 'ALLOW';
  if (by.kind === 'force' && (rule.kind === 'action' || isOutranked)) {
    const message = `${rule.id} never decides: ${describeRule(by)} forces the action whenever it fires`;
    return ['unreachable_rule', message];
  }
  if (by.kind !== rule.kind || effectOf(by) !== effectOf(rule)) return undefined;
  return ['subsumed_rule', `${rule.id} adds nothing: ${where}, with the same effect`];
}

function absorbs(by: Rule, of: Rule): boolean {
  return by.kind === 'points' && by.absorbs.includes(of.id);
}

function describeRule({ id, place }: Rule): string {
  return `${id} (${describePlace(place)})`;
}
