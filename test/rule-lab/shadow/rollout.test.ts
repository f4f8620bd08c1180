import { describe, expect, it } from 'vitest';
import { replayShadows, reportShadow } from '../../../src/rule-lab/shadow/run-shadow.ts';
import { decide } from '../../../src/rules/decide.ts';
import { ordinaryFacts } from '../../../src/rules/described-facts.ts';
import { bucketsInside, ROLLOUT_BUCKET, shadowsFor } from '../../../src/rules/rollout.ts';
import type { RuleSet } from '../../../src/rules/rule-set.ts';
import type { RecordedCheck, TriedCheck } from '../../../src/storage/ports.ts';
import { catalogue } from '../../rules/catalogue.ts';
import { compile, group, is, points, when } from '../../rules/rules-directory.ts';

const CRITERIA = { minSO: 0.95, minHitPercent: 0.02, maxFalsePositivePercent: 1, days: 5 };
const FIRES = is('mx.provider', 'google');
const rulesWith = (rollout: string, mode = 'live') =>
  compile({ 'a.yaml': group('a', { tried: `${points(80, mode)}, ${rollout}${when(FIRES)}` }) });
const atPercent = (percent: number) => rulesWith(`rollout: { percent: ${percent} }, `);

const inside = new Set(bucketsInside({ percent: 40, salt: 'tried' }));
const hashOf = (bucket: number) => `${bucket.toString(16).padStart(8, '0')}${'0'.repeat(56)}`;
/** A hundred people, about 40 of whom are inside. */
const PEOPLE = Array.from({ length: 100 }, (_, place) => place * 7);
const OUTSIDE = PEOPLE.filter((bucket) => !inside.has(String(bucket)));

/** The record of a person on whom the rule fires; null for a person whose hash is not stored. */
async function recordOf(ruleSet: RuleSet, bucket: number | null): Promise<TriedCheck & RecordedCheck> {
  const facts = { ...ordinaryFacts(catalogue), 'mx.provider': 'google' };
  const given = { ...facts, [ROLLOUT_BUCKET]: bucket === null ? null : String(bucket) };
  const { action, score, level, ruleset, ledger } = await decide(ruleSet, given);
  return {
    ...{ id: `chk_${bucket}`, created_at: '2026-11-20T10:00:00.000Z', domain: 'example.org', label: null },
    ...{ action, risk_score: score, risk_level: level, ruleset, challenger: null, withheld: null },
    address_hmac: bucket === null ? null : hashOf(bucket),
    facts: JSON.stringify(facts),
    ledger: JSON.stringify(ledger),
    shadow_rules: JSON.stringify(shadowsFor(ruleSet, given)),
  };
}

async function* oneOf<Item>(items: readonly Item[]) {
  yield items;
}

const shared = { catalogue, criteria: CRITERIA, examples: 0 };

async function reportsOf(ruleSet: RuleSet, recordedUnder = ruleSet) {
  const records = [
    ...(await Promise.all(PEOPLE.map((bucket) => recordOf(recordedUnder, bucket)))),
    await recordOf(recordedUnder, null),
  ];
  const pages = oneOf(records);
  const checks = records.length;
  const live = await reportShadow({ ...shared, checks, pages, ruleSet, challenger: null });
  const replayed = await replayShadows({ ...shared, pages: oneOf(records), ruleSet });
  return [live.rules[0], replayed[0]] as const;
}

describe('the report on a rule that is rolled out', () => {
  it('covers only people outside, live and in the replay, and the decisions that it would change for them', async () => {
    expect(OUTSIDE.length).toBeGreaterThan(40);
    expect(OUTSIDE.length).toBeLessThan(80);
    for (const report of await reportsOf(atPercent(40))) {
      expect(report).toMatchObject({
        ...{ id: 'tried', points: 80, rollout: { percent: 40 } },
        checks: { total: OUTSIDE.length },
        fires: { count: OUTSIDE.length, share: 1 },
        flips: { to_block: { counts: { unlabelled: OUTSIDE.length } }, untold: 0 },
      });
    }
  });

  it('continues with its results as a shadow rule', async () => {
    const [live, replayed] = await reportsOf(atPercent(40), rulesWith('', 'shadow'));
    expect(live?.checks.total).toBe(PEOPLE.length + 1);
    // It already applies to the people who are inside now.
    expect(replayed?.checks.total).toBe(OUTSIDE.length);
  });

  it('ignores the rollout while the rule is in shadow mode', async () => {
    for (const report of await reportsOf(rulesWith('', 'shadow'))) {
      expect(report).toMatchObject({ rollout: null, checks: { total: PEOPLE.length + 1 } });
    }
  });
});
