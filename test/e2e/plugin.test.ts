import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';
import { filesIn, readPage } from '../docs/markdown.ts';
import { aClient, keyOf, spawnPostern } from '../support/postern-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

it('docs/providers.md: a folder outside the checkout becomes a fact, a rule and a decision', async () => {
  const directory = temporaryDirectory();
  const all = filesIn(readPage('docs/providers.md'));
  const blocks = new Map([...all].slice(0, 5));
  cpSync(join(packageRoot, 'rules'), join(directory, 'rules'), { recursive: true });
  for (const [name, code] of blocks) {
    const file = join(directory, name);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, code);
  }
  expect([...blocks.keys()]).toEqual([
    'keyboard-walk/index.ts',
    'rules/pattern.yaml',
    'rules/tests/pattern.yaml',
    'plugin.yaml',
    'keyboard-walk/index.test.ts',
  ]);
  expect(blocks.get('keyboard-walk/index.ts')?.split('\n').length).toBeLessThanOrEqual(41);

  const dataDir = join(directory, 'data');
  const postern = spawnPostern({
    dataDir,
    args: ['--config', join(directory, 'plugin.yaml'), '--config', dnsOf(directory)],
  });
  onTestFinished(() => void postern.child.kill('SIGKILL'));
  const { httpsPort } = await postern.ready;
  const client = aClient(dataDir, httpsPort, keyOf(postern));
  const walk = await client.check('qwertyui@example.com');
  client.close();
  const record = new DatabaseSync(join(dataDir, 'postern.db'), { readOnly: true });
  const row = record.prepare('SELECT ledger FROM checks WHERE id = ?').get(walk.json.id);
  record.close();
  expect(JSON.parse(String(row?.ledger))).toContainEqual(
    expect.objectContaining({ kind: 'rule', id: 'keyboard_walk', points: 30 }),
  );
  // A plugin's facts appear in rules and records, not in the response.
  expect(Object.keys(walk.json.signals)).toEqual(['syntax', 'entropy', 'domain']);
});

/** Runs `postern check` with a provider made of these lines. */
function checkWith(provider: string, lines: readonly string[], ...options: readonly string[]) {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, provider));
  writeFileSync(join(directory, provider, 'index.ts'), lines.join('\n'));
  writeFileSync(join(directory, 'plugin.yaml'), `providers: { paths: [${provider}] }\n`);
  const argv = ['check', '--offline', 'jane@example.com', '--config', 'plugin.yaml', ...options];
  return spawnSync(process.execPath, [join(packageRoot, 'bin/postern.js'), ...argv], {
    cwd: directory,
    encoding: 'utf8',
  });
}

it('a provider that throws is told by `postern check`, with where it did', () => {
  const thrower = [
    "import { defineProvider } from 'postern/provider-kit';",
    'export default defineProvider({',
    "  id: 'thrower', apiVersion: 1, description: 'Throws.', stage: 'local',",
    "  facts: [{ id: 'thrower.seen', type: 'boolean', description: 'Never.', example: true }],",
    "  check: () => { throw new Error('boom'); },",
    '});',
  ];
  const { status, stdout, stderr } = checkWith('thrower', thrower);
  expect(status).toBe(0);
  expect(stdout).toContain('degraded: thrower');
  expect(stderr).toContain('"provider failed"');
  expect(stderr).toMatch(/Error: boom.*thrower\/index\.ts:5/);
});

it('what a plugin prints is no part of what a command answers', () => {
  const talker = [
    "import { defineProvider } from 'postern/provider-kit';",
    "console.log('loaded');",
    'export default defineProvider({',
    "  id: 'talker', apiVersion: 1, description: 'Talks.', stage: 'local',",
    "  facts: [{ id: 'talker.seen', type: 'boolean', description: 'Always.', example: true }],",
    "  check: () => { console.info('asked'); return { facts: { 'talker.seen': true } }; },",
    '});',
  ];
  const { status, stdout, stderr } = checkWith('talker', talker, '--json');
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ summary: { action: 'ALLOW' } });
  expect(stderr).toMatch(/^loaded\nasked\n/);
});

it('a plugin that leaves promises rejected is told in the log, and the service goes on', async () => {
  const directory = temporaryDirectory();
  const careless = [
    "import { defineProvider } from 'postern/provider-kit';",
    'const fail = async (text) => { await null; throw new Error(text); };',
    'export default defineProvider({',
    "  id: 'careless', apiVersion: 1, description: 'Looks after nothing.', stage: 'network', uses: ['store'],",
    "  facts: [{ id: 'careless.seen', type: 'boolean', description: 'Seen.', example: true }],",
    "  prepare: () => { void fail('refresh'); return { state: null }; },",
    '  check: async ({ raw }, { store }) => {',
    '    void fail(raw);',
    '    setTimeout(() => void fail(raw), 5);',
    "    void store.set('seen', { toString: () => { throw new Error(raw); } }, 60);",
    "    return { facts: { 'careless.seen': true } };",
    '  },',
    '});',
  ];
  mkdirSync(join(directory, 'careless'));
  writeFileSync(join(directory, 'careless/package.json'), '{"type":"module"}');
  writeFileSync(join(directory, 'careless/index.js'), careless.join('\n'));
  writeFileSync(join(directory, 'plugin.yaml'), 'providers: { paths: [careless] }\n');
  const dataDir = join(directory, 'data');
  const postern = spawnPostern({
    dataDir,
    args: ['--config', join(directory, 'plugin.yaml'), '--config', dnsOf(directory)],
  });
  onTestFinished(() => void postern.child.kill('SIGKILL'));
  const { httpsPort } = await postern.ready;
  const client = aClient(dataDir, httpsPort, keyOf(postern));
  for (const name of ['jane.roebuck', 'ann.smith', 'bob.lee'])
    expect((await client.check(`${name}@example.com`)).status).toBe(200);
  client.close();
  postern.child.kill('SIGTERM');
  expect(await postern.exited).toEqual({ code: 0, signal: null });
  const log = postern.stdout() + postern.stderr();
  const left = log.split('\n').filter((line) => line.includes('provider left a promise rejected'));
  expect(left.length).toBeGreaterThanOrEqual(7);
  const kinds = new Set<string>();
  for (const line of left) {
    const { provider, err } = JSON.parse(line);
    expect(provider).toBe('careless');
    kinds.add(err.type);
  }
  // The store refuses values that are not text.
  expect([...kinds].sort()).toEqual(['Error', 'TypeError']);
  expect(log).not.toMatch(/roebuck|smith|bob\.lee|bug: the process ends/);
});

/** No packet leaves for DNS: port 9 (discard) refuses at once. */
function dnsOf(directory: string): string {
  const file = join(directory, 'dns.yaml');
  writeFileSync(file, 'dns: { servers: ["127.0.0.1:9"] }\n');
  return file;
}
