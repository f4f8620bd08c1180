import { describe, expect, it } from 'vitest';
import type { Label } from '../../../src/labels/label.ts';
import { Judge } from '../../../src/rule-lab/backtest/judge.ts';
import { compile, group, is, points, when } from '../../rules/rules-directory.ts';
import { backtest, caseOf } from './cases.ts';

const RULES = group('mail', {
  some: `${points(40)}, ${when(is('domain.is_known_free_provider', true))}`,
  much: `${points(80)}, ${when(is('domain.is_known_disposable', true))}`,
});
const FORCED = `forced:
  - id: allowed
    description: On the list.
    conditions: { all: [{ fact: lists.allowed, operator: equal, value: true }] }
    event: { type: force, params: { action: ALLOW } }
  - id: denied
    description: On the list.
    conditions: { all: [{ fact: lists.denied, operator: equal, value: true }] }
    event: { type: force, params: { action: BLOCK } }
`;
const LEVELS = `levels:
  - id: medium
    description: Raised.
    conditions: { all: [{ fact: risk_score, operator: greaterThanInclusive, value: 30 }] }
    event: { type: level, params: { level: medium } }
  - id: high
    description: High.
    conditions: { all: [{ fact: risk_score, operator: greaterThanInclusive, value: 70 }] }
    event: { type: level, params: { level: high } }
`;

const decisionWith = (comparison: string) => `${LEVELS}${FORCED}thresholds:
  block: { value: 70, description: From here on. }
actions:
  - id: block
    description: Too high.
    conditions: { all: [${comparison}] }
    event: { type: action, params: { action: BLOCK } }
`;
const from = (operator: string, value: string) =>
  decisionWith(`{ fact: risk_score, operator: ${operator}, value: ${value} }`);

const setOf = (decision = from('greaterThanInclusive', '70')) =>
  compile({ 'mail.yaml': RULES, 'decision.yaml': decision, 'tests/decision.yaml': undefined });

/** `0 good`: a case with that score and label; `80 good allowed`: with a forced action. */
function casesOf(...texts: readonly string[]) {
  return texts.map((text, index) => {
    const [score = '', label = '', forced] = text.split(' ');
    const facts = {
      'domain.is_known_free_provider': score === '40',
      'domain.is_known_disposable': score === '80',
      'lists.allowed': forced === 'allowed',
      'lists.denied': forced === 'denied',
    };
    return caseOf(`case_${index}`, facts, { label: label === 'none' ? null : (label as Label) });
  });
}

async function sweepOf(cases: readonly string[], costRatio = 1, decision?: string) {
  const set = setOf(decision);
  return (await backtest({ base: set, candidate: set }, casesOf(...cases), { costRatio })).sweep.candidate;
}

describe('the sweep of the threshold', () => {
  it('counts as blocked, for each score, the cases with that score or more', async () => {
    const { points: swept } = await sweepOf(['0 good', '40 good', '40 bad', '80 bad', '80 none']);
    expect(swept).toHaveLength(102);
    const blockedAt = (threshold: number) => swept[threshold]?.blocked;
    expect(blockedAt(101)).toEqual({ good: 0, bad: 0, unlabelled: 0 });
    expect(blockedAt(80)).toEqual({ good: 0, bad: 1, unlabelled: 1 });
    expect(blockedAt(41)).toEqual({ good: 0, bad: 1, unlabelled: 1 });
    expect(blockedAt(40)).toEqual({ good: 1, bad: 2, unlabelled: 1 });
    expect(blockedAt(0)).toEqual({ good: 2, bad: 2, unlabelled: 1 });
    expect(swept.map(({ threshold }) => threshold)).toEqual(swept.map((_, index) => index));
  });

  it('does not change forced actions, whatever the score', async () => {
    const { points: swept } = await sweepOf(['80 good allowed', '0 bad denied']);
    expect(swept[101]?.blocked).toEqual({ good: 0, bad: 1, unlabelled: 0 });
    expect(swept[0]?.blocked).toEqual({ good: 0, bad: 1, unlabelled: 0 });
  });

  it('computes the cost per labelled case, of good cases blocked and bad cases allowed, at the given ratio', async () => {
    const cases = ['0 good', '40 good', '40 bad', '80 bad', '80 none'];
    const even = await sweepOf(cases, 1);
    expect([101, 80, 40, 0].map((threshold) => even.points[threshold]?.cost)).toEqual([0.5, 0.25, 0.25, 0.5]);
    // Of equal thresholds the highest: it blocks no one without a benefit.
    expect(even.cheapest).toBe(80);
    const kind = await sweepOf(cases, 10);
    expect([80, 40].map((threshold) => kind.points[threshold]?.cost)).toEqual([0.25, 2.5]);
    const strict = await sweepOf(cases, 0.1);
    expect(strict.cheapest).toBe(40);
    expect(strict.cost_ratio).toBe(0.1);
  });

  it('finds the threshold of least cost, also where the costs are equal to four decimals', async () => {
    const many = Array.from({ length: 24_000 }, () => '0 good');
    const { points: swept, cheapest } = await sweepOf([...many, '40 bad', '80 bad']);
    expect([80, 40].map((threshold) => swept[threshold]?.cost)).toEqual([0, 0]);
    expect(cheapest).toBe(40);
  });

  it('has no cost and no best threshold without both labels', async () => {
    for (const cases of [['0 good', '80 none'], ['80 bad'], ['0 none']]) {
      const { points: swept, cheapest, auc } = await sweepOf(cases);
      expect(swept.every(({ cost }) => cost === null)).toBe(true);
      expect([cheapest, auc]).toEqual([null, null]);
    }
  });

  it('measures how well the score separates bad from good: 1 perfectly, 0.5 not at all', async () => {
    expect((await sweepOf(['0 good', '40 bad', '80 bad'])).auc).toBe(1);
    expect((await sweepOf(['40 good', '40 bad'])).auc).toBe(0.5);
    expect((await sweepOf(['80 good', '0 bad'])).auc).toBe(0);
    expect((await sweepOf(['0 good', '40 good', '40 bad', '80 bad'])).auc).toBe(0.875);
  });

  it('finds the threshold in force where the action has one', async () => {
    const of = async (decision: string) => (await sweepOf(['0 good'], 1, decision)).threshold;
    expect(await of(from('greaterThanInclusive', '70'))).toBe(70);
    expect(await of(from('greaterThanInclusive', '{ fact: threshold.block }'))).toBe(70);
    expect(await of(from('greaterThan', '70'))).toBe(71);
    // No score is above 100: no case is blocked.
    expect(await of(from('greaterThanInclusive', '105'))).toBe(101);
    const both =
      '{ fact: risk_score, operator: greaterThanInclusive, value: 50 }, { fact: domain.is_known_disposable, operator: equal, value: true }';
    expect(await of(decisionWith(both))).toBeNull();
  });
});

it('a backtest shows when each rule fired last, in any order of the cases', async () => {
  const live = (value: string) => `${points(10)}, ${when(is('domain.tld_risk_level', value))}`;
  const ruleSet = compile({
    'a.yaml': group('a', { high: live('high'), medium: live('medium'), low: live('low') }),
  });
  const at = (day: number) => `2026-11-${day}T10:00:00.000Z`;
  const { rules } = await backtest({ base: ruleSet, candidate: ruleSet }, [
    caseOf('1', { 'domain.tld_risk_level': 'high' }, { createdAt: at(12) }),
    caseOf('2', { 'domain.tld_risk_level': 'high' }, { createdAt: at(14) }),
    caseOf('3', { 'domain.tld_risk_level': 'high' }, { createdAt: at(13) }),
    caseOf('4', { 'domain.tld_risk_level': 'low' }),
  ]);
  expect(rules.map(({ id, candidate }) => [id, candidate?.last_fired])).toEqual([
    ['high', at(14)],
    ['low', null],
    ['medium', null],
  ]);
});

it('a fact that a case lacks on both sides is counted as missing once', async () => {
  const rules = compile({
    'a.yaml': group('a', { r: `${points(5)}, ${when(is('domain.has_mx', false))}` }),
  });
  const judge = new Judge({ base: rules, candidate: rules });
  for (const _ of [1, 2, 3]) await judge.judge({}, { ...{} });
  expect(judge.missing.get('domain.has_mx')).toBe(3);
});
