import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRuleSources } from '../../src/checks/rules-directory.ts';
import type { Label } from '../../src/labels/label.ts';
import { packageRoot } from '../../src/lib/paths.ts';
import { compileRuleSet } from '../../src/rules/compile.ts';
import { lintRules } from '../../src/rules/lint/lint-rules.ts';
import { discoverProviders } from '../../src/signals/discover-providers.ts';
import { planCollection } from '../../src/signals/plan-collection.ts';
import type { NewCheck } from '../../src/storage/ports.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { expectSample } from '../docs/sample.ts';
import { ofCheck } from '../storage/label-contract.ts';
import { accountOf, checkOf } from '../storage/rows.ts';
import { ORDINARY } from './ordinary-facts.ts';
import { aWorld, type World } from './world.ts';

const TRIAL = `group: trial
description: What is tried.
max_score: 100
rules:
  - id: risky_tld
    description: A risky ending, at more points.
    owner: risk
    mode: shadow
    conditions: { all: [{ fact: domain.tld_risk_level, operator: equal, value: high }] }
    event: { type: points, params: { points: 60 } }
`;
const HASH = 'c'.repeat(16);
const FIRED = JSON.stringify([
  { kind: 'shadow', points: 0, id: 'risky_tld', would_add: 60, saw: { 'domain.tld_risk_level': 'high' } },
]);
const RISKY = {
  facts: { ...ORDINARY, 'domain.tld_risk_level': 'high' },
  ledger: FIRED,
  domain: 'shop.example',
};
const QUIET = { facts: { ...ORDINARY, 'domain.tld_risk_level': 'low' }, ledger: '[]' };

const challenged = (action: string, score: number) => ({
  challenger: JSON.stringify({ ruleset: HASH, action, risk_score: score, risk_level: 'high' }),
});

type Given = Partial<NewCheck> & { readonly label?: Label };

/** A set-up with these records, in which `tried` stands for the hash of the current shadow rule. */
async function aWorldWith(checks: readonly Given[]): Promise<World> {
  const world = aWorld({ 'rules/trial.yaml': TRIAL });
  // The shipped rules contain shadow rules of their own.
  for (const file of ['rules/domain.yaml', 'rules/velocity.yaml']) {
    world.write(file, world.read(file).replaceAll('mode: shadow', 'mode: off'));
  }
  const tried = await formOfRule(world);
  const storage = await openSqliteStorage({ file: join(world.cwd, 'data/postern.db'), durability: 'commit' });
  await storage.accounts.create(accountOf('acc_1'));
  await storage.accounts.create(accountOf('acc_2'));
  await Promise.all(
    checks.map(({ label: _, ...fields }, index) => {
      const shadow_rules = fields.shadow_rules === 'tried' ? tried : (fields.shadow_rules ?? null);
      return storage.checks.append(checkOf(`chk_${index}`, { ...fields, shadow_rules }));
    }),
  );
  const labels = checks.flatMap(({ label }, index) => (label ? [ofCheck(`chk_${index}`, label)] : []));
  await storage.labels.put('acc_1', labels, '2026-11-21T00:00:00.000Z');
  await storage.close();
  return world;
}

async function formOfRule(world: World): Promise<string> {
  const { enabled } = await discoverProviders({ enabled: null, paths: [] });
  const { catalogue } = planCollection(enabled);
  const { definitions } = lintRules(await readRuleSources(join(world.cwd, 'rules')), catalogue, { now: 0 });
  if (!definitions) throw new Error('the rules of the test have errors');
  return JSON.stringify(compileRuleSet(definitions, 0).shadowHashes);
}

/** Names of members by path; of a list the names in its first item, of a scalar none. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? null : [shapeOf(value[0])];
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shapeOf(member)]));
}

const shadow = (world: World, ...rest: readonly string[]) => world.postern(['rules', 'shadow', ...rest]);

describe('postern rules shadow', () => {
  it('shows the results of a shadow rule, the decisions that it would change, and which criteria can be computed', async () => {
    const world = await aWorldWith([
      { ...RISKY, shadow_rules: 'tried' },
      { ...QUIET, shadow_rules: 'tried', action: 'BLOCK' },
      QUIET,
    ]);
    const { code, stdout, stderr } = await shadow(world);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^rule risky_tld \(trial, \+60\)$/m);
    expect(stdout).toMatch(
      /^tried in 2 checks, 2026-11-20 to 2026-11-20: 0 good, 0 bad, 2 unlabelled; 1 of these were blocked and have no outcome$/m,
    );
    expect(stdout).toMatch(
      /^fires in 50 % \(9\.45 to 90\.55\): 0 good, 0 bad, 1 unlabelled; precision –, S\/O –$/m,
    );
    // 30 by the shipped rule for the same ending, and 60 more.
    expect(stdout).toMatch(/^ +ALLOW → BLOCK: 1 \(0 good, 0 bad, 1 unlabelled\)$/m);
    expect(stdout).toMatch(/^ +chk_0 +2026-\S+ +shop\.example +30 medium → 90 high$/m);
    expect(stdout).toMatch(/^ +BLOCK → ALLOW: none$/m);
    expect(stdout).toMatch(/^promotion: cannot be told$/m);
    expect(stdout).toMatch(/^ +hits +at least 0\.02 % +50 % \(9\.45 to 90\.55\) .* 1 of 5 +cannot be told$/m);
    expect(stdout).toMatch(/^ +S\/O +at least 0\.95 +– +– +– +0 of 5 +cannot be told$/m);
    expect(stdout).toContain('note: no check is labelled');
  });

  it('prints what docs/cli.md shows', async () => {
    const world = await aWorldWith(
      Array.from(
        { length: 2_000 },
        (_, index): Given => ({
          ...(index % 36 === 0 ? RISKY : QUIET),
          shadow_rules: 'tried',
          created_at: new Date(Date.UTC(2026, 10, 15) + index * 259_200).toISOString(),
          ...(index % 25 === 9 && { action: 'BLOCK' }),
          ...(index % 5 === 0 && { label: index % 85 === 0 || index % 360 === 0 ? 'bad' : 'good' }),
        }),
      ),
    );
    const { code, stdout } = await shadow(world, 'risky_tld', '--examples', '1');
    expect(code).toBe(0);
    expectSample('rules shadow risky_tld --examples 1', stdout);
  });

  it('shows the results of the challenger, and of the earlier ones', async () => {
    const older = JSON.stringify({
      ruleset: 'b'.repeat(16),
      action: 'ALLOW',
      risk_score: 0,
      risk_level: 'low',
    });
    const world = await aWorldWith([
      { created_at: '2026-11-18T10:00:00.000Z', challenger: older },
      { ...challenged('ALLOW', 12) },
      { ...challenged('BLOCK', 72) },
    ]);
    const { code, stdout } = await shadow(world, 'challenger');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^challenger c{16}$/m);
    expect(stdout).toMatch(/^judged in 2 checks, 2026-11-20 to 2026-11-20: /m);
    expect(stdout).toMatch(
      /^agrees in 50\.0 % \(9\.4 to 90\.5\); scores: 1 the same, 1 higher, 0 lower, \+30 on average$/m,
    );
    expect(stdout).toMatch(/^ +chk_2 +2026-\S+ +example\.org +12 low → 72 high$/m);
    expect(stdout).toMatch(/^b{16} +1 +2026-11-18 +2026-11-18$/m);
    expect(stdout).not.toContain('risky_tld');
    expect((await shadow(world, 'b'.repeat(16))).stdout).toMatch(/^challenger b{16}$/m);
  });

  it('says from the labels which rule may be promoted', async () => {
    const days = [16, 17, 18, 19, 20].map((day) => `2026-11-${day}T10:00:00.000Z`);
    const world = await aWorldWith(
      days.flatMap((created_at): Given[] => [
        { ...RISKY, shadow_rules: 'tried', created_at, label: 'bad', ...challenged('BLOCK', 90) },
        { ...QUIET, shadow_rules: 'tried', created_at, label: 'good', ...challenged('BLOCK', 90) },
      ]),
    );
    const rule = await shadow(world, 'risky_tld', '--check');
    expect(rule.code).toBe(0);
    expect(rule.stdout).toMatch(/^promotion: holds$/m);
    expect(rule.stdout).toMatch(
      /^ +S\/O +at least 0\.95 +1\.000 +1\.000 +1\.000, 2026-11-16 +5 of 5 +holds$/m,
    );
    expect(rule.stdout).toMatch(/^ +good that it hits +at most 1 % +0 % .* 5 of 5 +holds$/m);
    expect(rule.stdout).toMatch(/precision 100\.0 % \(.*\), S\/O 1\.000$/m);
    const challenger = await shadow(world, 'challenger', '--check');
    expect(challenger.code).toBe(1);
    expect(challenger.stdout).toMatch(/^blocks 100\.0 % .* of the bad, where 0\.0 % .* were$/m);
    expect(challenger.stdout).toMatch(/^blocks 100\.0 % .* of the good, where 0\.0 % .* were$/m);
    expect(challenger.stdout).toMatch(/^ +S\/O +at least 0\.95 +0\.500 .* does not hold$/m);
    expect((await shadow(world, '--check')).code).toBe(1);
  });

  it('says of a rule that is rolled out that it was also tried on people outside the rollout', async () => {
    const world = await aWorldWith([{ ...RISKY, shadow_rules: 'tried', address_hmac: 'f'.repeat(64) }]);
    world.write('rules/trial.yaml', TRIAL.replace('mode: shadow', 'mode: live\n    rollout: { percent: 5 }'));
    const { stdout } = await world.postern(['rules', 'shadow', 'risky_tld']);
    expect(stdout).toMatch(
      /^rule risky_tld \(trial, \+60\), rolled out to 5 %\ntried on people outside in 1 check,/m,
    );
    expect(stdout).toContain('did it count for them too:\n  ALLOW → BLOCK: 1 ');
    const { json } = await world.postern(['rules', 'shadow', 'risky_tld', '--json']);
    expect(json().rules[0].rollout).toEqual({ percent: 5 });
  });

  it('prints the same JSON, byte for byte, each time', async () => {
    const world = await aWorldWith([{ ...RISKY, shadow_rules: 'tried', ...challenged('BLOCK', 80) }]);
    const one = await shadow(world, '--json');
    expect((await shadow(world, '--json')).stdout).toBe(one.stdout);
    expect(one.json()).toMatchObject({
      ruleset: expect.stringMatching(/^[0-9a-f]{16}$/),
      checks: 1,
      challenger: { ruleset: HASH, agreement: { count: 0, of: 1 } },
      other_challengers: [],
      rules: [{ id: 'risky_tld', fires: { count: 1, of: 1 }, promotion: { standing: 'untold' } }],
    });
  });

  it('uses only the checks that are chosen', async () => {
    const world = await aWorldWith([
      { ...QUIET, shadow_rules: 'tried', created_at: '2026-10-01T00:00:00.000Z' },
      { ...QUIET, shadow_rules: 'tried', created_at: '2026-11-01T00:00:00.000Z' },
      { ...QUIET, shadow_rules: 'tried', created_at: new Date().toISOString(), account_id: 'acc_2' },
      { ...QUIET, shadow_rules: 'tried', environment: 'test' },
    ]);
    const total = async (...rest: string[]) =>
      (await shadow(world, '--json', ...rest)).json().rules[0].checks.total;
    expect(await total()).toBe(3);
    expect(await total('--since', '2026-11-01')).toBe(2);
    expect(await total('--until', '2026-11-01')).toBe(1);
    expect(await total('--account', 'acc_2')).toBe(1);
    expect(await total('--account', 'name of acc_2')).toBe(1);
    expect(await total('--days', '1')).toBe(1);
    for (const start of [
      ['--since', '2026-11-02'],
      ['--days', '1'],
    ]) {
      expect(await shadow(world, ...start, '--until', '2026-11-01')).toMatchObject({
        code: 2,
        stderr: 'postern: --since is not before --until: no check lies between\n',
      });
    }
  });

  it('leaves out checks in which the rule was different, and says so', async () => {
    const world = await aWorldWith([
      { ...QUIET, shadow_rules: '{"risky_tld":"00000000","old_rule":"00000000"}' },
    ]);
    const { stdout } = await shadow(world);
    expect(stdout).toMatch(/^rule risky_tld .*\nnot tried yet/m);
    expect(stdout).toContain(
      'note: risky_tld was another rule in 1 check, which are left out: it was edited',
    );
    expect(stdout).toContain('note: old_rule was tried in 1 check, and is no shadow rule now');
  });

  it('uses the criteria of the configuration, and exits with 1 under --check when one does not hold', async () => {
    const world = await aWorldWith([1, 2, 3].map(() => ({ ...QUIET, shadow_rules: 'tried' })));
    const env = { POSTERN__RULES__PROMOTION__MIN_HIT_PERCENT: '50', POSTERN__RULES__PROMOTION__DAYS: '1' };
    const { code, stdout } = await world.postern(['rules', 'shadow', 'risky_tld', '--check'], { env });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ +hits +at least 50 % +0 % .* 1 of 1 +does not hold$/m);
    expect((await world.postern(['rules', 'shadow'], { env })).code).toBe(0);
  });

  it('cannot guard a criterion that cannot be computed', async () => {
    const world = await aWorldWith([{ ...RISKY, shadow_rules: 'tried' }]);
    const { code, stdout, stderr } = await shadow(world, '--check');
    expect(code).toBe(2);
    expect(stdout).toContain('promotion: cannot be told');
    expect(stderr).toContain('it cannot be told whether all criteria hold');
  });

  it('reports that there is no shadow rule', async () => {
    const world = await aWorldWith([QUIET]);
    world.write('rules/trial.yaml', TRIAL.replace('mode: shadow', 'mode: off'));
    const { code, stdout } = await shadow(world);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^1 check, and nothing to report on: no challenger was tried on live traffic, and no rule has mode: shadow$/m,
    );
  });

  it('shows no shadow rules when asked only for the challenger', async () => {
    const { code, stdout } = await shadow(await aWorldWith([QUIET]), 'challenger');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^1 check, and nothing to report on: no challenger was tried on live traffic$/m);
  });

  it('prints the members that docs/cli.md shows', async () => {
    const world = await aWorldWith([{ ...RISKY, shadow_rules: 'tried', ...challenged('BLOCK', 80) }]);
    const other = JSON.stringify({
      ruleset: 'b'.repeat(16),
      action: 'ALLOW',
      risk_score: 0,
      risk_level: 'low',
    });
    const storage = await openSqliteStorage({
      file: join(world.cwd, 'data/postern.db'),
      durability: 'commit',
    });
    await storage.checks.append(
      checkOf('chk_old', { challenger: other, created_at: '2026-11-19T10:00:00.000Z' }),
    );
    await storage.close();
    const page = readFileSync(join(packageRoot, 'docs/cli.md'), 'utf8');
    const [, example = ''] = /^```json rules-shadow\n(.+)\n```$/m.exec(page) ?? [];
    expect(shapeOf(JSON.parse(example))).toEqual(shapeOf((await shadow(world, '--json')).json()));
  });

  it.each([
    ['a rule that is none', ['risky_tdl'], 'there is no shadow rule "risky_tdl" (did you mean risky_tld?)'],
    [
      'a rule that counts',
      ['role_account'],
      'there is no shadow rule "role_account"; name one of challenger, risky_tld, or the hash of a challenger',
    ],
    ['days that are none', ['--days', '0'], 'It is a number of days'],
    ['rules with errors', ['--dir', 'broken'], 'the rules in broken have errors:'],
    [
      'an account that is none',
      ['--account', 'acc_3'],
      'there is no account "acc_3" (postern accounts list)',
    ],
  ])('cannot run with %s', async (_what, argv, message) => {
    const world = await aWorldWith([QUIET]);
    world.write('broken/decision.yaml', 'levls: []\n');
    const { code, stderr } = await shadow(world, ...argv);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it.each([
    ['an account', ['--account', 'acc_2']],
    ['a time', ['--until', '2020-01-01']],
  ])('cannot run with %s that has no check', async (_what, argv) => {
    const { code, stdout, stderr } = await shadow(await aWorldWith([QUIET]), ...argv);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('there is no recorded check to judge by: --since, --until and --account');
  });

  it('cannot run with the hash of an unknown challenger, and lists the known ones', async () => {
    const unknown = 'f'.repeat(16);
    const none = await shadow(await aWorldWith([QUIET]), unknown);
    expect([none.code, none.stdout]).toEqual([2, '']);
    expect(none.stderr).toContain(
      `challenger ${unknown} was tried in none of 1 check; none was: rules.challenger_dir of the`,
    );
    const others = await shadow(await aWorldWith([{ ...QUIET, ...challenged('BLOCK', 80) }]), unknown);
    expect([others.code, others.stdout]).toEqual([2, '']);
    expect(others.stderr).toContain(`was tried in none of 1 check; these were: ${HASH}`);
  });

  it('cannot run without a database', async () => {
    const { code, stderr } = await shadow(aWorld());
    expect(code).toBe(2);
    expect(stderr).toContain('there is no database');
  });
});
