import { compareTexts } from '../lib/text.ts';
import { messageOf } from '../lib/thrown.ts';
import type { FactCatalogue } from '../signals/signals.ts';
import { comparisonsOf, describeComparison, namesUsed, toNegationNormalForm } from './conditions.ts';
import { decide } from './decide.ts';
import type { Decision, Facts, LedgerEntry } from './decision.ts';
import { type Condition, RISK_SCORE, type RuleDefinitions, type RuleTest } from './definitions.ts';
import { ordinaryFacts } from './described-facts.ts';
import { truthOf } from './kleene.ts';
import type { Place } from './problem.ts';
import { type RuleSet, rulesOf } from './rule-set.ts';

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
  /** The facts decided on. Undefined, like `decision`, when the facts could not be collected. */
  readonly facts: Facts | undefined;
  readonly decision: Decision | undefined;
}

export type RuleTestReport = Awaited<ReturnType<typeof runRuleTests>>;

/**
 * The local signals of an address, for tests with `email`; facts that it does not return are ordinary. `given` are the
 * test's own facts, which override the answers of providers.
 */
export type CollectFacts = (email: string, given: Facts) => Facts | Promise<Facts>;

/** The rule set of a moment, in ms since the epoch; null for now. */
export type RuleSetAt = (at: number | null) => RuleSet;

/** Runs the tests of a rules directory against its rule set, in the order of the files. */
export async function runRuleTests(
  ruleSetAt: RuleSetAt,
  tests: readonly RuleTest[],
  catalogue: FactCatalogue,
  collectFacts?: CollectFacts,
) {
  const ordinary = ordinaryFacts(catalogue);
  const results: RuleTestResult[] = [];
  for (const test of tests) {
    results.push(await runOne(ruleSetAt(test.at), test, ordinary, collectFacts));
  }
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
  for (const what of ['action', 'level'] as const) {
    const expected = expect[what];
    if (expected !== undefined && expected !== decision[what]) {
      failures.push({ what, expected, actual: decision[what] });
    }
  }
  const { score } = expect;
  if (score && (decision.score < score.min || decision.score > score.max)) {
    const expected = score.min === score.max ? `${score.min}` : `${score.min} to ${score.max}`;
    failures.push({ what: 'score', expected, actual: `${decision.score}` });
  }
  const fired = firedIds(decision.ledger);
  const actual = [...fired].sort().join(', ') || 'none';
  const [quiet, loud] = [
    expect.fired.filter((id) => !fired.has(id)),
    expect.notFired.filter((id) => fired.has(id)),
  ];
  return [
    ...failures,
    ...quiet.map((id) => ({ what: 'fired' as const, expected: id, actual })),
    ...loud.map((id) => ({ what: 'not_fired' as const, expected: `not ${id}`, actual })),
  ];
}

/** Ids of the rules that fired, absorbed rules and shadow rules too: a test can try a shadow rule before it is made live. */
function firedIds(ledger: readonly LedgerEntry[]): ReadonlySet<string> {
  const fired = ledger.filter(({ kind }) => kind !== 'stood_aside' && kind !== 'absorbed');
  return new Set(fired.flatMap((entry) => ('id' in entry && entry.id !== null ? [entry.id] : [])));
}

/** A rule, or a comparison of a rule or of a named condition, that the tests see in one state only, or in none. */
export type CoverageGap = Coverage['gaps'][number];

export type Coverage = ReturnType<typeof coverageOf>;

/**
 * Which rules in force, and which of their comparisons, the tests have seen both true and false. For a comparison unknown is neither; for
 * a rule it counts as false. Comparisons of a named condition count once, however many rules use it. `score`: what the facts came to.
 */
export function coverageOf(
  definitions: Pick<RuleDefinitions, 'rules' | 'conditions'>,
  ruleSet: RuleSet,
  cases: readonly { readonly facts: Facts; readonly score: number }[],
) {
  const inForce = new Set(rulesOf(ruleSet).map(({ id }) => id));
  const { constants } = ruleSet;
  const worlds = cases.map(({ facts, score }) => ({ ...facts, ...constants, [RISK_SCORE]: score }));
  const rulesInForce = definitions.rules.filter(({ id }) => inForce.has(id));
  const used = new Set(rulesInForce.flatMap(({ conditions }) => namesUsed(conditions)));
  const conditionsInUse = definitions.conditions.filter(({ name }) => used.has(name));
  const seen = (condition: Condition) => {
    const normal = toNegationNormalForm(condition);
    return new Set(worlds.map((facts) => truthOf(normal, facts)));
  };
  /** The comparisons written here, without those of named conditions, as `domain.has_mx equal false`. */
  const comparisonsIn = (conditions: Condition) =>
    comparisonsOf(conditions)
      .filter(({ by }) => by === undefined)
      .map((one) => {
        const truths = seen(one);
        const never = [true, false].filter((truth) => !truths.has(truth));
        return { place: one.place, comparison: describeComparison(one), never };
      });
  const rules = rulesInForce.map(({ id: rule, conditions, place }) => {
    const truths = seen(conditions);
    const isQuiet = truths.has(false) || truths.has(null);
    // What no test has seen: the rule firing (true), or not firing (false), as when unknown facts leave it undecided.
    const never = [true, false].filter((fires) => !(fires ? truths.has(true) : isQuiet));
    return { rule, condition: null, place, comparison: null, never };
  });
  const ofRules = rulesInForce.flatMap(({ id: rule, conditions }) =>
    comparisonsIn(conditions).map((one) => ({ rule, condition: null, ...one })),
  );
  const ofConditions = conditionsInUse.flatMap(({ name: condition, conditions }) =>
    comparisonsIn(conditions).map((one) => ({ rule: null, condition, ...one })),
  );
  const isGap = ({ never }: { readonly never: readonly boolean[] }) => never.length > 0;
  return {
    rules: shareOf(rules),
    comparisons: shareOf([...ofRules, ...ofConditions]),
    gaps: [
      // By rule, then in the order of the file.
      ...[...rules, ...ofRules].filter(isGap).toSorted((a, b) => compareTexts(a.rule, b.rule)),
      ...ofConditions.filter(isGap),
    ],
  };
}

/** How many were seen both true and false, of how many. */
function shareOf(looked: readonly { readonly never: readonly boolean[] }[]) {
  return { covered: looked.filter(({ never }) => never.length === 0).length, total: looked.length };
}
