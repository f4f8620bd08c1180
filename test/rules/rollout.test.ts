import { createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashAddress } from '../../src/privacy/address-privacy.ts';
import { compileRuleSet } from '../../src/rules/compile.ts';
import { decide } from '../../src/rules/decide.ts';
import type { Decision, Facts } from '../../src/rules/decision.ts';
import type { Rule, RuleDefinitions } from '../../src/rules/definitions.ts';
import { ordinaryFacts } from '../../src/rules/described-facts.ts';
import { explainDecision } from '../../src/rules/explain-decision.ts';
import { quickTally } from '../../src/rules/kleene.ts';
import { lintRules } from '../../src/rules/lint/lint-rules.ts';
import { MemoizedDecider } from '../../src/rules/memoized-decider.ts';
import { proveDegraded } from '../../src/rules/prove-degraded.ts';
import { bucketOf, bucketsInside, isBucket, isInside, ROLLOUT_BUCKET } from '../../src/rules/rollout.ts';
import { times } from '../support/times.ts';
import { catalogue } from './catalogue.ts';
import { factsAndCompletion, filesOf, countingRules as rules } from './random-rules.ts';
import { compile, directory, group, is, NOW, points, when } from './rules-directory.ts';

const KEY = createSecretKey(Buffer.alloc(32, 7));
const PEOPLE = 10_000;
const buckets = Array.from({ length: PEOPLE }, (_, n) =>
  bucketOf(hashAddress(KEY, `person${n}@example.org`)),
);
const everyBucket = Array.from({ length: 1_000 }, (_, bucket) => String(bucket));
const percents = Array.from({ length: 99 }, (_, index) => index + 1);

const known = new Map<string, ReadonlySet<string>>();
/** Each is looked up many times: a thousand hashes. */
function setOf(percent: number, salt = 'a_rule'): ReadonlySet<string> {
  const set = known.get(`${percent} ${salt}`) ?? new Set(bucketsInside({ percent, salt }));
  known.set(`${percent} ${salt}`, set);
  return set;
}
const share = (inside: ReadonlySet<string>) =>
  buckets.filter((bucket) => bucket !== null && inside.has(bucket)).length;

describe('the buckets of a rollout', () => {
  it('hold as many people as the percentage says, and a higher one includes everyone of a lower one', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9_]{1,20}$/), (salt) => {
        let before: readonly string[] = [];
        for (const percent of percents) {
          const inside = bucketsInside({ percent, salt });
          expect(new Set(inside).size).toBe(percent * 10);
          expect(inside.every(isBucket)).toBe(true);
          expect(inside.slice(0, before.length)).toEqual(before);
          before = inside;
        }
      }),
      { numRuns: times(3), seed: 20261120 },
    );
  });

  it(`hold about that share of ${PEOPLE} people: a larger deviation occurs by chance once in 10,000`, () => {
    for (const percent of percents) {
      const expected = (PEOPLE * percent) / 100;
      const deviation = Math.sqrt(expected * (1 - percent / 100));
      expect(Math.abs(share(setOf(percent)) - expected), `${percent} %`).toBeLessThan(3.9 * deviation);
    }
  });

  it('depend on the salt: of two rollouts of half of all people, a quarter of them is in both', () => {
    const [one, other] = [setOf(50), setOf(50, 'another')];
    const both = new Set([...one].filter((bucket) => other.has(bucket)));
    expect(Math.abs(share(both) - PEOPLE / 4)).toBeLessThan(PEOPLE / 20);
    expect(new Set(bucketsInside({ percent: 50, salt: 'a_rule' }))).toEqual(one);
  });

  it('are computed from the hash that records keep of the address, and are unknown without one', () => {
    expect(bucketOf(`000003e9${'f'.repeat(56)}`)).toBe('1');
    expect(bucketOf(`ffffffff${'0'.repeat(56)}`)).toBe('295');
    expect(bucketOf(null)).toBeNull();
    expect(everyBucket.every(isBucket)).toBe(true);
    for (const no of ['1000', '-1', '01', '', 'x', 7, null, undefined]) expect(isBucket(no)).toBe(false);
  });
});

const HAS_FAULTS = when('{ fact: syntax.fault_count, operator: greaterThan, value: 1 }');
const rolledOut = (percent: number, more = '') =>
  group('g', { r: `${points(40)}, rollout: { percent: ${percent}${more} }, ${HAS_FAULTS}` });
const facts = (bucket: string | null, more: object = {}): Facts => ({
  ...ordinaryFacts(catalogue),
  'syntax.fault_count': 2,
  ...more,
  [ROLLOUT_BUCKET]: bucket,
});
const some = (inside: boolean, percent: number, salt = 'r') =>
  everyBucket.find((bucket) => setOf(percent, salt).has(bucket) === inside) ?? '';

describe('a rule that is rolled out', () => {
  const ruleSet = compile({ 'g.yaml': rolledOut(25) });

  it('counts inside, and outside only shows what it would add; the bucket is not quoted', async () => {
    const inside = await decide(ruleSet, facts(some(true, 25)));
    expect(inside.score).toBe(40);
    const saw = { 'syntax.fault_count': 2 };
    expect(inside.ledger[0]).toEqual({ kind: 'rule', points: 40, id: 'r', group: 'g', saw });
    const outside = await decide(ruleSet, facts(some(false, 25)));
    expect(outside.score).toBe(0);
    expect(outside.ledger[0]).toEqual({ kind: 'shadow', points: 0, id: 'r', would_add: 40, saw });
    for (const { ledger } of [inside, outside]) expect(JSON.stringify(ledger)).not.toContain('rollout');
  });

  it('does nothing on either side where its condition is false', async () => {
    for (const side of [true, false]) {
      const { ledger } = await decide(ruleSet, facts(some(side, 25), { 'syntax.fault_count': 0 }));
      expect(ledger.map(({ kind }) => kind)).toEqual(['level', 'action']);
    }
  });

  it('stands aside while the side of the person is unknown, and never adds points then', async () => {
    const { score, ledger } = await decide(ruleSet, facts(null));
    expect(score).toBe(0);
    expect(ledger[0]).toEqual({ kind: 'stood_aside', points: 0, id: 'r', unknown: [ROLLOUT_BUCKET] });
    expect(isInside('r', ruleSet, facts(null))).toBeNull();
  });

  it('chooses the same people under another id with the same salt', async () => {
    const renamed = compile({
      'g.yaml': group('g', { other: `${points(40)}, rollout: { percent: 25, salt: r }, ${HAS_FAULTS}` }),
    });
    for (const bucket of everyBucket) {
      expect(isInside('other', renamed, facts(bucket))).toBe(isInside('r', ruleSet, facts(bucket)));
    }
  });

  it('counts for everyone where a set is compiled with that option, as for tests of rules', async () => {
    const { definitions } = lintRules(directory({ 'g.yaml': rolledOut(1) }), catalogue, { now: NOW });
    if (!definitions) throw new Error('the rules have an error');
    const whole = compileRuleSet(definitions, NOW, { forEveryone: true });
    const { [ROLLOUT_BUCKET]: _, ...nobody } = facts(null);
    expect((await decide(whole, nobody)).score).toBe(40);
    expect(whole.hash).toBe(compile({ 'g.yaml': group('g', { r: `${points(40)}, ${HAS_FAULTS}` }) }).hash);
  });

  it('is unaffected in shadow mode, and when off', async () => {
    const inMode = (mode: string) => compile({ 'g.yaml': rolledOut(25).replace('live', mode) });
    for (const side of [true, false]) {
      const given = facts(some(side, 25));
      expect((await decide(inMode('shadow'), given)).ledger[0]).toMatchObject({ kind: 'shadow', id: 'r' });
      expect((await decide(inMode('off'), given)).ledger[0]).toMatchObject({ kind: 'level' });
    }
  });

  it('makes another rule set by its percentage and salt, and the same shadow rule', () => {
    const sets = [rolledOut(25), rolledOut(26), rolledOut(25, ', salt: s')].map((text) =>
      compile({ 'g.yaml': text }),
    );
    expect(new Set(sets.map(({ hash }) => hash)).size).toBe(3);
    expect(new Set(sets.map(({ shadowHashes }) => shadowHashes.r)).size).toBe(1);
    const inShadow = compile({ 'g.yaml': group('g', { r: `${points(40, 'shadow')}, ${HAS_FAULTS}` }) });
    expect(sets[0]?.shadowHashes).toEqual(inShadow.shadowHashes);
  });

  it('decides by a named condition as by the same inline condition, and is explained with both', async () => {
    const [first, second] = [is('domain.has_mx', false), is('domain.is_role_account', true)];
    const setWith = (conditions: string, head = '') =>
      compile({
        'g.yaml': `${head}${group('g', { r: `${points(40)}, rollout: { percent: 25 }, conditions: ${conditions}` })}`,
      });
    const named = setWith(
      '{ all: [{ condition: unread }] }',
      `conditions: { unread: { description: Unread., conditions: { any: [${first}, ${second}] } } }\n`,
    );
    const written = setWith(`{ all: [{ any: [${first}, ${second}] }] }`);
    expect([named.hash, named.shadowHashes]).toEqual([written.hash, written.shadowHashes]);
    const told: unknown[] = [];
    for (const bucket of [some(true, 25), some(false, 25), null]) {
      for (const hasMx of [true, false, null]) {
        const given = facts(bucket, { 'domain.has_mx': hasMx, 'domain.is_role_account': false });
        const explained = await explainDecision(named, catalogue.facts, given);
        expect(explained.decision).toEqual(await decide(written, given));
        expect(explained.named).toEqual([
          {
            ...{ name: 'unread', holds: hasMx === null ? null : !hasMx, rules: ['r'] },
            means: 'domain.has_mx equal false or domain.is_role_account equal true',
          },
        ]);
        told.push([explained.decision.score, explained.rollouts.map(({ inside }) => inside)]);
      }
    }
    expect(told).toEqual([
      // Inside: mail, none, unknown; then outside, then with an unknown side.
      ...[
        [0, []],
        [40, [true]],
        [0, [true]],
      ],
      ...[
        [0, []],
        [0, [false]],
        [0, []],
      ],
      ...[
        [0, []],
        [0, [null]],
        [0, [null]],
      ],
    ]);
  });

  it('is one bit of the memo: two verdicts for a thousand buckets', async () => {
    const decider = new MemoizedDecider(ruleSet);
    const scores = new Map<number, number>();
    for (const bucket of everyBucket) {
      const { score } = await decider.decide(facts(bucket));
      scores.set(score, (scores.get(score) ?? 0) + 1);
    }
    expect(decider.counts.misses).toBe(2);
    expect(Object.fromEntries(scores)).toEqual({ 40: 250, 0: 750 });
  });
});

/** For every rule with points, by its position: none, or a percentage and a salt that others may share. */
const someRollouts = fc.array(
  fc.option(fc.record({ percent: fc.integer({ min: 1, max: 99 }), salt: fc.constantFrom('one', 'two') })),
  { minLength: 12, maxLength: 12 },
);

function readRandom(random: Parameters<typeof filesOf>[0]): RuleDefinitions {
  const { definitions } = lintRules(directory(filesOf(random)), catalogue, { now: NOW, onlyErrors: true });
  if (!definitions) throw new Error('random rules have an error');
  return definitions;
}

const changed = (definitions: RuleDefinitions, change: (rule: Rule, index: number) => Rule) => ({
  ...definitions,
  rules: definitions.rules.map(change),
});

describe('rules that are rolled out', () => {
  it('decide as if the rules that the person is inside of were live, and the others in shadow', async () => {
    const sides = { inside: 0, outside: 0 };
    await fc.assert(
      fc.asyncProperty(
        rules,
        someRollouts,
        fc.array(fc.tuple(factsAndCompletion, fc.constantFrom(...everyBucket)), {
          minLength: 10,
          maxLength: 10,
        }),
        async (random, rollouts, cases) => {
          const definitions = readRandom(random);
          const rolled = changed(definitions, (rule, index) => {
            const rollout = rollouts[index % rollouts.length];
            return rule.kind === 'points' && rollout
              ? { ...rule, rollout: { ...rollout, place: rule.place } }
              : rule;
          });
          const ruleSet = compileRuleSet(rolled, NOW);
          const decider = new MemoizedDecider(ruleSet, { sampleEvery: Number.MAX_SAFE_INTEGER });
          for (const [{ open }, bucket] of cases) {
            const settled = changed(rolled, (rule) => {
              if (rule.kind !== 'points' || rule.rollout === null) return rule;
              const isIn = setOf(rule.rollout.percent, rule.rollout.salt).has(bucket);
              if (rule.mode === 'live') sides[isIn ? 'inside' : 'outside'] += 1;
              const mode = rule.mode === 'live' && !isIn ? 'shadow' : rule.mode;
              return { ...rule, rollout: null, mode };
            });
            const expected = compileRuleSet(settled, NOW);
            const given = { ...open, [ROLLOUT_BUCKET]: bucket };
            const strip = ({ ruleset: _, ...decision }: Decision) => decision;
            const decision = await decide(ruleSet, given);
            expect(strip(decision)).toEqual(strip(await decide(expected, open)));
            expect(await decider.decide(given)).toEqual(decision);
            expect(quickTally(ruleSet, given).score).toBe(decision.score);
          }
          const { breaches } = proveDegraded(ruleSet, catalogue, 500);
          expect(breaches).toEqual([]);
        },
      ),
      { numRuns: times(40), seed: 20261121 },
    );
    expect(Math.min(sides.inside, sides.outside)).toBeGreaterThan(100);
  }, 120_000);

  it('are proven with the bucket as a fact that is always known: inside and outside', () => {
    const ruleSet = compile({
      'g.yaml': group('g', {
        a: `${points(30)}, ${when(is('entropy.suspicious', true))}`,
        b: `${points(10)}, rollout: { percent: 5 }, ${when(is('mx.provider', 'google'))}`,
      }),
    });
    expect(proveDegraded(ruleSet, catalogue)).toEqual({
      // Inside or outside, suspicious or not, with the provider unknown.
      cases: 4,
      isComplete: true,
      facts: ['mx.provider'],
      breaches: [],
    });
    const negative = ruleSet.points.map((rule) => (rule.id === 'b' ? { ...rule, points: -10 } : rule));
    const [breach, ...others] = proveDegraded({ ...ruleSet, points: negative }, catalogue).breaches;
    expect(breach).toMatchObject({ fact: 'mx.provider', value: 'google', pointsWith: -10 });
    expect(setOf(5, 'b').has(String(breach?.facts[ROLLOUT_BUCKET]))).toBe(true);
    expect(others).toHaveLength(1);
  });
});
