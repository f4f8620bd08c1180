import { messageOf } from '../lib/thrown.ts';
import type { FactCatalogue } from '../signals/signals.ts';
import { comparisonsOf, describeComparison, toNegationNormalForm } from './conditions.ts';
import { decide } from './decide.ts';
import type { Decision, Facts, LedgerEntry } from './decision.ts';
import { RISK_SCORE, type Rule, type RuleTest } from './definitions.ts';
import { ordinaryFacts } from './described-facts.ts';
import { truthOf } from './kleene.ts';
import type { Place } from './problem.ts';
import type { RuleSet } from './rule-set.ts';

/** One expectation that was not met. */
export interface RuleTestFailure {
  readonly what: 'action' | 'level' | 'score' | 'fired' | 'not_fired' | 'error';
  readonly expected: string;
  readonly actual: string;
}

export interface RuleTestResult {
  readonly name: string;
  readonly place: Place;
  readonly passed: boolean;
  readonly failures: readonly RuleTestFailure[];
  /** What was decided on. Undefined, as the decision, when the facts could not be collected. */
  readonly facts: Facts | undefined;
  readonly decision: Decision | undefined;
}

export interface RuleTestReport {
  readonly passed: number;
  readonly failed: number;
  readonly results: readonly RuleTestResult[];
}

/**
 * The local signals of an address, for tests with `email`; facts that it leaves out are ordinary. `given` are the
 * test's own facts, which hold whatever a provider would have answered.
 */
export type CollectFacts = (email: string, given: Facts) => Facts | Promise<Facts>;

/** Runs the tests of a rules directory against a rule set, in the order of the files. */
export async function runRuleTests(
  ruleSet: RuleSet,
  tests: readonly RuleTest[],
  catalogue: FactCatalogue,
  collectFacts?: CollectFacts,
): Promise<RuleTestReport> {
  const ordinary = ordinaryFacts(catalogue);
  const results: RuleTestResult[] = [];
  for (const test of tests) results.push(await runOne(ruleSet, test, ordinary, collectFacts));
  const passed = results.filter((result) => result.passed).length;
  return { passed, failed: results.length - passed, results };
}

async function runOne(
  ruleSet: RuleSet,
  test: RuleTest,
  ordinary: Facts,
  collectFacts: CollectFacts | undefined,
): Promise<RuleTestResult> {
  const { name, place, email } = test;
  const broken = (actual: string): RuleTestResult => {
    const failure = { what: 'error', expected: `the signals of ${email}`, actual } as const;
    return { name, place, passed: false, failures: [failure], facts: undefined, decision: undefined };
  };
  let collected: Facts = {};
  if (email !== null) {
    if (!collectFacts) return broken('signals cannot be collected here: state the facts instead');
    try {
      collected = await collectFacts(email, test.facts);
    } catch (error) {
      return broken(messageOf(error));
    }
  }
  const facts = { ...ordinary, ...collected, ...test.facts };
  const decision = await decide(ruleSet, facts);
  const failures = judge(test, decision);
  return { name, place, passed: failures.length === 0, failures, facts, decision };
}

function judge({ expect }: RuleTest, decision: Decision): readonly RuleTestFailure[] {
  const failures: RuleTestFailure[] = [];
  const { action, level, score } = expect;
  if (action !== undefined && action !== decision.action) {
    failures.push({ what: 'action', expected: action, actual: decision.action });
  }
  if (level !== undefined && level !== decision.level) {
    failures.push({ what: 'level', expected: level, actual: decision.level });
  }
  if (score && (decision.score < score.min || decision.score > score.max)) {
    const expected = score.min === score.max ? `${score.min}` : `${score.min} to ${score.max}`;
    failures.push({ what: 'score', expected, actual: `${decision.score}` });
  }
  const fired = firedIds(decision.ledger);
  const actual = [...fired].sort().join(', ') || 'none';
  for (const id of expect.fired) {
    if (!fired.has(id)) failures.push({ what: 'fired', expected: id, actual });
  }
  for (const id of expect.notFired) {
    if (fired.has(id)) failures.push({ what: 'not_fired', expected: `not ${id}`, actual });
  }
  return failures;
}

/** Absorbed rules have fired, and so have shadow rules: a test shows that before they are made live. */
function firedIds(ledger: readonly LedgerEntry[]): ReadonlySet<string> {
  const ids = ledger.map((entry) => {
    return entry.kind !== 'stood_aside' && entry.kind !== 'absorbed' && 'id' in entry ? entry.id : null;
  });
  return new Set(ids.filter((id) => id !== null));
}

/** The facts of a test and the score that they came to. */
interface TestedCase {
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

interface Share {
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
    return new Set(worlds.map((facts) => truthOf(normal, facts)));
  };
  const rules: CoverageGap[] = [];
  const comparisons: CoverageGap[] = [];
  for (const { id, place, conditions } of definitions.filter((rule) => inForce.has(rule.id))) {
    // A rule that stands aside keeps quiet.
    const fires = seen(conditions);
    const quiet = fires.has(false) || fires.has(null);
    rules.push({ rule: id, place, comparison: null, never: missing(fires.has(true), quiet) });
    for (const comparison of comparisonsOf(conditions)) {
      const truths = seen(comparison);
      comparisons.push({
        rule: id,
        place: comparison.place,
        comparison: describeComparison(comparison),
        never: missing(truths.has(true), truths.has(false)),
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
