import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/app/config/load-config.ts';
import { startService } from '../../src/app/main.ts';
import { readRuleSources } from '../../src/checks/rules-directory.ts';
import { StartupError } from '../../src/errors.ts';
import { packageRoot } from '../../src/lib/paths.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** An installed program with its data beside it, not a checkout. */
function anInstallation() {
  const directory = temporaryDirectory();
  const [tree, dataDir] = [join(directory, 'program'), join(directory, 'data')];
  for (const name of ['config/default.yaml', 'rules']) {
    cpSync(join(packageRoot, name), join(tree, name), { recursive: true });
  }
  const env = { POSTERN__HTTP__PLAIN_PORT: 'null', POSTERN__DNS__SERVERS: '["127.0.0.1:9"]' };
  const start = async (more: Readonly<Record<string, string>> = {}) => {
    const how = { files: [], cwd: directory, port: 0, configDir: join(tree, 'config') };
    const lines: string[] = [];
    const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
    const service = await startService(await loadConfig({ ...how, dataDir, env: { ...env, ...more } }), log);
    return { stop: () => service.stop(), log: () => lines.join('') };
  };
  const once = async (more?: Readonly<Record<string, string>>) => {
    const service = await start(more);
    await service.stop();
    return service.log();
  };
  return {
    tree,
    dataDir,
    once,
    shipped: async () => (await readRuleSources(join(tree, 'rules'))).files,
    own: async () => (await readRuleSources(join(dataDir, 'rules'))).files,
    base: async () => (await readRuleSources(join(dataDir, 'rules/.shipped'))).files,
    edit(path: string, text: string) {
      writeFileSync(join(directory, path), `${readFileSync(join(directory, path), 'utf8')}${text}`);
    },
    async versions() {
      const storage = await openSqliteStorage({ file: join(dataDir, 'postern.db'), durability: 'commit' });
      onTestFinished(() => storage.close());
      return storage.ruleVersions.list();
    },
  };
}

const ENTRY = '\n- { value: x.example, reason: Sold., owner: risk }\n';

it('a first start fills data/rules with the shipped rules, their tests and schemas, and decides by them', async () => {
  const { dataDir, once, shipped, own, base, versions } = anInstallation();
  const log = await once();
  expect(await own()).toEqual(await shipped());
  expect(await base()).toEqual(await shipped());
  expect(readdirSync(join(dataDir, 'rules'))).toEqual(
    expect.arrayContaining(['README.md', 'schema', '.shipped']),
  );
  expect(existsSync(join(dataDir, 'rules/schema/group.json'))).toBe(true);
  expect(log).toContain('the rules directory is made and filled');
  expect(log).not.toContain('the shipped rules have changed');
  expect(await versions()).toHaveLength(1);
  expect(await once()).not.toContain('filled');
});

it('a later start does not change data/rules, whatever is shipped then, and logs that an upgrade is available', async () => {
  const { once, own, edit } = anInstallation();
  await once();
  edit('data/rules/deny.yaml', ENTRY);
  edit('program/rules/domain.yaml', '# Newer.\n');
  const before = await own();
  expect(await once()).toMatch(/the shipped rules have changed since yours began: .*postern rules upgrade/);
  expect(await own()).toEqual(before);
});

it('edited rules of a source tree that an upgrade has replaced are restored from the database', async () => {
  const { tree, once, own, base, shipped, edit, versions } = anInstallation();
  edit('program/rules/deny.yaml', ENTRY);
  edit('program/rules/decision.yaml', '# Ours.\n');
  rmSync(join(tree, 'rules/velocity.yaml'));
  rmSync(join(tree, 'rules/tests/velocity.yaml'));
  await once({ POSTERN__RULES__DIR: join(tree, 'rules') });
  const edited = await shipped();
  cpSync(join(packageRoot, 'rules'), join(tree, 'rules'), { recursive: true });

  const log = await once();
  expect(await own()).toEqual(edited);
  expect(log).toContain('"version":1,"msg":"the rules directory is made and filled"');
  expect(await versions()).toHaveLength(1);
  // For the other files it is unknown which shipped version they were edited from.
  const {
    'deny.yaml': _d,
    'decision.yaml': _e,
    'velocity.yaml': _v,
    'tests/velocity.yaml': _t,
    ...same
  } = await shipped();
  expect(await base()).toEqual(same);
});

it('restored rules that are invalid by now can be repaired in data/rules: the start lists the faults', async () => {
  const { tree, dataDir, once, edit } = anInstallation();
  await once({ POSTERN__RULES__DIR: join(tree, 'rules') });
  const storage = await openSqliteStorage({ file: join(dataDir, 'postern.db'), durability: 'commit' });
  const files = { 'deny.yaml': '- { value: 7 }\n' };
  await storage.ruleVersions.add(
    {
      hash: null,
      digest: 'd',
      reason: 'change',
      at: new Date(0).toISOString(),
      author: null,
      restores: null,
    },
    files,
  );
  await storage.close();
  await expect(once()).rejects.toThrow(join(dataDir, 'rules/deny.yaml:1:'));
  await expect(once()).rejects.toThrow(StartupError);
  rmSync(join(dataDir, 'rules/deny.yaml'));
  cpSync(join(tree, 'rules'), join(dataDir, 'rules'), { recursive: true });
  edit('data/rules/deny.yaml', ENTRY);
  expect(await once()).toContain('service started');
});

it('a data/rules that an image or a unit has filled is kept; its unedited files are recorded as the shipped base', async () => {
  const { tree, dataDir, once, own, base, shipped, edit } = anInstallation();
  mkdirSync(dataDir);
  cpSync(join(tree, 'rules'), join(dataDir, 'rules'), { recursive: true });
  edit('data/rules/deny.yaml', ENTRY);
  const before = await own();
  await once();
  expect(await own()).toEqual(before);
  const { 'deny.yaml': _, ...same } = await shipped();
  expect(await base()).toEqual(same);
});

it('a file that was edited after the first start has the shipped file as its base, if that has not changed since', async () => {
  const { tree, once, base, shipped, edit } = anInstallation();
  await once({ POSTERN__RULES__DIR: join(tree, 'rules') });
  edit('program/rules/deny.yaml', ENTRY);
  edit('program/rules/velocity.yaml', '# Ours.\n');
  rmSync(join(tree, 'rules/tests/velocity.yaml'));
  await once({ POSTERN__RULES__DIR: join(tree, 'rules') });
  cpSync(join(packageRoot, 'rules'), join(tree, 'rules'), { recursive: true });
  edit('program/rules/velocity.yaml', '# Newer.\n');

  await once();
  const { 'velocity.yaml': _, ...known } = await shipped();
  expect(await base()).toEqual(known);
});

it('a lost directory is filled again with the rules that were in force last', async () => {
  const { dataDir, once, own, edit } = anInstallation();
  await once();
  edit('data/rules/deny.yaml', ENTRY);
  await once();
  const before = await own();
  rmSync(join(dataDir, 'rules'), { recursive: true });
  await once();
  expect(await own()).toEqual(before);
});

it('a partly filled directory of a killed start is removed, and its files do not become rules', async () => {
  const { dataDir, once, own, shipped } = anInstallation();
  mkdirSync(join(dataDir, 'rules.part'), { recursive: true });
  writeFileSync(join(dataDir, 'rules.part/half.yaml'), 'group: ha');
  await once();
  expect(await own()).toEqual(await shipped());
  expect(existsSync(join(dataDir, 'rules.part'))).toBe(false);
});

it('a start that cannot fill the directory fails, and does not use other rules', async () => {
  const { dataDir, once } = anInstallation();
  mkdirSync(dataDir);
  symlinkSync('/nowhere/rules', join(dataDir, 'rules'));
  await expect(once()).rejects.toThrow(`${join(dataDir, 'rules')} cannot be filled with rules: E`);
});

it('where the base of the rules cannot be written, the start succeeds and keeps the rules as they are', async () => {
  const { dataDir, once, own } = anInstallation();
  await once();
  const before = await own();
  rmSync(join(dataDir, 'rules/.shipped/tests'), { recursive: true });
  // A directory in which no user can make a file, not even root.
  symlinkSync('/proc/self/task', join(dataDir, 'rules/.shipped/tests'));
  expect(await once()).toContain('service started');
  expect(await own()).toEqual(before);
});

it('a start logs that its rules differ from those before it, as after the source tree was replaced', async () => {
  const { tree, once, edit } = anInstallation();
  const inTree = { POSTERN__RULES__DIR: join(tree, 'rules') };
  edit('program/rules/deny.yaml', ENTRY);
  expect(await once(inTree)).not.toContain('the rules are others');
  expect(await once(inTree)).not.toContain('the rules are others');
  cpSync(join(packageRoot, 'rules'), join(tree, 'rules'), { recursive: true });
  expect(await once(inTree)).toContain('"version":1,"msg":"the rules are others than before this start');
});
