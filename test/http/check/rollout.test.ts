import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../../../src/lib/paths.ts';
import { bucketOf, bucketsInside } from '../../../src/rules/rollout.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const RULE = `group: tried
description: What is tried.
max_score: 50
rules:
  - id: many_letters
    description: Fires for everyone.
    owner: risk
    mode: live
    rollout: { percent: 40 }
    conditions: { all: [{ fact: address.tld, operator: equal, value: com }] }
    event: { type: points, params: { points: 50 } }
`;
const PEOPLE = Array.from({ length: 40 }, (_, n) => `Jane.Doe${n}@example.com`);
const inside = new Set(bucketsInside({ percent: 40, salt: 'many_letters' }));

function rulesWith(text: string | null): string {
  const dir = temporaryDirectory();
  cpSync(join(packageRoot, 'rules'), dir, { recursive: true });
  rmSync(join(dir, 'tests'), { recursive: true });
  if (text !== null) writeFileSync(join(dir, 'tried.yaml'), text);
  return dir;
}

async function started(settings: Record<string, unknown>): Promise<TestService> {
  const service = await startTestService(settings);
  onTestFinished(() => service.stop());
  return service;
}

async function recordsOf(service: TestService) {
  const rows = await service.rows(
    'SELECT address_hmac, facts, ledger, shadow_rules FROM checks ORDER BY created_at, id',
  );
  return rows.map(({ address_hmac, facts, ledger, shadow_rules }) => ({
    hmac: address_hmac === null ? null : String(address_hmac),
    texts: JSON.stringify([facts, ledger]),
    kinds: (JSON.parse(String(ledger)) as { kind: string; id?: string }[])
      .filter(({ id }) => id === 'many_letters')
      .map(({ kind }) => kind),
    // Beside the shadow rules that are shipped.
    isTried: Object.hasOwn(JSON.parse(String(shadow_rules ?? '{}')), 'many_letters'),
  }));
}

it('counts for the same people each time, and records contain the side only with the hash of the person', async () => {
  const service = await started({ rules: { dir: rulesWith(RULE) } });
  const without = await started({ rules: { dir: rulesWith(null) } });
  const scores = new Map<string, number>();
  for (const email of [...PEOPLE, ...PEOPLE.map((one) => one.toLowerCase())]) {
    const { json } = await service.check(email);
    const { summary } = (await without.check(email)).json;
    const added = json.summary.risk_score - summary.risk_score;
    expect(scores.get(email.toLowerCase()) ?? added).toBe(added);
    scores.set(email.toLowerCase(), added);
    expect(Object.keys(json).sort()).toEqual(['created_at', 'id', 'normalized', 'signals', 'summary']);
  }
  const records = await recordsOf(service);
  expect(records).toHaveLength(2 * PEOPLE.length);
  const sides = records.map(({ hmac, texts, kinds, isTried }) => {
    const isInside = inside.has(bucketOf(hmac) ?? '');
    expect(kinds).toEqual([isInside ? 'rule' : 'shadow']);
    // Tried only on people outside the rollout, without effect: the shadow board counts these.
    expect(isTried).toBe(!isInside);
    expect(texts).not.toContain('rollout');
    return isInside;
  });
  const added = PEOPLE.map((email) => scores.get(email.toLowerCase()));
  expect(added).toEqual(sides.slice(0, PEOPLE.length).map((isInside) => (isInside ? 50 : 0)));
  expect(new Set(sides).size).toBe(2);
}, 60_000);

it('has the same two sides for test keys', async () => {
  const service = await started({ rules: { dir: rulesWith(RULE) } });
  const headers = { authorization: `Bearer ${await service.createKey('test')}` };
  for (const email of [...PEOPLE, ...PEOPLE]) {
    expect((await service.check(email, { headers })).headers['postern-environment']).toBe('test');
  }
  const records = await recordsOf(service);
  for (const { hmac, kinds } of records) {
    expect(kinds).toEqual([inside.has(bucketOf(hmac) ?? '') ? 'rule' : 'shadow']);
  }
  expect(new Set(records.flatMap(({ kinds }) => kinds)).size).toBe(2);
}, 60_000);

it('records no list of sides where records keep nothing about the person', async () => {
  const service = await started({
    rules: { dir: rulesWith(RULE) },
    privacy: { store_addresses: 'none' },
  });
  for (const email of PEOPLE) await service.check(email);
  const records = await recordsOf(service);
  for (const { hmac, isTried, texts } of records) {
    expect({ hmac, isTried }).toEqual({ hmac: null, isTried: false });
    expect(texts).not.toContain('rollout');
  }
  // These checks were decided all the same.
  expect(new Set(records.flatMap(({ kinds }) => kinds))).toEqual(new Set(['rule', 'shadow']));
}, 60_000);

it('records real shadow rules also where records keep nothing about the person', async () => {
  const dir = rulesWith(RULE.replace('mode: live\n    rollout: { percent: 40 }', 'mode: shadow'));
  expect(readFileSync(join(dir, 'tried.yaml'), 'utf8')).toContain('mode: shadow');
  const service = await started({ rules: { dir }, privacy: { store_addresses: 'none' } });
  await service.check('jane@example.com');
  const [record] = await recordsOf(service);
  expect(record?.isTried).toBe(true);
});
