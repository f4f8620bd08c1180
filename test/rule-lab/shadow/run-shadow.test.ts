import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reportShadow } from '../../../src/rule-lab/shadow/run-shadow.ts';
import { decide } from '../../../src/rules/decide.ts';
import type { Facts } from '../../../src/rules/decision.ts';
import { ordinaryFacts } from '../../../src/rules/described-facts.ts';
import type { RuleSet } from '../../../src/rules/rule-set.ts';
import type { TriedCheck } from '../../../src/storage/ports.ts';
import { catalogue } from '../../rules/catalogue.ts';
import { factsAndCompletion, filesOf, rules } from '../../rules/random-rules.ts';
import { compile, group, is, points, when } from '../../rules/rules-directory.ts';

const CRITERIA = { minSO: 0.95, minHitPercent: 0.02, maxFalsePositivePercent: 1, days: 5 };
const moreThan = (hosts: number) => when(`{ fact: mx.host_count, operator: greaterThan, value: ${hosts} }`);
const facts = (more: Facts = {}): Facts => ({ ...ordinaryFacts(catalogue), ...more });

let made = 0;
/** The record of these facts under this set. */
async function aCheck(ruleSet: RuleSet, given: Facts, more: Partial<TriedCheck> = {}): Promise<TriedCheck> {
  const decision = await decide(ruleSet, given);
  const hasFired = decision.ledger.some(({ kind }) => kind === 'shadow');
  made += 1;
  return {
    id: `chk_${made}`,
    created_at: '2026-11-20T10:00:00.000Z',
    domain: 'example.org',
    address_hmac: null,
    action: decision.action,
    risk_score: decision.score,
    risk_level: decision.level,
    ruleset: decision.ruleset,
    facts: hasFired ? JSON.stringify(given) : null,
    ledger: hasFired ? JSON.stringify(decision.ledger) : null,
    challenger: null,
    withheld: null,
    shadow_rules: JSON.stringify(ruleSet.shadowHashes),
    label: null,
    ...more,
  };
}

async function* pagesOf(checks: readonly TriedCheck[]) {
  yield checks;
}

const run = (ruleSet: RuleSet, checks: readonly TriedCheck[], more: object = {}) =>
  reportShadow({
    checks: checks.length,
    pages: pagesOf(checks),
    ruleSet,
    catalogue,
    challenger: null,
    criteria: CRITERIA,
    examples: 2,
    ...more,
  });

describe('a shadow rule', () => {
  const files = (shadow: string, cap = 100) => ({
    'a.yaml': group(
      'a',
      {
        few: `${points(40)}, ${moreThan(1)}`,
        tried: shadow,
      },
      cap,
    ),
  });

  it('is counted from the ledgers, and by label', async () => {
    const ruleSet = compile(files(`${points(20, 'shadow')}, ${moreThan(5)}`));
    const checks = [
      await aCheck(ruleSet, facts({ 'mx.host_count': 9 }), { label: 'bad' }),
      await aCheck(ruleSet, facts({ 'mx.host_count': 9 }), { label: 'good' }),
      await aCheck(ruleSet, facts({ 'mx.host_count': 9 })),
      await aCheck(ruleSet, facts({ 'mx.host_count': 1 }), { label: 'good' }),
      await aCheck(ruleSet, facts({ 'mx.host_count': 1 }), {
        label: 'good',
        created_at: '2026-11-21T00:00:00.000Z',
      }),
    ];
    const { rules } = await run(ruleSet, checks);
    expect(rules).toMatchObject([
      {
        id: 'tried',
        group: 'a',
        points: 20,
        first: '2026-11-20T10:00:00.000Z',
        last: '2026-11-21T00:00:00.000Z',
        checks: { total: 5, good: 3, bad: 1, unlabelled: 1, censored: 0 },
        fires: { count: 3, of: 5, share: 0.6 },
        by_label: { good: 1, bad: 1, unlabelled: 1 },
        precision: { count: 1, of: 2 },
        s_o: 0.75,
        flips: { to_block: { counts: { good: 0, bad: 0, unlabelled: 0 } }, untold: 0 },
        is_mirrored: false,
      },
    ]);
  });

  it('shows the decisions that it would change if it were live, with caps and absorption', async () => {
    const check = async (ruleSet: RuleSet) => [await aCheck(ruleSet, facts({ 'mx.host_count': 9 }))];
    const flipsOf = async (ruleSet: RuleSet) => {
      const { rules } = await run(ruleSet, await check(ruleSet));
      return rules[0]?.flips.to_block;
    };
    const free = compile(files(`${points(30, 'shadow')}, ${moreThan(5)}`));
    expect(await flipsOf(free)).toMatchObject({
      counts: { unlabelled: 1 },
      examples: [
        {
          domain: 'example.org',
          label: null,
          from: { action: 'ALLOW', risk_score: 40, risk_level: 'medium' },
          to: { action: 'BLOCK', risk_score: 70, risk_level: 'high' },
        },
      ],
    });
    const capped = compile(files(`${points(30, 'shadow')}, ${moreThan(5)}`, 69));
    expect(await flipsOf(capped)).toMatchObject({ counts: { unlabelled: 0 }, examples: [] });
    const absorbing = compile(files(`${points(60, 'shadow')}, ${moreThan(5)}, absorbs: [few]`));
    expect(await flipsOf(absorbing)).toMatchObject({ counts: { unlabelled: 0 } });
  });

  it('shows the first few flips and counts all', async () => {
    const ruleSet = compile(files(`${points(30, 'shadow')}, ${moreThan(5)}`));
    const checks = await Promise.all([1, 2, 3].map(() => aCheck(ruleSet, facts({ 'mx.host_count': 9 }))));
    const { rules } = await run(ruleSet, checks);
    expect(rules[0]?.flips.to_block.counts.unlabelled).toBe(3);
    expect(rules[0]?.flips.to_block.examples.map(({ id }) => id)).toEqual(
      checks.slice(0, 2).map(({ id }) => id),
    );
  });

  it('is left out where it was a different rule then, or does not exist now', async () => {
    const then = compile(files(`${points(20, 'shadow')}, ${moreThan(3)}`));
    const now = compile(files(`${points(20, 'shadow')}, ${moreThan(5)}`));
    const checks = [await aCheck(then, facts({ 'mx.host_count': 9 })), await aCheck(now, facts())];
    const { rules, caveats } = await run(now, checks);
    expect(rules[0]?.checks.total).toBe(1);
    const edited = 'tried was another rule in 1 check, which are left out: it was edited';
    expect(caveats).toEqual([expect.stringContaining('no check is labelled'), edited]);
    const gone = await run(compile(files(`${points(20, 'off')}, ${moreThan(5)}`)), checks);
    expect(gone.rules).toEqual([]);
    expect(gone.caveats).toEqual(['tried was tried in 2 checks, and is no shadow rule now']);
  });

  it('keeps its hash under another order, description or owner, and changes it with a threshold that it reads', () => {
    const withThreshold = (value: number) => ({
      'a.yaml': `${group('a', { few: `${points(40)}, ${moreThan(1)}`, tried: `${points(20, 'shadow')}, ${when('{ fact: mx.host_count, operator: greaterThan, value: { fact: threshold.t } }', is('domain.has_mx', true))}` })}thresholds: { t: { value: ${value}, description: T. } }\n`,
    });
    const hash = (value: number) => compile(withThreshold(value)).shadowHashes.tried;
    expect(hash(5)).toMatch(/^[0-9a-f]{8}$/);
    expect(hash(6)).not.toBe(hash(5));
    const reordered = withThreshold(5)
      ['a.yaml'].replace('Says something.', 'Says more.')
      .replace('owner: risk', 'owner: fraud');
    expect(compile({ 'a.yaml': reordered }).shadowHashes.tried).toBe(hash(5));
  });

  it('reports the checks that it cannot judge: their records lack the facts that it reads', async () => {
    const ruleSet = compile(files(`${points(30, 'shadow')}, ${moreThan(5)}`));
    const check = await aCheck(ruleSet, facts({ 'mx.host_count': 9 }));
    const withheld = { ...check, facts: JSON.stringify(facts({ 'mx.host_count': null })) };
    const { rules } = await run(ruleSet, [withheld]);
    expect(rules[0]).toMatchObject({
      fires: { count: 1 },
      flips: { untold: 1, to_block: { counts: { unlabelled: 0 } } },
    });
  });

  it.each([
    [
      'was recorded before the fact was declared',
      (given: Facts) => ({ facts: { ...given, 'mx.host_count': undefined } }),
    ],
    [
      'does not store it',
      (given: Facts) => ({
        facts: { ...given, 'mx.host_count': null },
        withheld: '{"mx.host_count":"not_stored"}',
      }),
    ],
  ])('cannot compute flips where another rule needs a fact and the record %s', async (_how, recorded) => {
    const trial = `${points(30, 'shadow')}, ${when('{ fact: domain.has_mx, operator: equal, value: true }')}`;
    const ruleSet = compile(files(trial));
    const given = facts({ 'mx.host_count': 9 });
    const { facts: kept, ...more } = recorded(given);
    const check = await aCheck(ruleSet, given);
    const other = { ...check, facts: JSON.stringify(kept), ...more };
    const { rules } = await run(ruleSet, [check, other]);
    expect(rules[0]).toMatchObject({ checks: { total: 2 }, fires: { count: 2 }, flips: { untold: 1 } });
  });

  it('that takes points away counts hits of good cases as right', async () => {
    const ruleSet = compile({
      'a.yaml': group('a', { much: `${points(80)}, ${moreThan(1)}` }),
      'b.yaml': group('b', { tried: `${points(-20, 'shadow')}, ${when(is('syntax.valid_format', true))}` }),
    });
    const check = await aCheck(ruleSet, facts({ 'mx.host_count': 9 }), { label: 'good' });
    const { rules } = await run(ruleSet, [check]);
    expect(rules[0]).toMatchObject({
      is_mirrored: true,
      precision: { count: 1, of: 1 },
      flips: { to_allow: { counts: { good: 1 } } },
    });
  });

  it('has exactly the flips of the engine with the rule live, in 40 random sets', async () => {
    let flips = 0;
    await fc.assert(
      fc.asyncProperty(
        rules,
        fc.array(factsAndCompletion, { minLength: 6, maxLength: 6 }),
        async (random, cases) => {
          const files = filesOf(random);
          const ruleSet = compile(files);
          // One live rule is treated as a shadow rule: its flips are the difference between the two sets.
          const [candidate] = ruleSet.points.filter(
            ({ points, absorbs }) => points > 0 && absorbs.length === 0,
          );
          if (!candidate) return;
          const shadowed: RuleSet = {
            ...ruleSet,
            points: ruleSet.points.filter(({ id }) => id !== candidate.id),
            shadows: [candidate],
            shadowHashes: { [candidate.id]: 'aaaaaaaa' },
          };
          for (const { open } of cases) {
            const check = await aCheck(shadowed, open);
            const { rules: reports } = await run(shadowed, [check]);
            const [before, after] = [await decide(shadowed, open), await decide(ruleSet, open)];
            const { to_block, to_allow } = reports[0]?.flips ?? {};
            const expected = before.action === after.action ? 0 : 1;
            flips += expected;
            expect((to_block?.counts.unlabelled ?? 0) + (to_allow?.counts.unlabelled ?? 0)).toBe(expected);
            if (expected === 1) {
              expect([...(to_block?.examples ?? []), ...(to_allow?.examples ?? [])][0]).toMatchObject({
                from: { action: before.action, risk_score: before.score },
                to: { action: after.action, risk_score: after.score },
              });
            }
          }
        },
      ),
      { numRuns: 40, seed: 20261121 },
    );
    expect(flips).toBeGreaterThan(5);
  });
});

describe('a challenger', () => {
  const ruleSet = compile({ 'a.yaml': group('a', { few: `${points(40)}, ${moreThan(1)}` }) });
  const challenged = (action: string, score: number, more: Partial<TriedCheck> = {}, hash = 'c'.repeat(16)) =>
    aCheck(ruleSet, facts(), {
      shadow_rules: null,
      challenger: JSON.stringify({ ruleset: hash, action, risk_score: score, risk_level: 'low' }),
      ...more,
    });

  it('agrees, flips in both directions, and differs in scores', async () => {
    const blocked = { action: 'BLOCK', risk_score: 90, risk_level: 'high' };
    const { challenger } = await run(ruleSet, [
      await challenged('ALLOW', 0, { label: 'good' }),
      await challenged('BLOCK', 80, { label: 'bad', id: 'chk_worse' }),
      await challenged('ALLOW', 20, { ...blocked, label: 'good', id: 'chk_better' }),
      await challenged('BLOCK', 90, { ...blocked, label: null, ruleset: 'd'.repeat(16) }),
    ]);
    expect(challenger).toMatchObject({
      ruleset: 'c'.repeat(16),
      checks: { total: 4, good: 2, bad: 1, unlabelled: 1, censored: 1 },
      answered_by: [
        { ruleset: ruleSet.hash, checks: 3 },
        { ruleset: 'd'.repeat(16), checks: 1 },
      ],
      agreement: { count: 2, of: 4, share: 0.5 },
      flips: {
        to_block: {
          counts: { bad: 1 },
          examples: [{ id: 'chk_worse', from: { risk_score: 0 }, to: { risk_score: 80, action: 'BLOCK' } }],
        },
        to_allow: { counts: { good: 1 }, examples: [{ id: 'chk_better', from: { risk_score: 90 } }] },
      },
      scores: { same: 2, higher: 1, lower: 1, mean_difference: 2.5 },
      recall: { answered: { count: 0, of: 1 }, challenger: { count: 1, of: 1 } },
      false_positive_rate: { answered: { count: 1, of: 2 }, challenger: { count: 0, of: 2 } },
      promotion: { standing: 'untold' },
    });
  });

  it('is the last one that was tried, unless another is requested', async () => {
    const checks = [
      await challenged('ALLOW', 0, { created_at: '2026-11-21T00:00:00.000Z' }, 'a'.repeat(16)),
      await challenged('ALLOW', 0, { created_at: '2026-11-19T00:00:00.000Z' }, 'b'.repeat(16)),
    ];
    const latest = await run(ruleSet, checks);
    expect(latest.challenger?.ruleset).toBe('a'.repeat(16));
    expect(latest.other_challengers).toMatchObject([{ ruleset: 'b'.repeat(16), checks: 1 }]);
    const asked = await run(ruleSet, checks, { challenger: 'b'.repeat(16) });
    expect(asked.challenger?.ruleset).toBe('b'.repeat(16));
    expect((await run(ruleSet, checks, { challenger: 'e'.repeat(16) })).challenger).toBeNull();
  });

  it('does not exist where none was tried', async () => {
    expect(await run(ruleSet, [])).toMatchObject({ challenger: null, other_challengers: [], rules: [] });
  });

  it('names the record that cannot be read', async () => {
    const check = await challenged('ALLOW', 0, { shadow_rules: '{', id: 'chk_torn' });
    await expect(run(ruleSet, [check])).rejects.toThrow('the record of chk_torn cannot be read');
  });
});
