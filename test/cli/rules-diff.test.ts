import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRuleSources } from '../../src/checks/rules-directory.ts';
import { digestOf } from '../../src/rules/rule-files.ts';
import type { NewCheck } from '../../src/storage/ports.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { expectSample } from '../docs/sample.ts';
import { checkOf } from '../storage/rows.ts';
import { aWorld, type World } from './world.ts';

const NAMES = ['decision', 'address', 'domain', 'velocity', 'signals', 'allow', 'deny'];

/** The shipped rules and a draft that differs only in these replacements, by file. */
function aWorldWith(changes: Readonly<Record<string, readonly [from: string, to: string]>>): World {
  const world = aWorld();
  for (const name of NAMES) {
    const text = world.read(`rules/${name}.yaml`);
    const [from, to] = changes[name] ?? ['', ''];
    expect(text).toContain(from);
    world.write(`draft/${name}.yaml`, text.replace(from, to));
  }
  return world;
}

async function record(world: World, ...checks: readonly Partial<NewCheck>[]): Promise<void> {
  const storage = await openSqliteStorage({ file: join(world.cwd, 'data/postern.db'), durability: 'commit' });
  await Promise.all(checks.map((fields, index) => storage.checks.append(checkOf(`chk_${index}`, fields))));
  await storage.close();
}

const AT = '2026-11-20T10:00:00.000Z';
const diff = (world: World, ...rest: readonly string[]) => world.postern(['rules', 'diff', ...rest]);
/** The list is empty: an entry is inserted before its comments. */
const DENIED = [
  '# yaml-language',
  '- { value: bad.example, reason: Abuse., owner: risk }\n# yaml-language',
] as const;
const LOWER = ['block_score: { value: 70', 'block_score: { value: 30'] as const;

describe('postern rules diff', () => {
  it('says that a copy has the same meaning', async () => {
    const { code, stdout } = await diff(aWorldWith({}), 'draft');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^rules \(([0-9a-f]{16})\) → draft \(\1\)\nThey mean the same\.\n$/);
  });

  it('prints what docs/cli.md shows', async () => {
    const world = aWorldWith({
      decision: ['block_score: { value: 70', 'block_score: { value: 40'],
      domain: ['points: 30 }', 'points: 35 }'],
    });
    await record(
      world,
      ...Array.from({ length: 2_400 }, (_, index) => ({
        created_at: `2026-11-${14 + (index % 7)}T10:00:00.000Z`,
        ...(index % 15 === 4 && { action: 'BLOCK' }),
      })),
    );
    expectSample('rules diff draft', (await diff(world, 'draft')).stdout);
  });

  it('shows the changes in meaning, then the effect on recorded checks', async () => {
    const world = aWorldWith({
      decision: LOWER,
      domain: ['points: 30 }', 'points: 35 }'],
      deny: DENIED,
      address: ['owner: risk', 'owner: fraud'],
    });
    await record(
      world,
      { facts: { 'domain.tld_risk_level': 'high', 'relay.is_relay': false } },
      { facts: {} },
    );
    const { code, stdout } = await diff(world, 'draft');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^What can change a decision:$/m);
    expect(stdout).toMatch(/^ {2}~ rule tld_high_risk\n {6}points 30 → 35$/m);
    expect(stdout).toMatch(/^ {2}~ threshold block_score {2}\(block_high_score\)\n {6}value 70 → 30$/m);
    expect(stdout).toMatch(
      /^ {2}\+ deny bad\.example\n {6}in_force true\n {6}reason Abuse\.\n {6}owner risk$/m,
    );
    expect(stdout).toMatch(/^What changes no decision now:\n {2}~ rule \w+\n {6}owner risk → fraud$/m);
    expect(stdout).toMatch(/^2 recorded checks, .*: 0 good, 0 bad, 2 unlabelled$/m);
    expect(stdout).toMatch(/^ {2}1 × tld_high_risk \+30 → \+35, BLOCK from 30, not 70 /m);
    expect(stdout).toMatch(/^note: deny\.yaml differs/m);
  });

  it('shows how many have another level, where no action changes', async () => {
    const world = aWorldWith({
      decision: ['medium_score: { value: 30', 'medium_score: { value: 31'],
    });
    const risky = { facts: { 'domain.tld_risk_level': 'high', 'relay.is_relay': false } };
    await record(world, risky, risky, { facts: {} }, { facts: {} });
    const { stdout } = await diff(world, 'draft');
    expect(stdout).toMatch(/^level medium +50\.0 % \(.*?\) +0\.0 % \(.*?\)$/m);
    expect(stdout).toMatch(/^level high +0\.0 % \(.*?\) +0\.0 % \(.*?\)$/m);
    expect(stdout).toMatch(/^ALLOW → BLOCK: none\n\nBLOCK → ALLOW: none$/m);
    const { json } = await diff(world, 'draft', '--json');
    expect(json().effect.levels.candidate).toEqual({ low: 4, medium: 0, high: 0 });
  });

  it('says so where the rules of the directory are not in force, as the service has refused them', async () => {
    const world = aWorldWith({ decision: LOWER });
    await record(world, { facts: { 'domain.tld_risk_level': 'high' } });
    const { dir, files } = await readRuleSources(join(world.cwd, 'rules'));
    const file = join(world.cwd, 'data/postern.db');
    const storage = await openSqliteStorage({ file, durability: 'commit' });
    const version = { hash: 'aaaa', reason: 'start', author: null, restores: null, at: AT } as const;
    await storage.ruleVersions.add({ ...version, digest: digestOf(files) }, files);
    await storage.close();
    const note =
      'note: "in force" means the rules in rules here, and version 1, which was put in force last, has others: see "postern rules status"';
    expect((await diff(world, 'draft')).stdout).not.toContain(note);
    world.write('rules/deny.yaml', `# Edited.\n${files['deny.yaml']}`);
    expect((await diff(world, 'draft')).stdout).toContain(note);
    expect((await diff(world, 'draft', '--dir', dir)).stdout).not.toContain('put in force last');
    expect((await world.postern(['rules', 'backtest', 'draft'])).stdout).toContain(note);
  });

  it('reports a list that was added, although it is empty', async () => {
    const world = aWorldWith({});
    world.write('draft/lists/partners.txt', '');
    const { code, stdout } = await diff(world, 'draft');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^What changes no decision now:\n {2}\+ list partners\n$/m),
    });
  });

  it('shows the comparisons of a condition that was added and of one that was removed', async () => {
    const world = aWorldWith({
      domain: [
        '{ fact: domain.tld_risk_level, operator: equal, value: high }',
        '{ fact: domain.tld_risk_level, operator: in, value: [medium, high] }',
      ],
    });
    const { stdout } = await diff(world, 'draft');
    expect(stdout).toContain('− domain.tld_risk_level equal high');
    expect(stdout).toContain('+ domain.tld_risk_level in [high, medium]');
    expect(stdout).toContain('There are no cases to show the effect on');
  });

  it('shows the effect on the signups of a file', async () => {
    const world = aWorldWith({ deny: DENIED });
    world.write('signups.csv', 'email,label\njane@bad.example,bad\n');
    const { json, code } = await diff(world, 'draft', '--file', 'signups.csv', '--json');
    expect(code).toBe(1);
    expect(json()).toMatchObject({
      rule_sets: { base: { directory: 'rules' }, candidate: { directory: 'draft' } },
      changes: [
        {
          subject: 'deny',
          id: 'bad.example',
          change: 'added',
          decides: true,
          concerns: [],
          details: expect.any(Array),
        },
      ],
      effect: { cases: { total: 1, bad: 1 }, flips: { to_block: { counts: { bad: 1 } } }, caveats: [] },
    });
  });

  it('prints no change as JSON either where the meaning is the same', async () => {
    const world = aWorldWith({});
    await record(world, { facts: {} });
    expect((await diff(world, 'draft', '--json')).json()).toMatchObject({ changes: [], effect: null });
  });

  it.each(['--columns=x', '--format=csv', '--good=x', '--bad=x', '--live'])(
    'refuses %s without --file',
    async (option) => {
      const { code, stdout, stderr } = await diff(aWorld(), 'rules', option);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(`error: ${option.split('=')[0]} goes with --file`);
    },
  );

  it('cannot compare rules with errors', async () => {
    const world = aWorldWith({ decision: ['greaterThanInclusive', 'greaterOr'] });
    const { code, stderr } = await diff(world, 'draft');
    expect(code).toBe(2);
    expect(stderr).toMatch(/the rules in draft have errors:\ndraft\/decision\.yaml:\d+:\d+/);
  });
});
