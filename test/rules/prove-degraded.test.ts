import { describe, expect, it } from 'vitest';
import { proveDegraded } from '../../src/rules/prove-degraded.ts';
import type { RuleSet } from '../../src/rules/rule-set.ts';
import { catalogue } from './catalogue.ts';
import { compile, group, is, points, when } from './rules-directory.ts';

const QUIET = '- { name: quiet, facts: {}, expect: { not_fired: [a] } }\n';

function compileRules(rules: Readonly<Record<string, string>>): RuleSet {
  return compile({ 'group.yaml': group('group', rules), 'tests/group.yaml': QUIET });
}

/** A rule that lint refuses, made by changing the compiled set. */
function withPoints(ruleSet: RuleSet, id: string, to: number): RuleSet {
  return {
    ...ruleSet,
    points: ruleSet.points.map((rule) => (rule.id === id ? { ...rule, points: to } : rule)),
  };
}

describe('the proof that an unknown fact never raises the score', () => {
  it('counts every case with an unknown fact, and finds no breach where there is none', () => {
    const ruleSet = compileRules({
      a: `${points(30)}, ${when(is('domain.has_mx', false))}`,
      b: `${points(20)}, ${when(is('mx.outcome', 'nxdomain'), is('entropy.suspicious', true))}`,
    });
    expect(proveDegraded(ruleSet, catalogue)).toEqual({
      // has_mx and outcome have two distinguishable values each and "unknown", suspicious two: 3 × 3 × 2, less 2 × 2 × 2 known.
      cases: 10,
      isComplete: true,
      facts: ['domain.has_mx', 'mx.outcome'],
      breaches: [],
    });
  });

  it('names the fact, the value and both scores where an answer would have a lower score', () => {
    const ruleSet = compileRules({
      a: `${points(30)}, ${when(is('entropy.suspicious', true))}`,
      b: `${points(10)}, ${when(is('mx.provider', 'google'))}`,
    });
    const { breaches } = proveDegraded(withPoints(ruleSet, 'b', -10), catalogue);
    expect(breaches).toEqual([
      {
        group: 'group',
        facts: { 'entropy.suspicious': false, 'mx.provider': null },
        fact: 'mx.provider',
        value: 'google',
        pointsWithout: 0,
        pointsWith: -10,
      },
      {
        group: 'group',
        facts: { 'entropy.suspicious': true, 'mx.provider': null },
        fact: 'mx.provider',
        value: 'google',
        pointsWithout: 30,
        pointsWith: 20,
      },
    ]);
  });

  it('finds a breach that needs two unknown facts at once', () => {
    const ruleSet = compileRules({
      a: `${points(30)}, ${when(is('entropy.suspicious', true))}`,
      b: `${points(10)}, ${when(is('mx.provider', 'google'), is('domain.is_catch_all', false))}`,
    });
    const { breaches } = proveDegraded(withPoints(ruleSet, 'b', -10), catalogue);
    expect(new Set(breaches.map(({ fact }) => fact))).toEqual(
      new Set(['domain.is_catch_all', 'mx.provider']),
    );
  });

  it('examines each group separately, so that their combinations need not be counted', () => {
    const ruleSet = compile({
      'one.yaml': group('one', { a: `${points(30)}, ${when(is('domain.has_mx', false))}` }),
      'two.yaml': group('two', { b: `${points(10)}, ${when(is('mx.provider', 'google'))}` }),
      'tests/one.yaml': QUIET,
    });
    expect(proveDegraded(ruleSet, catalogue)).toMatchObject({
      cases: 2,
      facts: ['domain.has_mx', 'mx.provider'],
    });
    expect(proveDegraded(withPoints(ruleSet, 'b', -10), catalogue).breaches).toMatchObject([
      { group: 'two', fact: 'mx.provider', pointsWithout: 0, pointsWith: -10 },
    ]);
  });

  it('finds a cap that hides a rule, only up to the cap', () => {
    const ruleSet = compile({
      'one.yaml': group(
        'one',
        {
          a: `${points(30)}, ${when(is('entropy.suspicious', true))}`,
          b: `${points(10)}, ${when(is('mx.provider', 'google'))}`,
        },
        25,
      ),
      'tests/one.yaml': QUIET,
    });
    const { breaches } = proveDegraded(withPoints(ruleSet, 'b', -10), catalogue);
    expect(breaches.map(({ pointsWithout, pointsWith }) => [pointsWithout, pointsWith]).sort()).toEqual([
      [0, -10],
      [25, 20],
    ]);
  });

  it('draws the same sample each time where there are too many cases, and reports that', () => {
    const ruleSet = compileRules({
      a: `${points(30)}, ${when(is('domain.has_mx', false), is('mx.outcome', 'nxdomain'), is('mx.provider', 'google'))}`,
    });
    const proof = proveDegraded(ruleSet, catalogue, 20);
    expect(proof.isComplete).toBe(false);
    expect(proof.cases).toBeGreaterThan(5);
    expect(proveDegraded(ruleSet, catalogue, 20)).toEqual(proof);
  });

  it('keeps the facts of a provider that is switched off unknown', () => {
    const ruleSet = compileRules({ a: `${points(30)}, ${when(is('off.flag', true))}` });
    expect(proveDegraded(ruleSet, catalogue)).toMatchObject({ cases: 1, facts: ['off.flag'] });
  });

  it('has no cases where no rule reads a fact that can be unknown', () => {
    const ruleSet = compileRules({ a: `${points(30)}, ${when(is('entropy.suspicious', true))}` });
    expect(proveDegraded(ruleSet, catalogue)).toMatchObject({ cases: 0, isComplete: true, facts: [] });
  });
});
