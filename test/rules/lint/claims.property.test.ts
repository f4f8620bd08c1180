import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileLists, compileRuleSet } from '../../../src/rules/compile.ts';
import { toNegationNormalForm } from '../../../src/rules/conditions.ts';
import type { Facts } from '../../../src/rules/decision.ts';
import { RISK_SCORE, type Rule, type RuleDefinitions } from '../../../src/rules/definitions.ts';
import { quickTally, type Truth, truthOf } from '../../../src/rules/kleene.ts';
import { lintRules } from '../../../src/rules/lint/lint-rules.ts';
import type { Problem } from '../../../src/rules/problem.ts';
import { ROLLOUT_BUCKET } from '../../../src/rules/rollout.ts';
import type { RuleSet } from '../../../src/rules/rule-set.ts';
import { catalogue } from '../catalogue.ts';
import {
  countingRules,
  factsAndCompletion,
  filesOf,
  outcome,
  rolledOut,
  rules,
  sometimesNamed,
} from '../random-rules.ts';
import { directory, NOW } from '../rules-directory.ts';

/** The same cases on every run. Values are small and near the limits, so that a few addresses cover most combinations. */
const SEED = 20261121;
/** Half of the directories have conditions that count, which take lint three times as long. */
const sometimesCounting = fc.oneof(rules, countingRules);
/** Ten to twenty seconds alone, several times that on a busy machine. */
const TIMEOUT_MS = 5 * 60_000;
const several = fc.array(factsAndCompletion, { minLength: 25, maxLength: 25 });

/** For each claim of lint about a rule: what must never happen. */
const CLAIMS = [
  'never_true',
  'always_true',
  'unreachable_rule',
  'subsumed_rule',
  'duplicate_rule',
  'unreachable_score',
];

describe('a claim of lint about a rule', { timeout: TIMEOUT_MS }, () => {
  it.each([
    ['no address contradicts', sometimesNamed(sometimesCounting), { numRuns: 160, seed: SEED }, 10],
    [
      'no person contradicts, on whichever side of rollouts',
      rolledOut(rules),
      { numRuns: 180, seed: SEED },
      0,
    ],
  ])('%s', (_, some, runs, leastCounting) => {
    let counting = 0;
    const claimed = new Map<string, number>();
    fc.assert(
      fc.property(some, several, (random, cases) => {
        const { problems, definitions } = lintRules(directory(filesOf(random)), catalogue, { now: NOW });
        if (!definitions) return;
        const whole = compileRuleSet(definitions, NOW);
        // The facts of a rule that is off are not part of a set.
        const constants = { 'threshold.two': 2, ...compileLists(definitions.namedLists, NOW) };
        const truthOfRule: TruthOfRule = ({ conditions }, facts) =>
          truthOf(toNegationNormalForm(conditions), {
            ...constants,
            ...facts,
            [RISK_SCORE]: quickTally(whole, facts).score,
          });
        for (const problem of problems) {
          const rule = definitions.rules.find(({ place }) => isAt(problem, place));
          if (!rule || !CLAIMS.includes(problem.code)) continue;
          claimed.set(problem.code, (claimed.get(problem.code) ?? 0) + 1);
          if (JSON.stringify(rule.condition).includes('"at_least"')) counting += 1;
          const without = compileRuleSet(leaveOut(definitions, rule), NOW);
          for (const [index, { open, known }] of cases.entries()) {
            const side = { [ROLLOUT_BUCKET]: String(index * 40) };
            const claim = { rule, whole, without, truth: truthOfRule };
            expectHeld(problem, claim, { ...open, ...side }, { ...known, ...side });
          }
        }
      }),
      runs,
    );
    // Without claims of lint the test would prove nothing.
    for (const code of ['never_true', 'always_true', 'unreachable_rule', 'unreachable_score']) {
      expect(claimed.get(code) ?? 0, code).toBeGreaterThan(10);
    }
    expect(counting).toBeGreaterThanOrEqual(leastCounting);
  });
});

type TruthOfRule = (rule: Rule, facts: Facts) => Truth;

interface Claimed {
  readonly rule: Rule;
  readonly whole: RuleSet;
  readonly without: RuleSet;
  readonly truth: TruthOfRule;
}

function expectHeld(
  { code }: Problem,
  { rule, whole, without, truth }: Claimed,
  open: Facts,
  known: Facts,
): void {
  if (code === 'never_true') {
    expect([truth(rule, open), truth(rule, known)]).not.toContain(true);
  } else if (code === 'always_true') {
    expect(truth(rule, known)).toBe(true);
  } else if (code === 'unreachable_score' && rule.kind === 'action') {
    expect([truth(rule, open), truth(rule, known)]).not.toContain(true);
  } else if (code === 'unreachable_score') {
    expect([outcome(whole, open).level, outcome(whole, known).level]).not.toContain(
      rule.kind === 'level' ? rule.level : undefined,
    );
  } else if (code !== 'duplicate_rule' || rule.kind !== 'points') {
    expect(outcome(without, open)).toEqual(outcome(whole, open));
    expect(outcome(without, known)).toEqual(outcome(whole, known));
  }
}

function leaveOut(definitions: RuleDefinitions, rule: Rule): RuleDefinitions {
  return { ...definitions, rules: definitions.rules.filter((other) => other !== rule) };
}

function isAt(problem: Problem, { file, line, column }: Rule['place']): boolean {
  return problem.file === file && problem.line === line && problem.column === column;
}
