import { Engine } from 'json-rules-engine';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { decide } from '../../src/rules/decide.ts';
import type { Facts } from '../../src/rules/decision.ts';
import { ordinaryFacts } from '../../src/rules/described-facts.ts';
import { catalogue } from './catalogue.ts';
import { compile, DECISION, group, is, points, when } from './rules-directory.ts';

const ordinary = ordinaryFacts(catalogue);
const having = (facts: Facts): Facts => ({ ...ordinary, ...facts });

const DISPOSABLE = when(is('domain.is_known_disposable', true));
const NO_MX = when(is('domain.has_mx', false));
const CATCH_ALL = when(is('domain.is_catch_all', true));
const ROLE = when(is('domain.is_role_account', true));
const FORCED = `${DECISION}forced:
  - { id: allowed, description: A., conditions: { all: [${is('lists.allowed', true)}] }, event: { type: force, params: { action: ALLOW } } }
  - { id: denied, description: D., conditions: { all: [${is('lists.denied', true)}] }, event: { type: force, params: { action: BLOCK } } }
`;
const QUIET_LEVEL = { kind: 'level', points: 0, id: null, level: 'low', saw: { risk_score: 0 } };
const QUIET_ACTION = { kind: 'action', points: 0, id: null, action: 'ALLOW', saw: { risk_score: 0 } };

describe('the ledger', () => {
  it('of an ordinary address contains only the level and the action', async () => {
    const ruleSet = compile({ 'a.yaml': group('a', { disposable: `${points(40)}, ${DISPOSABLE}` }) });
    expect(await decide(ruleSet, ordinary)).toEqual({
      score: 0,
      level: 'low',
      action: 'ALLOW',
      ledger: [QUIET_LEVEL, QUIET_ACTION],
      ruleset: ruleSet.hash,
    });
  });

  it('lists the rules that fired, in the order of their ids, with the facts that they read', async () => {
    const above = '{ fact: mx.host_count, operator: greaterThan, value: { fact: threshold.hosts } }';
    const ruleSet = compile({
      'b.yaml': `thresholds: { hosts: { value: 3, description: Many. } }\n${group('b', { a_hosts: `${points(30)}, ${when(above)}` })}`,
      'a.yaml': group('a', { z_disposable: `${points(40)}, ${DISPOSABLE}` }),
    });
    const { ledger } = await decide(
      ruleSet,
      having({ 'mx.host_count': 4, 'domain.is_known_disposable': true }),
    );
    expect(ledger).toEqual([
      {
        kind: 'rule',
        points: 30,
        id: 'a_hosts',
        group: 'b',
        saw: { 'mx.host_count': 4, 'threshold.hosts': 3 },
      },
      {
        kind: 'rule',
        points: 40,
        id: 'z_disposable',
        group: 'a',
        saw: { 'domain.is_known_disposable': true },
      },
      { kind: 'level', points: 0, id: 'level_high', level: 'high', saw: { risk_score: 70 } },
      { kind: 'action', points: 0, id: 'block', action: 'BLOCK', saw: { risk_score: 70 } },
    ]);
  });

  it('subtracts what a composite absorbs, only when the composite fires', async () => {
    const rules = {
      small: `${points(10)}, ${DISPOSABLE}`,
      both: `${points(25)}, ${when(is('domain.is_known_disposable', true), is('domain.is_role_account', true))}, absorbs: [small]`,
    };
    const ruleSet = compile({ 'a.yaml': group('a', rules) });
    const alone = await decide(ruleSet, having({ 'domain.is_known_disposable': true }));
    expect(alone.score).toBe(10);
    const together = await decide(
      ruleSet,
      having({ 'domain.is_known_disposable': true, 'domain.is_role_account': true }),
    );
    expect(together.score).toBe(25);
    expect(together.ledger).toContainEqual({ kind: 'absorbed', points: -10, id: 'small', by: 'both' });
  });

  it('caps a group, then limits the total', async () => {
    const ruleSet = compile({
      'a.yaml': group('a', { one: `${points(60)}, ${DISPOSABLE}`, two: `${points(50)}, ${ROLE}` }, 80),
      'b.yaml': group('b', { three: `${points(30)}, ${NO_MX}` }),
    });
    const facts = {
      'domain.is_known_disposable': true,
      'domain.is_role_account': true,
      'domain.has_mx': false,
    };
    const { score, ledger } = await decide(ruleSet, having(facts));
    expect(score).toBe(100);
    expect(ledger).toContainEqual({ kind: 'cap', points: -30, group: 'a', max_score: 80 });
    expect(ledger).toContainEqual({ kind: 'bound', points: -10, min: 0, max: 100 });
  });

  it('raises a score below zero to zero', async () => {
    const ruleSet = compile({ 'a.yaml': group('a', { trusted: `${points(-20)}, ${ROLE}` }) });
    const { score, ledger } = await decide(ruleSet, having({ 'domain.is_role_account': true }));
    expect(score).toBe(0);
    expect(ledger).toContainEqual({ kind: 'bound', points: 20, min: 0, max: 100 });
  });

  it('contains a shadow rule without counting it in the decision', async () => {
    const ruleSet = compile({ 'a.yaml': group('a', { ghost: `${points(90, 'shadow')}, ${DISPOSABLE}` }) });
    const decision = await decide(ruleSet, having({ 'domain.is_known_disposable': true }));
    expect(decision).toMatchObject({ score: 0, level: 'low', action: 'ALLOW' });
    expect(decision.ledger).toEqual([
      { kind: 'shadow', points: 0, id: 'ghost', would_add: 90, saw: { 'domain.is_known_disposable': true } },
      QUIET_LEVEL,
      QUIET_ACTION,
    ]);
  });

  it('lists only those unknown facts that leave the rule open', async () => {
    const open = `{ any: [${is('domain.is_catch_all', true)}, { all: [${is('domain.has_mx', false)}, ${is('domain.is_role_account', true)}] }] }`;
    const ruleSet = compile({
      'a.yaml': group('a', {
        open: `${points(10)}, conditions: ${open}`,
        closed: `${points(10)}, ${when(is('domain.has_mx', false), is('domain.is_role_account', true))}`,
        unseen: `${points(10, 'shadow')}, ${CATCH_ALL}`,
      }),
    });
    const { ledger, score } = await decide(
      ruleSet,
      having({ 'domain.is_catch_all': null, 'domain.has_mx': null }),
    );
    expect(score).toBe(0);
    expect(ledger).toEqual([
      { kind: 'stood_aside', points: 0, id: 'open', unknown: ['domain.is_catch_all'] },
      QUIET_LEVEL,
      QUIET_ACTION,
    ]);
  });

  it('keeps a negated comparison with an unknown fact unknown, where the engine alone would find it true', async () => {
    const ruleSet = compile({
      'a.yaml': group('a', { r: `${points(50)}, conditions: { not: ${is('domain.has_mx', true)} }` }),
    });
    expect((await decide(ruleSet, having({ 'domain.has_mx': null }))).score).toBe(0);
    expect((await decide(ruleSet, having({ 'domain.has_mx': false }))).score).toBe(50);
  });
});

describe('a forced action', () => {
  const files = { 'decision.yaml': FORCED, 'a.yaml': group('a', { bad: `${points(80)}, ${DISPOSABLE}` }) };

  it('sets only the action: score and level stay as the points give them', async () => {
    const facts = having({ 'lists.allowed': true, 'domain.is_known_disposable': true });
    const decision = await decide(compile(files), facts);
    expect(decision).toMatchObject({ score: 80, level: 'high', action: 'ALLOW' });
    expect(decision.ledger[0]).toEqual({
      kind: 'force',
      points: 0,
      id: 'allowed',
      action: 'ALLOW',
      saw: { 'lists.allowed': true },
    });
    expect(decision.ledger.at(-1)).toMatchObject({ kind: 'action', id: 'allowed', action: 'ALLOW' });
  });

  it('blocks an address without points', async () => {
    const decision = await decide(compile(files), having({ 'lists.denied': true }));
    expect(decision).toMatchObject({ score: 0, level: 'low', action: 'BLOCK' });
  });

  it('is ALLOW when two forces conflict, and both are in the ledger', async () => {
    const decision = await decide(compile(files), having({ 'lists.denied': true, 'lists.allowed': true }));
    expect(decision.action).toBe('ALLOW');
    expect(decision.ledger.filter(({ kind }) => kind === 'force')).toHaveLength(2);
  });
});

describe('an action', () => {
  it('may read a fact, and stands aside while the fact is unknown', async () => {
    const extra = `  - { id: no_mx, description: N., conditions: { all: [${is('domain.has_mx', false)}] }, event: { type: action, params: { action: BLOCK } } }\n`;
    const ruleSet = compile({ 'decision.yaml': `${DECISION}${extra}` });
    expect((await decide(ruleSet, having({ 'domain.has_mx': false }))).action).toBe('BLOCK');
    const open = await decide(ruleSet, having({ 'domain.has_mx': null }));
    expect(open.action).toBe('ALLOW');
    expect(open.ledger[0]).toEqual({
      kind: 'stood_aside',
      points: 0,
      id: 'no_mx',
      unknown: ['domain.has_mx'],
    });
  });
});

describe('deciding', () => {
  afterEach(() => vi.restoreAllMocks());
  const ruleSet = compile({ 'a.yaml': group('a', { one: `${points(10)}, ${DISPOSABLE}` }) });

  it('fails when a fact is missing: a missing fact is not unknown', async () => {
    const { 'domain.is_known_disposable': _, ...rest } = ordinary;
    await expect(decide(ruleSet, rest)).rejects.toThrow('"domain.is_known_disposable" is missing');
  });

  it('fails when the engine omits a rule', async () => {
    const run = Engine.prototype.run;
    vi.spyOn(Engine.prototype, 'run').mockImplementation(async function (this: Engine, facts) {
      const result = await run.call(this, facts);
      return { ...result, failureResults: result.failureResults.slice(1) };
    });
    await expect(decide(ruleSet, ordinary)).rejects.toThrow('only 0 of 1 rules were evaluated');
  });

  it('does not read the clock', async () => {
    const now = vi.spyOn(Date, 'now');
    await decide(ruleSet, ordinary);
    expect(now).not.toHaveBeenCalled();
  });
});
