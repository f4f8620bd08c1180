import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../src/app/config/load-config.ts';
import { startService } from '../../src/app/main.ts';
import { readRuleSources } from '../../src/checks/rules-directory.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { describePostgres } from '../support/postgres.ts';
import { aWorld, type World } from './world.ts';

describePostgres('commands on rules that are published in the database', (database) => {
  let world: World;
  let postern: (...argv: string[]) => ReturnType<World['postern']>;

  beforeEach(() => start(aWorld()));

  /** A finished first start. */
  async function start(first: World): Promise<void> {
    await database.empty();
    world = first;
    const env = { POSTERN__STORAGE__URL: database.url, POSTERN__RULES__SOURCE: 'database' };
    postern = (...argv) => world.postern(argv, { env });
    const { cwd } = world;
    const loaded = await loadConfig({
      ...{ dataDir: undefined, files: [], env, cwd, port: 0 },
      configDir: join(cwd, 'config'),
    });
    await (await startService(loaded, createLogger('silent'))).stop();
  }

  const filesOf = async (dir: string) => (await readRuleSources(join(world.cwd, dir))).files;
  const versions = async () =>
    (await postern('rules', 'history', '--json')).json().versions as {
      version: number;
      reason: string;
      author: string | null;
      in_force: boolean;
    }[];

  it('judge and decide by the published version, and name it', async () => {
    // The directory is not read any more.
    rmSync(join(world.cwd, 'rules'), { recursive: true });
    expect(await postern('rules', 'lint')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^version 1: 0 errors, /),
    });
    expect((await postern('rules', 'test', '--json')).json().failed).toBe(0);
    expect((await postern('check', '--offline', '--json', 'jane@example.com')).json().ruleset).toBe(
      (await postern('rules', 'status', '--json')).json().in_force.ruleset,
    );
    expect((await postern('lists', 'status', '--json')).json().own).toMatchObject([
      { list: 'allow', file: 'allow.yaml' },
      { list: 'deny', file: 'deny.yaml' },
    ]);
    expect((await postern('rules', 'status')).stdout).toMatch(
      /^in force: [0-9a-f]{16}, version 1 since .* \(start\)\nthe database: the same\n$/,
    );
    expect((await postern('rules', 'status', '--json')).json()).toMatchObject({
      on_disk: { dir: null, state: 'same', changes: [], faults: [], dates: [] },
      complaint: null,
    });
  });

  it('show and edit named lists, each edit as a version', async () => {
    await postern('rules', 'export', 'out');
    world.write('out/lists/rented.txt', 'let.example # by the day\n');
    expect(await postern('rules', 'publish', 'out')).toMatchObject({ code: 0 });
    const added = await postern('lists', 'named', 'add', 'rented', '.rented.example');
    expect(added).toMatchObject({
      code: 0,
      stdout: '.rented.example added to lists/rented.txt. Every instance takes it within two seconds.\n',
    });
    expect((await postern('lists', 'named', 'list', '--json')).json().lists).toMatchObject([
      { name: 'rented', entries: 2, rules: [] },
    ]);
    expect(
      (await postern('lists', 'named', 'entries', 'rented', '--search', 'a.rented.example')).stdout,
    ).toContain('.rented.example');
    expect(await postern('lists', 'named', 'remove', 'rented', 'let.example')).toMatchObject({ code: 0 });
    await postern('rules', 'export', 'after');
    expect(world.read('after/lists/rented.txt')).toBe('.rented.example\n');
    expect((await versions()).slice(0, 3)).toMatchObject([
      { version: 4, reason: 'change', in_force: true },
      { version: 3, reason: 'change' },
      { version: 2, reason: 'change' },
    ]);
    expect(await postern('lists', 'named', 'add', 'nowhere', 'x.example')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no list "nowhere"'),
    });
  });

  it('export, edit and publish rules as a version with a name, compare versions, and roll back', async () => {
    await postern('rules', 'export', 'out');
    const text = world.read('out/decision.yaml');
    world.write('out/decision.yaml', `${text}# Tried in May.\n`);
    expect((await postern('rules', 'diff', 'out')).code).toBe(0);
    const published = await postern('rules', 'publish', 'out', '--author', 'ann');
    expect(published).toMatchObject({
      code: 0,
      stdout: 'Published: decision.yaml +1. Every instance takes it within two seconds.\n',
    });
    const back = await postern('rules', 'rollback', '1', '--author', 'bob');
    expect(back.stdout).toBe(
      'the database is what it was in version 1: decision.yaml -1.\nEvery instance takes it within two seconds.\n',
    );
    expect(await versions()).toMatchObject([
      { version: 3, reason: 'rollback', author: 'bob', restores: 1, in_force: true },
      { version: 2, reason: 'change', author: 'ann', in_force: false },
      { version: 1, reason: 'start', author: null, in_force: false },
    ]);
    await postern('rules', 'export', 'again');
    expect((await filesOf('again'))['decision.yaml']).toBe(text);

    // Since then, the first directory matches version 2.
    const late = await postern('rules', 'publish', 'out');
    expect(late.code).toBe(2);
    expect(late.stderr).toMatch(/^postern: other rules were published since out was exported/);
  });

  it('add and remove list entries as versions, also when several do it at once', async () => {
    const add = (value: string) =>
      postern('lists', 'deny', 'add', value, '--reason', 'fraud', '--owner', 'ann');
    const outcomes = await Promise.all(['a.example', 'b.example', 'c.example'].map(add));
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(outcomes[0]?.stdout).toBe(
      'a.example added to deny.yaml. Every instance takes it within two seconds.\n',
    );
    const entries = async () =>
      (await postern('lists', 'deny', 'list', '--json'))
        .json()
        .entries.map(({ value }: { value: string }) => value)
        .sort();
    expect(await entries()).toEqual(['a.example', 'b.example', 'c.example']);
    expect((await postern('lists', 'deny', 'remove', 'b.example')).code).toBe(0);
    expect(await entries()).toEqual(['a.example', 'c.example']);
    expect(await versions()).toHaveLength(5);
    const twice = await add('a.example');
    expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining('stands in deny.yaml already') });
    expect(await versions()).toHaveLength(5);
  });

  it('write no files of rules in the database, and name the command to edit them', async () => {
    for (const argv of [
      ['rules', 'lint', '--fix'],
      ['rules', 'schema'],
    ]) {
      const { code, stderr } = await postern(...argv);
      expect(code).toBe(2);
      expect(stderr).toContain('"postern rules export DIR" writes them as files');
    }
    await postern('rules', 'export', 'out');
    expect((await postern('rules', 'schema', '--dir', 'out')).code).toBe(0);
    expect((await postern('rules', 'lint', '--fix', '--dir', 'out')).code).toBe(0);
    // A checkout's rules are merged by version control, wherever they are published.
    expect((await postern('rules', 'upgrade')).code).toBe(2);
  });

  it('merge what is new in the shipped rules into the published ones, once', async () => {
    // Not a checkout: its rules are the shipped ones.
    await start(aWorld({}, false));
    await postern('lists', 'deny', 'add', 'a.example', '--reason', 'fraud', '--owner', 'ann');
    world.write('rules/domain.yaml', `${world.read('rules/domain.yaml')}# Newer.\n`);
    expect(await postern('rules', 'upgrade')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Merged into the database: domain.yaml +1.\n'),
    });
    const { code, stdout } = await postern('rules', 'upgrade', '--publish', '--author', 'ann');
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/Published\. Every instance takes it within two seconds\.\n$/),
    ]);
    expect(await versions()).toMatchObject([{ version: 3, author: 'ann' }, { version: 2 }, { version: 1 }]);
    await postern('rules', 'export', 'out');
    expect(world.read('out/domain.yaml')).toMatch(/# Newer\.\n$/);
    expect(world.read('out/deny.yaml')).toContain('a.example');
    expect(await postern('rules', 'upgrade')).toMatchObject({
      code: 0,
      stdout: 'The shipped rules have nothing new for yours.\n',
    });
  });

  it('report that nothing is published yet', async () => {
    await database.empty();
    const { code, stderr } = await postern('rules', 'lint');
    expect([code, stderr]).toEqual([
      2,
      'postern: no rules are published yet: the first start of the service does it\n',
    ]);
  });
});
