import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRuleSources } from '../../src/checks/rules-directory.ts';
import { digestOf, type RuleFiles } from '../../src/rules/rule-files.ts';
import type { RuleVersion, RuleVersionStore } from '../../src/storage/rule-ports.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { expectDocumented, expectSample } from '../docs/sample.ts';
import { aWorld, type World } from './world.ts';

const AT = '2026-11-20T10:00:00.000Z';
const HASH = '0123456789abcdef';

/** Opens the history of the service for as long as `work` takes. */
async function withVersions<T>(
  world: World,
  work: (versions: RuleVersionStore) => Promise<T> | T,
): Promise<T> {
  mkdirSync(join(world.cwd, 'data'), { recursive: true });
  const file = join(world.cwd, 'data/postern.db');
  const storage = await openSqliteStorage({ file, durability: 'commit' });
  try {
    return await work(storage.ruleVersions);
  } finally {
    await storage.close();
  }
}

const onDisk = async (world: World) => (await readRuleSources(join(world.cwd, 'rules'))).files;

/** As the service does when it activates the rules on the disk. */
async function activate(world: World, hash: string, more: Partial<RuleVersion> = {}): Promise<RuleFiles> {
  const files = await onDisk(world);
  const version = {
    hash,
    digest: digestOf(files),
    reason: 'change',
    at: AT,
    author: 'jo',
    restores: null,
    ...more,
  };
  await withVersions(world, (versions) => versions.add(version as RuleVersion, files));
  return files;
}

/** Three versions: as shipped, with a comment, and that without the tests of velocity. */
async function aHistory() {
  const world = aWorld();
  const shipped = await activate(world, 'aaaa000000000000', { reason: 'start' });
  world.write('rules/decision.yaml', `${world.read('rules/decision.yaml')}# Tried in May.\n`);
  await activate(world, 'bbbb000000000000');
  rmSync(join(world.cwd, 'rules/tests/velocity.yaml'));
  await activate(world, 'bbbb000000000000');
  return { world, shipped };
}

/** A text whose last lines are replaced. */
function rewritten(text: string, removed: number, added: number): string {
  const kept = text.trimEnd().split('\n').slice(0, -removed);
  return `${[...kept, ...Array.from({ length: added }, (_, line) => `# ${line}`)].join('\n')}\n`;
}

describe('rules history', () => {
  it('lists what was in force, newest first, with who brought it and what it changed', async () => {
    const { world } = await aHistory();
    const { code, stdout } = await world.postern(['rules', 'history']);
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.replace(/ +/g, ' ').trim())).toEqual([
      'version ruleset since author by changed',
      `3 bbbb000000000000 ${AT} jo change tests/velocity.yaml deleted`,
      `2 bbbb000000000000 ${AT} jo change decision.yaml +1`,
      `1 aaaa000000000000 ${AT} jo start 11 files`,
      '',
    ]);
  });

  it('prints what docs/cli.md shows', async () => {
    const world = aWorld();
    for (let version = 1; version <= 12; version += 1) {
      world.write('rules/decision.yaml', `${world.read('rules/decision.yaml')}# ${version}\n`);
      await activate(world, HASH);
    }
    const before = await onDisk(world);
    const { 'domain.yaml': domain = '', 'tests/domain.yaml': tests = '' } = before;
    world.write('rules/domain.yaml', rewritten(domain, 2, 9));
    world.write('rules/tests/domain.yaml', rewritten(tests, 1, 6));
    await activate(world, HASH, { author: 'postern (owns domain.yaml)', at: '2026-11-21T15:02:37.120Z' });
    for (const [file, text] of Object.entries(before)) world.write(`rules/${file}`, text);
    await activate(world, HASH, {
      author: 'jane',
      at: '2026-11-21T16:20:11.482Z',
      reason: 'rollback',
      restores: 12,
    });
    const { stdout, stderr } = await world.postern(['rules', 'history', '--limit', '2']);
    expectSample('rules history --limit 2', `${stdout}${stderr}`);
  });

  it('shows at most as many as asked for, and says that there are more', async () => {
    const { world } = await aHistory();
    const { stdout, stderr } = await world.postern(['rules', 'history', '--limit', '1']);
    expect(stdout.split('\n')).toHaveLength(3);
    expect(stderr).toBe('2 older ones: --limit shows more\n');
    const mistaken = await world.postern(['rules', 'history', '--limit', '0']);
    expect(mistaken.code).toBe(2);
  });

  it('has the form in JSON that docs/cli.md shows', async () => {
    const { world } = await aHistory();
    const { json } = await world.postern(['rules', 'history', '--json']);
    expect(json().versions.map(({ in_force: is }: { in_force: boolean }) => is)).toEqual([
      true,
      false,
      false,
    ]);
    expectDocumented('rules-history', json());
  });

  it('cannot run where no service has run', async () => {
    const { code, stderr } = await aWorld().postern(['rules', 'history']);
    expect(code).toBe(2);
    expect(stderr).toContain('there is no database at');
  });
});

describe('rules show', () => {
  it('finds a version by its number, its hash, or the beginning of its hash: the newest that has it', async () => {
    const { world } = await aHistory();
    const version = async (word: string) => {
      const { code, stdout, stderr } = await world.postern(['rules', 'show', word]);
      return code === 0 ? stdout.split('\n')[0]?.replace(/ +/g, ' ') : `${code} ${stderr.trim()}`;
    };
    expect(await version('1')).toBe('version 1');
    expect(await version('v2')).toBe('version 2');
    expect(await version('bbbb')).toBe('version 3, the last in force');
    expect(await version('AAAA000000000000')).toBe('version 1');
    expect(await version('9')).toBe('1 there is no version "9"');
    expect(await version('latest')).toBe('1 there is no version "latest"');
    await activate(world, 'aaaa111111111111');
    expect(await version('aaaa')).toBe(
      '2 postern: "aaaa" is the beginning of several: aaaa111111111111, aaaa000000000000',
    );
  });

  it('prints a file as it was', async () => {
    const { world, shipped } = await aHistory();
    const shown = await world.postern(['rules', 'show', '1', '--file', 'tests/velocity.yaml']);
    expect(shown.stdout).toBe(shipped['tests/velocity.yaml']);
    const missing = await world.postern(['rules', 'show', '3', '--file', 'tests/velocity.yaml']);
    expect([missing.code, missing.stdout]).toEqual([1, '']);
    expect(missing.stderr).toContain('version 3 has no file "tests/velocity.yaml": address.yaml, ');
    for (const word of ['constructor', '__proto__']) {
      const { code, stderr } = await world.postern(['rules', 'show', '1', '--file', word]);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`version 1 has no file "${word}": `)]);
    }
  });

  it('prints the change of a version as a patch that can be reverted', async () => {
    const { world, shipped } = await aHistory();
    const { stdout } = await world.postern(['rules', 'show', '2', '--diff']);
    expect(stdout).toMatch(/^--- a\/decision\.yaml\n\+\+\+ b\/decision\.yaml\n@@ .* @@\n/);
    const { applyPatch } = await import('diff');
    expect(applyPatch(shipped['decision.yaml'] ?? '', stdout)).toBe(world.read('rules/decision.yaml'));
    const deleted = await world.postern(['rules', 'show', '3', '--diff']);
    expect(deleted.stdout).toContain('--- a/tests/velocity.yaml\n+++ /dev/null\n');
    const coloured = await world.postern(['rules', 'show', '2', '--diff'], { isTTY: true });
    expect(coloured.stdout).toContain('\u001b[32m+# Tried in May.');
  });

  it('has the form in JSON that docs/cli.md shows, and accepts one question at a time', async () => {
    const { world, shipped } = await aHistory();
    const { json } = await world.postern(['rules', 'show', '2', '--diff', '--json']);
    const { files, ...rest } = json();
    expect(Object.keys(files)).toEqual(Object.keys(shipped));
    expectDocumented('rules-show', { ...rest, files: {} });
    const both = await world.postern(['rules', 'show', '2', '--diff', '--file', 'deny.yaml']);
    expect(both.code).toBe(2);
  });
});

describe('rules status', () => {
  it('shows what is in force and that the directory is the same', async () => {
    const { world } = await aHistory();
    const { code, stdout } = await world.postern(['rules', 'status']);
    expect([code, stdout]).toEqual([
      0,
      `in force: bbbb000000000000, version 3 since ${AT} (change), by jo\nrules: the same\n`,
    ]);
  });

  it('shows what differs, and whether the service would accept it', async () => {
    const { world, shipped } = await aHistory();
    world.write('rules/decision.yaml', shipped['decision.yaml'] ?? '');
    const good = await world.postern(['rules', 'status']);
    expect([good.code, good.stdout]).toEqual([
      0,
      expect.stringContaining('rules: decision.yaml -1; would be taken'),
    ]);
    world.write('rules/deny.yaml', '- { value: 7 }\n');
    const bad = await world.postern(['rules', 'status']);
    expect(bad.code).toBe(1);
    expect(bad.stdout).toMatch(/would be refused\n {2}rules\/deny\.yaml:1:\d+ error /);
    rmSync(join(world.cwd, 'rules'), { recursive: true });
    const gone = await world.postern(['rules', 'status', '--json']);
    expect([gone.code, gone.json().on_disk.state]).toEqual([1, 'unreadable']);
  });

  it('shows when rules of the directory start and expire', async () => {
    const { world } = await aHistory();
    const dated = `id: dated, description: D., owner: o, mode: live, starts: 2098-02-01, expires: 2098-06-30, event: { type: points, params: { points: 5 } }`;
    const conditions = 'conditions: { all: [{ fact: syntax.valid_format, operator: equal, value: false }] }';
    world.write(
      'rules/dated.yaml',
      `group: dated\ndescription: D.\nmax_score: 9\nrules: [{ ${dated}, ${conditions} }]\n`,
    );
    expect((await world.postern(['rules', 'status'])).stdout).toMatch(
      /\n {2}dated starts at 2098-02-01T00:00:00\.000Z\n {2}dated ends at 2098-07-01T00:00:00\.000Z\n$/,
    );
    const { json } = await world.postern(['rules', 'status', '--json']);
    expect(json().on_disk.dates[0]).toEqual({
      ...{ id: 'dated', change: 'starts', at: '2098-02-01T00:00:00.000Z' },
    });
  });

  it('names the failed test, with the expected and the actual result', async () => {
    const { world } = await aHistory();
    const test = '- { name: never, facts: {}, expect: { action: BLOCK } }\n';
    world.write('rules/tests/mine.yaml', test);
    const { code, stdout } = await world.postern(['rules', 'status']);
    expect(code).toBe(1);
    expect(stdout).toContain(
      '  rules/tests/mine.yaml:1:3 test "never" failed: action expected BLOCK, was ALLOW\n',
    );
  });

  it('repeats what the service has refused, and nothing twice', async () => {
    const { world } = await aHistory();
    const faults = [`${join(world.cwd, 'rules')}/a.yaml:1:1 error wrong_shape something`];
    await withVersions(world, (versions) =>
      versions.complain({ kind: 'refused', at: AT, digest: null, faults }),
    );
    const { code, stdout, json } = await world.postern(['rules', 'status', '--json']);
    expect(code).toBe(1);
    expect(stdout).toContain(faults[0]);
    expectDocumented('rules-status', json());
    const text = await world.postern(['rules', 'status']);
    expect(text.stdout).toContain(
      `refused by the service at ${AT}; it goes on with what is in force\n  rules/a.yaml:1:1 error wrong_shape something\n`,
    );
    const failing = { kind: 'failing', at: AT, digest: null, faults } as const;
    await withVersions(world, (versions) => versions.complain(failing));
    expect((await world.postern(['rules', 'status'])).stdout).toContain('though its tests failed at');
  });

  it('reports that nothing was in force yet', async () => {
    const world = aWorld();
    await withVersions(world, () => undefined);
    const { code, stdout } = await world.postern(['rules', 'status']);
    expect([code, stdout.split('\n')[0]]).toEqual([
      0,
      'in force: nothing yet; the first start puts the rules directory in force',
    ]);
  });
});

describe('rules rollback', () => {
  it('restores the old files, deleted ones too, and tells the service who did it', async () => {
    const { world, shipped } = await aHistory();
    world.write('rules/mine.yaml', world.read('rules/deny.yaml'));
    await activate(world, 'cccc000000000000');
    const { code, stdout } = await world.postern(['rules', 'rollback', 'aaaa', '--author', 'jane']);
    expect(code).toBe(0);
    expect(stdout).toContain(
      'rules is what it was in version 1: decision.yaml -1, mine.yaml deleted, tests/velocity.yaml new.\n',
    );
    expect(await onDisk(world)).toEqual(shipped);
    await activate(world, 'aaaa000000000000', { author: 'root (owns decision.yaml)' });
    const { json } = await world.postern(['rules', 'history', '--json']);
    expect(json().versions[0]).toMatchObject({ version: 5, author: 'jane', reason: 'rollback', restores: 1 });
  });

  it('keeps what was never in force as a draft, even if it is invalid', async () => {
    const { world } = await aHistory();
    world.write('rules/deny.yaml', '- { value: 7 }\n');
    const { stdout } = await world.postern(['rules', 'rollback', '1']);
    expect(stdout).toContain('What lay in rules was never in force: it is kept as version 4.\n');
    const draft = await world.postern(['rules', 'show', '4', '--file', 'deny.yaml']);
    expect(draft.stdout).toBe('- { value: 7 }\n');
    const { json } = await world.postern(['rules', 'history', '--json']);
    expect(
      json().versions.map(({ reason, ruleset }: Record<string, unknown>) => [reason, ruleset])[0],
    ).toEqual(['draft', null]);
  });

  it('keeps the lists with the option', async () => {
    const { world, shipped } = await aHistory();
    const deny = '- { value: x.example, reason: Test., owner: tests }\n';
    world.write('rules/deny.yaml', deny);
    const env = { POSTERN__RULES__WATCH: 'false' };
    const { stdout } = await world.postern(['rules', 'rollback', '1', '--keep-lists'], { env });
    expect(stdout).toMatch(/\nA running service takes it at SIGHUP, as a new version\.\n$/);
    expect(await onDisk(world)).toEqual({ ...shipped, 'deny.yaml': deny });
  });

  it('writes nothing that the service would refuse now', async () => {
    const { world } = await aHistory();
    const rule = world.read('rules/domain.yaml').replace('domain.is_known_disposable', 'retired.fact');
    const good = world.read('rules/domain.yaml');
    world.write('rules/domain.yaml', rule);
    await activate(world, 'dddd000000000000');
    world.write('rules/domain.yaml', good);
    const { code, stdout, stderr } = await world.postern(['rules', 'rollback', 'dddd']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^version 4 would be refused now; nothing is written:\n {2}rules\/domain\.yaml:\d+:\d+ /,
    );
    const json = await world.postern(['rules', 'rollback', 'dddd', '--json']);
    expect([json.code, json.stderr, json.json()]).toEqual([
      1,
      '',
      {
        ...{ restored: null, ruleset: null, changes: [], draft: null },
        faults: expect.arrayContaining([expect.stringContaining('rules/domain.yaml:')]),
      },
    ]);
    expect(world.read('rules/domain.yaml')).toBe(good);
  });

  it('does nothing where the directory has that version already, and reports a version that does not exist', async () => {
    const { world } = await aHistory();
    const same = await world.postern(['rules', 'rollback', '3']);
    expect([same.code, same.stdout]).toEqual([0, 'rules holds version 3 already.\n']);
    const none = await world.postern(['rules', 'rollback', '7']);
    expect([none.code, none.stderr]).toEqual([1, 'there is no version "7"\n']);
  });

  it('goes back to what is in force without announcing a version that will not come', async () => {
    const { world } = await aHistory();
    world.write('rules/deny.yaml', '[]\n');
    const { stdout } = await world.postern(['rules', 'rollback', '3', '--author', 'jane']);
    expect(stdout).toMatch(/\nThat is what was put in force last\.\n$/);
    await activate(world, 'bbbb000000000000');
    const { json } = await world.postern(['rules', 'history', '--json']);
    expect(json().versions[0].author).toBe('jo');
  });

  it('has the form in JSON that docs/cli.md shows', async () => {
    const { world } = await aHistory();
    const { json } = await world.postern(['rules', 'rollback', '1', '--json']);
    expectDocumented('rules-rollback', json());
  });

  it('does not change what it cannot read', async () => {
    const { world } = await aHistory();
    rmSync(join(world.cwd, 'rules/deny.yaml'));
    mkdirSync(join(world.cwd, 'rules/deny.yaml'));
    const { code, stderr } = await world.postern(['rules', 'rollback', '1']);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^postern: rules cannot be read, so what lies there cannot be kept:\n.*deny\.yaml: cannot be read: it is a directory \(EISDIR\)/,
    );
  });

  it('names the file that it could not write', async () => {
    const { world, shipped } = await aHistory();
    rmSync(join(world.cwd, 'rules/tests'), { recursive: true });
    // A directory in which no user can make a file, not even root.
    symlinkSync('/proc/self/task', join(world.cwd, 'rules/tests'));
    const remark = world.read('rules/decision.yaml');
    const { code, stderr } = await world.postern(['rules', 'rollback', '1']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/rules\/tests(\/\w+\.yaml)? cannot be written: E/),
    ]);
    expect(world.read('rules/decision.yaml')).toBe(remark);
    const { json } = await world.postern(['rules', 'history', '--json']);
    expect(json().versions[0].reason).toBe('draft');
    // A later version with the same files is not recorded as this rollback.
    rmSync(join(world.cwd, 'rules/tests'));
    for (const [path, text] of Object.entries(shipped)) world.write(`rules/${path}`, text);
    await activate(world, 'aaaa000000000000');
    const after = await world.postern(['rules', 'history', '--json']);
    expect(after.json().versions[0]).toMatchObject({ author: 'jo', reason: 'change', restores: null });
  });

  // Root can write to every folder.
  it.skipIf(process.getuid?.() === 0)(
    'reports that it may not write to the directory before it has written a file',
    async () => {
      const { world, shipped } = await aHistory();
      const before = await onDisk(world);
      chmodSync(join(world.cwd, 'rules/tests'), 0o555);
      const { code, stderr } = await world.postern(['rules', 'rollback', '1']);
      chmodSync(join(world.cwd, 'rules/tests'), 0o755);
      expect(code).toBe(2);
      expect(stderr).toMatch(/rules\/tests cannot be written: EACCES/);
      expect(await onDisk(world)).toEqual(before);
      expect(before).not.toEqual(shipped);
    },
  );
});
