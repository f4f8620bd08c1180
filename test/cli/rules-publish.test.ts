import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRuleSources } from '../../src/checks/rules-directory.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { expectDocumented } from '../docs/sample.ts';
import { aWorld, type World } from './world.ts';

/** A set-up with a database, as after the first start. */
async function aStartedWorld(): Promise<World> {
  const world = aWorld();
  mkdirSync(join(world.cwd, 'data'));
  const file = join(world.cwd, 'data/postern.db');
  await (await openSqliteStorage({ file, durability: 'commit' })).close();
  return world;
}

const filesOf = async (world: World, dir: string) => (await readRuleSources(join(world.cwd, dir))).files;

describe('rules export', () => {
  it('writes every file of the rules into a new directory, and into no existing one', async () => {
    const world = await aStartedWorld();
    const { code, stdout } = await world.postern(['rules', 'export', 'out/rules']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+ files written to out\/rules\.\n$/)]);
    expect(await filesOf(world, 'out/rules')).toEqual(await filesOf(world, 'rules'));
    const again = await world.postern(['rules', 'export', 'out/rules']);
    expect([again.code, again.stderr]).toEqual([
      2,
      'postern: out/rules is not empty: name a new directory\n',
    ]);
  });

  it('has the form in JSON that docs/cli.md shows', async () => {
    const world = await aStartedWorld();
    const { json } = await world.postern(['rules', 'export', 'out', '--json']);
    expectDocumented('rules-export', json());
  });
});

describe('rules publish', () => {
  it('replaces the published rules by the files of a directory, keeps unpublished ones as a draft, and exits when in force', async () => {
    const world = await aStartedWorld();
    await world.postern(['rules', 'export', 'out']);
    world.write('out/decision.yaml', `${world.read('out/decision.yaml')}# Tried in May.\n`);
    rmSync(join(world.cwd, 'out/tests/velocity.yaml'));
    const { code, stdout } = await world.postern(['rules', 'publish', 'out', '--author', 'ann']);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^Published: decision\.yaml \+1, tests\/velocity\.yaml deleted\. A running service takes it/,
      ),
    ]);
    expect(await filesOf(world, 'rules')).toEqual(await filesOf(world, 'out'));
    expect((await world.postern(['rules', 'history', '--json'])).json().versions).toMatchObject([
      { reason: 'draft' },
    ]);
    // A second change of the same directory is based on the version that it has published.
    world.write('out/decision.yaml', `${world.read('out/decision.yaml')}# And in June.\n`);
    const { json } = await world.postern(['rules', 'publish', 'out', '--json']);
    expectDocumented('rules-publish', json());
    const none = await world.postern(['rules', 'publish', 'out']);
    expect([none.code, none.stdout]).toEqual([0, 'rules holds these rules already.\n']);
  });

  it('reverts nothing that was published since the directory was exported', async () => {
    const world = await aStartedWorld();
    await world.postern(['rules', 'export', 'out']);
    world.write('out/decision.yaml', `${world.read('out/decision.yaml')}# Mine.\n`);
    world.write('rules/decision.yaml', `${world.read('rules/decision.yaml')}# Theirs.\n`);
    const { code, stderr } = await world.postern(['rules', 'publish', 'out']);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^postern: other rules were published since out was exported, and would be undone: /,
    );
    expect(world.read('rules/decision.yaml')).toMatch(/# Theirs\.\n$/);
    // A working copy of version control has none.
    rmSync(join(world.cwd, 'out/.exported-from'));
    expect((await world.postern(['rules', 'publish', 'out'])).code).toBe(0);
    expect(world.read('rules/decision.yaml')).toMatch(/# Mine\.\n$/);
    expect(existsSync(join(world.cwd, 'out/.exported-from'))).toBe(false);
  });

  it('writes nothing that the service would refuse, and lists the faults', async () => {
    const world = await aStartedWorld();
    await world.postern(['rules', 'export', 'out']);
    world.write('out/a.yaml', 'group: [');
    const before = readFileSync(join(world.cwd, 'rules/decision.yaml'), 'utf8');
    const { code, stdout } = await world.postern(['rules', 'publish', 'out']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^out\/a\.yaml:1:\d+ .*\n(.*\n)*It would be refused; nothing is written\.\n$/);
    expect(world.read('rules/decision.yaml')).toBe(before);
    expect(existsSync(join(world.cwd, 'rules/a.yaml'))).toBe(false);
    const { json } = await world.postern(['rules', 'publish', 'out', '--json']);
    expect(json().faults[0]).toMatch(`${join(world.cwd, 'out/a.yaml')}:1:`);
  });

  it('reports that the directory does not exist', async () => {
    const world = await aStartedWorld();
    const { code, stderr } = await world.postern(['rules', 'publish', 'none']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('none: cannot be read: there is none')]);
  });
});
