import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRuleSet } from '../../../src/rules/compile.ts';
import { toNegationNormalForm } from '../../../src/rules/conditions.ts';
import type { Facts } from '../../../src/rules/decision.ts';
import { RISK_SCORE, type Rule, type RuleDefinitions } from '../../../src/rules/definitions.ts';
import { quickScore, type Truth, truthOf } from '../../../src/rules/kleene.ts';
import { lintRules } from '../../../src/rules/lint/lint-rules.ts';
import type { Problem } from '../../../src/rules/problem.ts';
import type { RuleSet } from '../../../src/rules/rule-set.ts';
import { catalogue } from '../catalogue.ts';
import { factsAndCompletion, filesOf, outcome, rules } from '../random-rules.ts';
import { directory, NOW } from '../rules-directory.ts';

/** The same cases on every run. Values are small and near the bounds, so that few addresses meet most worlds. */
const RUNS = { numRuns: 120, seed: 20261121 };
const several = fc.array(factsAndCompletion, { minLength: 25, maxLength: 25 });

/** Of what lint says a rule cannot do, what must never be seen. */
const CLAIMS = [
  'never_true',
  'always_true',
  'unreachable_rule',
  'subsumed_rule',
  'duplicate_rule',
  'unreachable_score',
];

describe('what lint claims of a rule', () => {
  it('no address contradicts', () => {
    const claimed = new Map<string, number>();
    fc.assert(
      fc.property(rules, several, (random, cases) => {
        const { problems, definitions } = lintRules(directory(filesOf(random)), catalogue, { now: NOW });
        if (!definitions) return;
        const whole = compileRuleSet(definitions, catalogue, NOW);
        for (const problem of problems) {
          const rule = definitions.rules.find(({ place }) => isAt(problem, place));
          if (!rule || !CLAIMS.includes(problem.code)) continue;
          claimed.set(problem.code, (claimed.get(problem.code) ?? 0) + 1);
          const without = compileRuleSet(leaveOut(definitions, rule), catalogue, NOW);
          for (const { open, known } of cases) expectHeld(problem, rule, whole, without, open, known);
        }
      }),
      RUNS,
    );
    // The test would say nothing if lint said nothing.
    for (const code of ['never_true', 'always_true', 'unreachable_rule', 'unreachable_score']) {
      expect(claimed.get(code) ?? 0, code).toBeGreaterThan(10);
    }
  });
});

function expectHeld(
  { code }: Problem,
  rule: Rule,
  whole: RuleSet,
  without: RuleSet,
  open: Facts,
  known: Facts,
): void {
  if (code === 'never_true') {
    expect([truth(rule, whole, open), truth(rule, whole, known)]).not.toContain(true);
  } else if (code === 'always_true') {
    expect(truth(rule, whole, known)).toBe(true);
  } else if (code === 'unreachable_score' && rule.kind === 'action') {
    expect([truth(rule, whole, open), truth(rule, whole, known)]).not.toContain(true);
  } else if (code === 'unreachable_score') {
    expect([outcome(whole, open).level, outcome(whole, known).level]).not.toContain(
      rule.kind === 'level' ? rule.level : undefined,
    );
  } else if (code !== 'duplicate_rule' || rule.kind !== 'points') {
    expect(outcome(without, open)).toEqual(outcome(whole, open));
    expect(outcome(without, known)).toEqual(outcome(whole, known));
  }
}

function truth({ conditions }: Rule, ruleSet: RuleSet, facts: Facts): Truth {
  const all = { ...facts, ...ruleSet.thresholdFacts, [RISK_SCORE]: quickScore(ruleSet, facts) };
  return truthOf(toNegationNormalForm(conditions), { 'threshold.two': 2, ...all });
}

function leaveOut(definitions: RuleDefinitions, rule: Rule): RuleDefinitions {
  return { ...definitions, rules: definitions.rules.filter((other) => other !== rule) };
}

function isAt(problem: Problem, { file, line, column }: Rule['place']): boolean {
  return problem.file === file && problem.line === line && problem.column === column;
}
