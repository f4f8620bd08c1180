import { describe, expect, it, vi } from 'vitest';
import { Challenger, compareWithChallenge } from '../../src/checks/challenger.ts';
import type { LoadedRules } from '../../src/checks/rule-source.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { noMetrics } from '../../src/observability/metrics.ts';
import { otherFactMakers } from '../../src/rules/compile.ts';
import type { Outcome } from '../../src/rules/decision.ts';
import { compile, group, is, points, when } from '../rules/rules-directory.ts';

const OUTCOME: Outcome = { score: 70, level: 'high', action: 'BLOCK', ruleset: 'abc' };
const NONE = '[]\n';
const rules = group('g', { r: `${points(10)}, ${when(is('domain.has_mx', false))}` });

function aChallenger(judge: () => Promise<Outcome>) {
  const log = createLogger('silent');
  const error = vi.spyOn(log, 'error');
  const count = vi.fn();
  const ruleSet = compile({ 'g.yaml': rules });
  const instruments = { log, metrics: { ...noMetrics, count } };
  const challenger = new Challenger({} as LoadedRules, ruleSet, { judge }, instruments);
  return { challenger, count, error };
}

describe('Challenger', () => {
  it('gives the decision of its rules on the facts', async () => {
    const { challenger, count } = aChallenger(async () => OUTCOME);
    expect(await challenger.judge({})).toBe(OUTCOME);
    expect(count).not.toHaveBeenCalled();
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
  ])('that %s does not affect a check: null, counted each time, logged once', async (_how, judge) => {
    const { challenger, count, error } = aChallenger(judge);
    expect([await challenger.judge({}), await challenger.judge({})]).toEqual([null, null]);
    const failure = ['postern_challenger_decisions_total', { result: 'failed' }];
    expect(count.mock.calls).toEqual([failure, failure]);
    expect(error).toHaveBeenCalledOnce();
  });
});

it.each([
  ['ALLOW', 'ALLOW', 'agree'],
  ['BLOCK', 'BLOCK', 'agree'],
  ['ALLOW', 'BLOCK', 'would_block'],
  ['BLOCK', 'ALLOW', 'would_allow'],
] as const)('%s beside a challenger with %s is %s', (answered, challenge, result) => {
  expect(compareWithChallenge({ ...OUTCOME, action: answered }, { ...OUTCOME, action: challenge })).toBe(
    result,
  );
});

describe('what replayed traffic cannot show of a challenger', () => {
  const entry = (value: string, reason = 'r') => `- { value: ${value}, reason: ${reason}, owner: o }\n`;
  const inForce = compile({ 'g.yaml': rules, 'allow.yaml': entry('x.org'), 'deny.yaml': NONE });

  it('is nothing where only its rules differ, or the reasons of list entries', () => {
    const others = group('g', { r: `${points(20)}, ${when(is('domain.has_mx', false))}` });
    const challenger = compile({ 'g.yaml': others, 'allow.yaml': entry('x.org', 'other') });
    expect(otherFactMakers(challenger, inForce)).toEqual([]);
  });

  it('is each list and the thresholds that differ from the live ones', () => {
    const challenger = compile({ 'g.yaml': rules, 'deny.yaml': entry('y.org') });
    expect(otherFactMakers(challenger, inForce)).toEqual(['allow.yaml', 'deny.yaml']);
    const other = { ...inForce, signals: { entropy: { suspicious_from: 1 } } };
    expect(otherFactMakers(other, inForce)).toEqual(['signals.yaml']);
  });
});
