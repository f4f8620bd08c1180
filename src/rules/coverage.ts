import type { RuleSet } from './compile.ts';
import type { Facts } from './decision.ts';
import { RISK_SCORE, type Rule } from './definitions.ts';
import { describeComparison } from './describe-comparison.ts';
import { truthOf } from './kleene.ts';
import { comparisonsOf, toNegationNormalForm } from './negation-normal-form.ts';
import type { Place } from './problem.ts';

/** The facts of a test and the score that they came to. */
export interface TestedCase {
  readonly facts: Facts;
  readonly score: number;
}

/** A rule or one of its comparisons that the tests see in one state only, or in none. */
export interface CoverageGap {
  readonly rule: string;
  readonly place: Place;
  /** As written, `domain.has_mx equal false`; null where the rule as a whole is meant. */
  readonly comparison: string | null;
  /** What no test has seen: of a rule, that it fires (true) or keeps quiet (false). */
  readonly never: readonly boolean[];
}

export interface Coverage {
  readonly rules: Share;
  readonly comparisons: Share;
  /** By rule, then in the order of the file. */
  readonly gaps: readonly CoverageGap[];
}

export interface Share {
  /** Seen both ways. */
  readonly covered: number;
  readonly total: number;
}

/** Which rules in force, and which of their comparisons, the tests have seen both true and false. Unknown is neither. */
export function coverageOf(
  definitions: readonly Rule[],
  { points, forces, levels, actions, shadows, thresholdFacts }: RuleSet,
  cases: readonly TestedCase[],
): Coverage {
  const inForce = new Set([...points, ...forces, ...levels, ...actions, ...shadows].map(({ id }) => id));
  const worlds = cases.map(({ facts, score }) => ({ ...facts, ...thresholdFacts, [RISK_SCORE]: score }));
  const seen = (condition: Rule['conditions']) => {
    const normal = toNegationNormalForm(condition);
    return new Set(worlds.map((facts) => truthOf(normal, facts).is));
  };
  const rules: CoverageGap[] = [];
  const comparisons: CoverageGap[] = [];
  for (const { id, place, conditions } of definitions.filter((rule) => inForce.has(rule.id))) {
    // A rule that stands aside keeps quiet.
    const fires = seen(conditions);
    const quiet = fires.has('false') || fires.has('unknown');
    rules.push({ rule: id, place, comparison: null, never: missing(fires.has('true'), quiet) });
    for (const comparison of comparisonsOf(conditions)) {
      const truths = seen(comparison);
      comparisons.push({
        rule: id,
        place: comparison.place,
        comparison: describeComparison(comparison),
        never: missing(truths.has('true'), truths.has('false')),
      });
    }
  }
  const gaps = [...rules, ...comparisons].filter(({ never }) => never.length > 0);
  return {
    rules: shareOf(rules),
    comparisons: shareOf(comparisons),
    gaps: gaps.toSorted((a, b) => (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0)),
  };
}

function missing(wasTrue: boolean, wasFalse: boolean): readonly boolean[] {
  return [...(wasTrue ? [] : [true]), ...(wasFalse ? [] : [false])];
}

function shareOf(looked: readonly CoverageGap[]): Share {
  return { covered: looked.filter(({ never }) => never.length === 0).length, total: looked.length };
}
