import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { applyPatch } from 'diff';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/app/config/load-config.ts';
import { readRuleSources } from '../../src/checks/rules-directory.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { fillRules } from '../../src/rule-lab/versions/shipped-rules.ts';
import { digestOf } from '../../src/rules/rule-files.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { readPage } from '../docs/markdown.ts';
import { expectSample } from '../docs/sample.ts';
import { aWorld, type World } from './world.ts';

/** As the first start leaves it: data/rules is filled, and in force. */
async function anInstallation() {
  const world = aWorld({}, false);
  const where = { files: [], env: {}, cwd: world.cwd, configDir: join(world.cwd, 'config') };
  const { config } = await loadConfig(where);
  mkdirSync(config.dataDir);
  await withStorage(world, async ({ ruleVersions: versions }) => {
    expect(await fillRules(config.rules, { versions, log: createLogger('silent') })).toBe(true);
    const files = await onDisk(world);
    const version = { hash: 'aaaa', digest: digestOf(files), author: null, restores: null } as const;
    await versions.add({ ...version, reason: 'start', at: new Date(0).toISOString() }, files);
  });
  /** An edit of one line of a file, in data/rules or in the rules that are shipped now. */
  const edit = (path: string, from: string | RegExp, to: string) => {
    const text = world.read(path);
    expect(text).toMatch(from);
    world.write(path, text.replace(from, to));
  };
  return {
    world,
    edit,
    upgrade: (...options: string[]) => world.postern(['rules', 'upgrade', ...options]),
  };
}

async function withStorage(
  { cwd }: World,
  work: (storage: Awaited<ReturnType<typeof openSqliteStorage>>) => Promise<unknown>,
) {
  const storage = await openSqliteStorage({ file: join(cwd, 'data/postern.db'), durability: 'commit' });
  await work(storage).finally(() => storage.close());
}

const onDisk = async ({ cwd }: World) => (await readRuleSources(join(cwd, 'data/rules'))).files;
const firstLine = /^.*\n/;

describe('rules upgrade', () => {
  it('reports that there is nothing new, as text and as JSON', async () => {
    const { upgrade } = await anInstallation();
    const { code, stdout } = await upgrade();
    expect([code, stdout]).toEqual([0, 'The shipped rules have nothing new for yours.\n']);
    expect((await upgrade('--json')).json()).toMatchObject({ offered: [], published: false });
  });

  it('shows the changes in the shipped rules and the merged result, and writes nothing', async () => {
    const { world, edit, upgrade } = await anInstallation();
    edit('rules/domain.yaml', firstLine, '$&# Newer.\n');
    edit('data/rules/deny.yaml', /$/, '\n- { value: x.example, reason: Sold., owner: risk }\n');
    const before = await onDisk(world);
    const { code, stdout } = await upgrade();
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Changed in the shipped rules: domain\.yaml \+1\.\n--- a\/domain\.yaml\n/);
    expect(stdout).toContain('\n+# Newer.\n');
    expect(stdout).toMatch(
      /\n\nMerged into data\/rules: domain\.yaml \+1\.\nIt would be taken\. Nothing is written before --publish\.\n$/,
    );
    expect(await onDisk(world)).toEqual(before);
    const { diff } = (await upgrade('--json')).json();
    expect(applyPatch(before['domain.yaml'] ?? '', diff)).toBe(world.read('rules/domain.yaml'));
  });

  it('publishes the merged rules as the next version, with its author, and does not offer them again', async () => {
    const { world, edit, upgrade } = await anInstallation();
    edit('rules/domain.yaml', firstLine, '$&# Newer.\n');
    edit('data/rules/domain.yaml', /$/, '# Ours.\n');
    world.write('rules/hosting.yaml', 'group: hosting\ndescription: New.\nmax_score: 10\nrules: []\n');
    rmSync(join(world.cwd, 'rules/tests/velocity.yaml'));
    const own = await onDisk(world);
    const { code, stdout } = await upgrade('--publish', '--author', 'jane');
    expect(stdout).toContain(
      '\nMerged into data/rules: domain.yaml +1, hosting.yaml new, tests/velocity.yaml deleted.\n',
    );
    expect(stdout).toMatch(
      /\nPublished\. A running service takes it within seconds, as a new version; .*\n$/,
    );
    expect(code).toBe(0);
    const { 'tests/velocity.yaml': _, ...others } = own;
    const files = await onDisk(world);
    expect(files).toEqual({
      ...others,
      'domain.yaml': `${own['domain.yaml']}`.replace(firstLine, '$&# Newer.\n'),
      'hosting.yaml': world.read('rules/hosting.yaml'),
    });
    await withStorage(world, async ({ ruleVersions: versions }) => {
      // The rules that it was merged into had never been in force.
      const [draft] = await versions.list();
      expect(draft).toMatchObject({ reason: 'draft', digest: digestOf(own) });
      const taken = { hash: 'bbbb', digest: digestOf(files), at: new Date(0).toISOString() };
      const added = await versions.add(
        { ...taken, reason: 'change', author: 'owner', restores: null },
        files,
      );
      expect(added).toMatchObject({ version: 3, author: 'jane', reason: 'change' });
    });
    expect((await upgrade()).code).toBe(0);
  });

  it('merges into a file that an editor has given other line ends, which stay', async () => {
    const { world, edit, upgrade } = await anInstallation();
    edit('data/rules/domain.yaml', firstLine, '# Ours.\n$&');
    const own = world.read('data/rules/domain.yaml').replaceAll('\n', '\r\n');
    world.write('data/rules/domain.yaml', own);
    edit('rules/domain.yaml', /$/, '# Newer.\n');
    const { code, stdout } = await upgrade('--publish');
    expect(stdout).not.toContain('conflict');
    expect(code).toBe(0);
    expect(world.read('data/rules/domain.yaml')).toBe(`${own}# Newer.\r\n`);
  });

  it('names each conflict by file and line, and writes nothing, with any option', async () => {
    const { world, edit, upgrade } = await anInstallation();
    edit('rules/domain.yaml', /max_score: \d+/, 'max_score: 71');
    edit('data/rules/domain.yaml', firstLine, '# Ours.\n$&');
    edit('data/rules/domain.yaml', /max_score: \d+/, 'max_score: 72');
    rmSync(join(world.cwd, 'data/rules/velocity.yaml'));
    edit('rules/velocity.yaml', firstLine, '$&# Newer.\n');
    edit('data/rules/tests/velocity.yaml', firstLine, '$&# Ours.\n');
    rmSync(join(world.cwd, 'rules/tests/velocity.yaml'));
    const before = await onDisk(world);
    const line = world.read('data/rules/domain.yaml').split('\n').indexOf('max_score: 72') + 1;
    for (const options of [[], ['--publish']]) {
      const { code, stdout } = await upgrade(...options);
      expect(code).toBe(1);
      expect(stdout).toContain(
        [
          `data/rules/domain.yaml:${line} conflict: you have changed what was changed in the shipped rules`,
          'data/rules/tests/velocity.yaml:1 conflict: you have changed what is not shipped any more',
          'data/rules/velocity.yaml:1 conflict: you have deleted what was changed in the shipped rules',
          'Nothing is written. Say for each file --own FILE',
        ].join('\n'),
      );
      expect(await onDisk(world)).toEqual(before);
    }
    expect((await upgrade('--json')).json()).toMatchObject({
      conflicts: [{ file: 'domain.yaml', line }, { file: 'tests/velocity.yaml' }, { file: 'velocity.yaml' }],
      changes: [],
      published: false,
    });
  });

  it('publishes when a side of each conflict is chosen; replaced local text is kept as a draft', async () => {
    const { world, edit, upgrade } = await anInstallation();
    edit('rules/domain.yaml', /^description: .*$/m, 'description: Newer.');
    edit('data/rules/domain.yaml', /^description: .*$/m, 'description: Ours.');
    edit('rules/velocity.yaml', /^description: .*$/m, 'description: Newer.');
    edit('data/rules/velocity.yaml', /^description: .*$/m, 'description: Ours.');
    const own = await onDisk(world);
    expect((await upgrade('--publish', '--own', 'domain.yaml')).code).toBe(1);
    const { code, stdout } = await upgrade('--publish', '--own', 'domain.yaml', '--shipped', 'velocity.yaml');
    expect([code, stdout]).toEqual([0, expect.stringContaining('\nPublished. ')]);
    const files = await onDisk(world);
    expect(files).toEqual({ ...own, 'velocity.yaml': world.read('rules/velocity.yaml') });
    const draft = await world.postern(['rules', 'show', '2', '--file', 'velocity.yaml']);
    expect(draft.stdout).toBe(own['velocity.yaml']);
    expect((await upgrade()).code).toBe(0);
    // The next change of another line is merged without a conflict.
    edit('rules/domain.yaml', firstLine, '# Newer still.\n$&');
    expect((await upgrade('--publish')).code).toBe(0);
    expect(world.read('data/rules/domain.yaml')).toMatch(/# Newer still\.\n[\s\S]*description: Ours\./);
  });

  it('can be declined: local text stays, and the same change is not offered again', async () => {
    const { world, edit, upgrade } = await anInstallation();
    edit('rules/domain.yaml', firstLine, '$&# Newer.\n');
    world.write('rules/hosting.yaml', 'group: hosting\ndescription: New.\nmax_score: 10\nrules: []\n');
    const before = await onDisk(world);
    const { code, stdout } = await upgrade('--publish', '--own', 'domain.yaml', '--own', 'hosting.yaml');
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/\nMerged .*: no file\.\nNoted: these changes are not offered any more\.\n$/),
    ]);
    expect(await onDisk(world)).toEqual(before);
    expect((await upgrade()).code).toBe(0);
  });

  it('can be rolled back, and is not offered again after that', async () => {
    const { world, edit, upgrade } = await anInstallation();
    const before = await onDisk(world);
    edit('rules/domain.yaml', firstLine, '$&# Newer.\n');
    expect((await upgrade('--publish')).code).toBe(0);
    expect((await world.postern(['rules', 'rollback', '1'])).code).toBe(0);
    expect(await onDisk(world)).toEqual(before);
    expect((await upgrade()).code).toBe(0);
  });

  it('writes nothing that the service would refuse: lint and tests of the merged rules run first', async () => {
    const { world, edit, upgrade } = await anInstallation();
    edit('rules/tests/domain.yaml', /$/, '- { name: never, facts: {}, expect: { action: BLOCK } }\n');
    const before = await onDisk(world);
    const failing = await upgrade('--publish');
    expect(failing.code).toBe(1);
    expect(failing.stdout).toMatch(
      /\n {2}data\/rules\/tests\/domain\.yaml:\d+:3 test "never" failed: action expected BLOCK, was ALLOW\nIt would be refused; nothing is written\.\n$/,
    );
    edit('rules/domain.yaml', 'domain.is_known_disposable', 'retired.fact');
    const { faults } = (await upgrade('--publish', '--json')).json();
    expect(faults.join()).toContain('error unknown_fact');
    expect(await onDisk(world)).toEqual(before);
  });

  it('requires a side for each file that differs where the base of the local rules is unknown', async () => {
    const { world, edit, upgrade } = await anInstallation();
    rmSync(join(world.cwd, 'data/rules/.shipped'), { recursive: true });
    edit('data/rules/domain.yaml', firstLine, '$&# Ours.\n');
    const { code, stdout } = await upgrade();
    expect(code).toBe(1);
    expect(stdout).toContain('--- a/domain.yaml\n+++ b/domain.yaml\n');
    expect(stdout).toContain(
      '\ndata/rules/domain.yaml:1 conflict: it differs from the shipped file, and it is not known what it began as\n',
    );
    expect((await upgrade('--publish', '--own', 'domain.yaml')).code).toBe(0);
    edit('rules/domain.yaml', /$/, '# Newer.\n');
    expect((await upgrade('--publish')).code).toBe(0);
    expect(world.read('data/rules/domain.yaml')).toMatch(/# Ours\.\n[\s\S]*# Newer\.\n$/);
  });

  it('is mentioned in one line after other commands on these rules, only while it is offered', async () => {
    const { world, edit } = await anInstallation();
    const line = /^the shipped rules have changed since yours began: "postern rules upgrade" .*\n$/;
    const status = () => world.postern(['rules', 'status', '--json']);
    expect((await status()).stderr).toBe('');
    edit('rules/domain.yaml', firstLine, '$&# Newer.\n');
    const { code, stderr, json } = await status();
    expect([code, stderr]).toEqual([0, expect.stringMatching(line)]);
    expect(json().on_disk.state).toBe('same');
    expect((await world.postern(['rules', 'lint', '--dir', 'rules'])).stderr).toBe('');
    expect((await world.postern(['rules', 'upgrade', '--publish'])).stderr).toBe('');
    expect((await status()).stderr).toBe('');
  });

  it.each([
    [
      'a file that neither has',
      ['--own', 'constructor'],
      'neither your rules nor the shipped ones have a file "constructor"',
    ],
    [
      'a file on both sides',
      ['--own', 'a.yaml', '--shipped', 'a.yaml'],
      '"a.yaml" is named by --own and by --shipped',
    ],
  ])('refuses %s', async (_, options, message) => {
    const { edit, upgrade } = await anInstallation();
    edit('rules/domain.yaml', firstLine, '$&# Newer.\n');
    const { code, stderr } = await upgrade(...options);
    expect([code, stderr]).toEqual([2, `postern: ${message}\n`]);
  });

  it('does not run in a checkout, for another directory, or before the first start', async () => {
    const { world } = await anInstallation();
    const set = await world.postern(['rules', 'upgrade'], { env: { POSTERN__RULES__DIR: 'rules' } });
    expect([set.code, set.stderr]).toEqual([
      2,
      expect.stringContaining('version control merges what is shipped'),
    ]);
    rmSync(join(world.cwd, 'data/rules'), { recursive: true });
    const early = await world.postern(['rules', 'upgrade']);
    expect([early.code, early.stderr]).toEqual([2, expect.stringContaining('the first start makes it')]);
    world.write('src/a.ts', '');
    expect((await world.postern(['rules', 'upgrade'])).stderr).toContain('in a checkout');
  });

  it('names the file that it could not write', async () => {
    const { world, edit, upgrade } = await anInstallation();
    edit('rules/tests/domain.yaml', firstLine, '$&# Newer.\n');
    rmSync(join(world.cwd, 'data/rules/tests'), { recursive: true });
    // A directory in which no user can make a file, not even root.
    symlinkSync('/proc/self/task', join(world.cwd, 'data/rules/tests'));
    const { code, stderr } = await upgrade('--publish', '--shipped', 'tests/domain.yaml');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/data\/rules\/tests\S* cannot be written: E/)]);
  });

  it('prints what docs/cli.md shows, and has the form in JSON', async () => {
    const { edit, upgrade } = await anInstallation();
    edit('rules/domain.yaml', 'max_score: 90', 'max_score: 85');
    edit('data/rules/domain.yaml', 'max_score: 90', 'max_score: 95');
    expectSample('rules upgrade', (await upgrade()).stdout);
    edit('data/rules/domain.yaml', 'max_score: 95', 'max_score: 90');
    edit('rules/domain.yaml', firstLine, '$&# Newer.\n');
    const example = /^```json rules-upgrade\n(.*)\n```/m.exec(readPage('docs/cli.md'))?.[1];
    const { json } = await upgrade('--json');
    expect(Object.keys(json())).toEqual(Object.keys(JSON.parse(example ?? '{}')));
  });
});

describe('before the first start', () => {
  it("commands read the shipped rules, and none writes into the program's directory", async () => {
    const world = aWorld({}, false);
    const shipped = await readRuleSources(join(world.cwd, 'rules'));
    const run = async (...argv: string[]) => (await world.postern(argv)).code;
    expect(await run('rules', 'lint')).toBe(0);
    expect(await run('rules', 'test')).toBe(0);
    expect(await run('config', 'check')).toBe(0);
    expect(await run('check', 'jane@gmail.com', '--offline')).toBe(0);
    expect(await run('rules', 'lint', '--fix')).toBe(2);
    expect(await run('rules', 'schema')).toBe(2);
    const add = await world.postern(['lists', 'deny', 'add', 'x.org', '--reason', 'r', '--owner', 'o']);
    expect([add.code, add.stderr]).toEqual([
      2,
      expect.stringMatching(
        /^postern: there is no rules directory at .*data\/rules: .* The first start makes it\.\n$/,
      ),
    ]);
    expect(await readRuleSources(join(world.cwd, 'rules'))).toEqual(shipped);
  });
});
