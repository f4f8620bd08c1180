import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide } from '../../src/rules/decide.ts';
import type { Facts } from '../../src/rules/decision.ts';
import { ordinaryFacts } from '../../src/rules/described-facts.ts';
import { explainDecision, findFlips } from '../../src/rules/explain-decision.ts';
import { quickAction, quickTally } from '../../src/rules/kleene.ts';
import { catalogue } from './catalogue.ts';
import { factsAndCompletion, filesOf, rules } from './random-rules.ts';
import { compile, DECISION, group, is, points, when } from './rules-directory.ts';

const ordinary = ordinaryFacts(catalogue);

/** Blocks from 70. None of its rules does so alone. */
const ruleSet = compile({
  'group.yaml': group('group', {
    disposable: `${points(50)}, ${when(is('domain.is_known_disposable', true))}`,
    role: `${points(15)}, ${when(is('domain.is_role_account', true))}`,
    ending: `${points(25)}, ${when('{ fact: domain.tld_risk_level, operator: in, value: [medium, high] }')}`,
    siblings: `${points(30)}, ${when('{ fact: disposable.listed_siblings, operator: greaterThan, value: 2 }')}`,
    mail: `${points(20)}, ${when(is('domain.has_mx', false))}`,
  }),
});
const FORCED = `${DECISION}
forced:
  - id: listed
    description: On the allow list.
    conditions: { all: [{ fact: lists.allowed, operator: equal, value: true }] }
    event: { type: force, params: { action: ALLOW } }
`;
const outlook = (facts: Facts, set = ruleSet) => findFlips(set, catalogue.facts, { ...ordinary, ...facts });
const changesOf = ({ flips }: Awaited<ReturnType<typeof findFlips>>) => flips.map(({ changes }) => changes);

describe('explainDecision', () => {
  it('says of each named condition of the rules in force whether it is true, its definition and the rules that use it', async () => {
    const named = `conditions:
  unread: { description: Unread., conditions: { any: [${is('domain.has_mx', false)}, { all: [${is('domain.is_catch_all', true)}, ${is('domain.is_role_account', true)}] }] } }
  read: { description: Read., conditions: { not: { condition: unread } } }
  of_none: { description: Off., conditions: { all: [${is('entropy.suspicious', true)}] } }
`;
    const set = compile({
      'a.yaml': `${named}${group('a', {
        b: `${points(5)}, ${when('{ condition: read }')}`,
        a: `${points(5, 'shadow')}, ${when('{ condition: unread }')}`,
        off: `${points(5, 'off')}, ${when('{ condition: of_none }')}`,
      })}`,
    });
    const namedOf = async (facts: Facts) =>
      (await explainDecision(set, catalogue.facts, { ...ordinary, ...facts })).named;
    const found = await namedOf({ 'domain.has_mx': false });
    expect(found).toEqual([
      {
        ...{ name: 'unread', holds: true, rules: ['a', 'b'] },
        means:
          'domain.has_mx equal false or (domain.is_catch_all equal true and domain.is_role_account equal true)',
      },
      {
        ...{ name: 'read', holds: false, rules: ['b'] },
        means:
          'domain.has_mx notEqual false and (domain.is_catch_all notEqual true or domain.is_role_account notEqual true)',
      },
    ]);
    const open = await namedOf({ 'domain.has_mx': null });
    expect(open.map(({ holds }) => holds)).toEqual([null, null]);
  });
});

describe('findFlips', () => {
  it('names the single facts that would have changed the action, the smallest change of points first', async () => {
    const found = await outlook({ 'domain.is_known_disposable': true });
    expect(found).toMatchObject({ action: 'BLOCK', points: 20 });
    expect(changesOf(found)).toEqual([
      { 'domain.has_mx': false },
      { 'domain.tld_risk_level': 'medium' },
      { 'disposable.listed_siblings': 3 },
    ]);
    expect(found.flips.map(({ decision }) => [decision.action, decision.score])).toEqual([
      ['BLOCK', 70],
      ['BLOCK', 75],
      ['BLOCK', 80],
    ]);
  });

  it('tries two facts at a time where one is not enough', async () => {
    const found = await outlook({ 'domain.is_role_account': true });
    expect(found.points).toBe(55);
    expect(changesOf(found)).toEqual([
      { 'disposable.listed_siblings': 3, 'domain.tld_risk_level': 'medium' },
      { 'domain.has_mx': false, 'domain.is_known_disposable': true },
      { 'domain.is_known_disposable': true, 'domain.tld_risk_level': 'medium' },
      { 'disposable.listed_siblings': 3, 'domain.is_known_disposable': true },
    ]);
  });

  it('also finds changes in the other direction', async () => {
    const found = await outlook({ 'domain.is_known_disposable': true, 'domain.tld_risk_level': 'high' });
    expect(found).toMatchObject({ action: 'ALLOW', points: -6 });
    expect(changesOf(found)).toEqual([
      { 'domain.tld_risk_level': 'low' },
      { 'domain.is_known_disposable': false },
    ]);
  });

  it('names the value that an unknown fact would need', async () => {
    const found = await outlook({ 'domain.is_known_disposable': true, 'domain.has_mx': null });
    expect(changesOf(found)[0]).toEqual({ 'domain.has_mx': false });
  });

  it('says that no score would change a forced action, and what would', async () => {
    const forced = compile({
      'decision.yaml': FORCED,
      'group.yaml': group('group', {
        disposable: `${points(80)}, ${when(is('domain.is_known_disposable', true))}`,
      }),
    });
    const found = await outlook({ 'domain.is_known_disposable': true, 'lists.allowed': true }, forced);
    expect(found).toMatchObject({ action: 'BLOCK', points: null });
    expect(changesOf(found)).toEqual([{ 'lists.allowed': false }]);
  });

  it('lists changes by force after changes by score', async () => {
    const forced = compile({
      'decision.yaml': FORCED,
      'group.yaml': group('group', {
        disposable: `${points(80)}, ${when(is('domain.is_known_disposable', true))}`,
      }),
    });
    const found = await outlook({ 'domain.is_known_disposable': true }, forced);
    expect(changesOf(found)).toEqual([{ 'domain.is_known_disposable': false }, { 'lists.allowed': true }]);
  });

  it('includes the points beyond the limits of the score', async () => {
    const twice = compile({
      'a.yaml': group('a', { disposable: `${points(80)}, ${when(is('domain.is_known_disposable', true))}` }),
      'b.yaml': group('b', { mail: `${points(60)}, ${when(is('domain.has_mx', false))}` }),
    });
    const over = await outlook({ 'domain.is_known_disposable': true, 'domain.has_mx': false }, twice);
    // 140, of which the score takes 100; BLOCK begins at 70.
    expect(over).toMatchObject({ action: 'ALLOW', points: -71 });
    const trusted = compile({
      'group.yaml': group('group', { known: `${points(-40)}, ${when(is('domain.is_role_account', true))}` }),
    });
    expect((await outlook({ 'domain.is_role_account': true }, trusted)).points).toBe(110);
  });

  it('finds the number that would be greater than another fact, where that fact has a limit', async () => {
    const compared = compile({
      'group.yaml': group('group', {
        more: `${points(80)}, conditions: { all: [{ fact: mx.host_count, operator: greaterThan, value: { fact: syntax.fault_count } }, { fact: syntax.fault_count, operator: greaterThan, value: 5 }] }`,
      }),
    });
    const found = await outlook({ 'syntax.fault_count': 6, 'mx.host_count': 0 }, compared);
    expect(changesOf(found)).toEqual([{ 'mx.host_count': 7 }]);
  });

  it('finds nothing where no fact would change the action', async () => {
    const harmless = compile({
      'group.yaml': group('group', { role: `${points(15)}, ${when(is('domain.is_role_account', true))}` }),
    });
    expect(await outlook({}, harmless)).toMatchObject({ action: 'BLOCK', points: 70, flips: [] });
  });

  it('agrees with json-rules-engine on any rule set: each flip changes the action', async () => {
    let flips = 0;
    await fc.assert(
      fc.asyncProperty(rules, factsAndCompletion, async (random, { open }) => {
        const set = compile(filesOf(random));
        const decision = await decide(set, open);
        const found = await findFlips(set, catalogue.facts, open);
        expect(found.action).not.toBe(decision.action);
        for (const flip of found.flips) {
          expect(flip.decision.action).toBe(found.action);
          expect(Object.entries(flip.changes).every(([id, value]) => open[id] !== value)).toBe(true);
          flips += 1;
        }
      }),
      { numRuns: 60, seed: 20261121 },
    );
    expect(flips).toBeGreaterThan(50);
  });
});

describe('the outcome without a ledger', () => {
  it('equals the outcome of json-rules-engine on any rule set', async () => {
    await fc.assert(
      fc.asyncProperty(rules, factsAndCompletion, async (random, { open }) => {
        const set = compile(filesOf(random));
        const { score, action } = await decide(set, open);
        expect(quickTally(set, open).score).toBe(score);
        expect(quickAction(set, open, score).action).toBe(action);
      }),
      { numRuns: 150, seed: 20261121 },
    );
  });
});

describe('explainDecision', () => {
  it('names the entry of a named list, and finds a domain that is in it or not', async () => {
    const set = compile({
      'group.yaml': group('group', {
        rented: `${points(80)}, ${when('{ fact: address.domain, operator: in_list, value: rented }')}`,
      }),
      'lists/rented.txt': '.example.net\nexample.org\n',
    });
    const at = (domain: string) =>
      explainDecision(set, catalogue.facts, { ...ordinary, 'address.domain': domain });
    const { listed, outlook: turn } = await at('shop.example.net');
    expect(listed).toMatchObject([{ list: 'rented', entry: '.example.net' }]);
    expect(changesOf(turn)).toEqual([{ 'address.domain': 'other.example' }]);
    expect(changesOf((await at('other.org')).outlook)).toEqual([{ 'address.domain': 'example.org' }]);
    expect((await at('example.org')).listed).toMatchObject([{ entry: 'example.org' }]);
  });
});
