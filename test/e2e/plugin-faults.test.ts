import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';
import { aClient, keyOf, type PosternProcess, spawnPostern } from '../support/postern-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const declaration = (id: string, more: string) => `
import { defineProvider } from 'postern/provider-kit';
export default defineProvider({
  id: '${id}', apiVersion: 1, description: 'Of a test.', stage: 'local',
  facts: [{ id: '${id}.seen', type: 'boolean', description: 'Seen.', example: true }],
  check: () => ({ facts: { '${id}.seen': true } }),
  ${more}
});`;

/** A provider that puts the address into all that it throws, rejects later, or answers against its declaration. */
const MALICIOUS = `
const evil = (text) => Object.assign(new Error(text), { name: text, code: text, cause: new Error(text), [text]: text });
const leave = async (text) => { await null; throw evil(text); };
const throwLater = (text) => {
  setTimeout(() => { throw evil(text); }, 1);
  setImmediate(() => { throw text; });
  process.nextTick(() => { throw evil(text); });
  queueMicrotask(() => { throw evil(text); });
};
let seen = 'nothing.yet';
void leave('import');
throwLater('import');
`;
const MALICIOUS_LOCAL = `${MALICIOUS}
let turn = 0;
export default {
  id: 'evil_local', apiVersion: 1, description: 'Of a test.', stage: 'local', uses: ['log', 'store'],
  facts: [{ id: 'evil_local.seen', type: 'boolean', description: 'Seen.', example: true, never_unknown: true }],
  prepare() {
    void leave(seen);
    throwLater(seen);
    if (seen !== 'nothing.yet') throw evil(seen);
    return { state: null };
  },
  check({ raw, localPart }, { log, store }) {
    seen = raw;
    void leave(raw);
    throwLater(localPart);
    void store.set('seen', { toString: () => { throw evil(raw); } }, 60);
    log.warn({ err: evil(raw) }, 'it fails');
    switch (turn++ % 6) {
      case 0: throw evil(raw);
      case 1: return { facts: { 'evil_local.seen': raw, [raw]: true } };
      case 2: return { get facts() { throw evil(raw); } };
      case 3: return { unknown: raw, detail: raw };
      case 4: return { facts: { 'evil_local.seen': true }, evidence: { toJSON: () => { throw evil(raw); } } };
      default: return Promise.reject(evil(raw));
    }
  },
};`;
const MALICIOUS_NETWORK = `${MALICIOUS}
export default {
  id: 'evil_network', apiVersion: 1, description: 'Of a test.', stage: 'network', timeoutMs: 20,
  facts: [{ id: 'evil_network.seen', type: 'boolean', description: 'Seen.', example: true }],
  check: ({ raw }, { signal }) => {
    signal.addEventListener('abort', () => { throw evil(raw); });
    signal.onabort = () => { throw evil(raw); };
    return new Promise((resolve, reject) => setTimeout(() => reject(evil(raw)), 40));
  },
};`;

function write(directory: string, plugins: Readonly<Record<string, string>>): void {
  for (const [name, source] of Object.entries(plugins)) {
    mkdirSync(join(directory, name));
    writeFileSync(join(directory, name, 'package.json'), '{"type":"module"}');
    writeFileSync(join(directory, name, 'index.js'), source);
  }
  const names = Object.keys(plugins).join(', ');
  // No packet leaves for DNS: port 9 (discard) refuses at once.
  const config = ['dns: { servers: ["127.0.0.1:9"] }', 'metrics: { token: see-all-of-it-at-once }'];
  writeFileSync(join(directory, 'plugin.yaml'), [`providers: { paths: [${names}] }`, ...config].join('\n'));
}

async function serve(directory: string) {
  const dataDir = join(directory, 'data');
  const postern = spawnPostern({ dataDir, args: ['--config', join(directory, 'plugin.yaml')] });
  onTestFinished(() => void postern.child.kill('SIGKILL'));
  const { httpsPort } = await postern.ready;
  const client = aClient(dataDir, httpsPort, keyOf(postern));
  onTestFinished(() => client.close());
  const metrics = aClient(dataDir, httpsPort, '', {
    method: 'GET',
    path: '/metrics',
    headers: { authorization: 'Bearer see-all-of-it-at-once' },
  });
  onTestFinished(() => metrics.close());
  return { postern, client, metrics: async () => (await metrics.check('')).text };
}

const logOf = ({ stdout, stderr }: PosternProcess) => stdout() + stderr();
const linesOf = (postern: PosternProcess) =>
  logOf(postern)
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

it('a plugin that fails wherever its code runs fails no check and no reload, is counted, and no line quotes an address', async () => {
  const directory = temporaryDirectory();
  write(directory, { 'evil-local': MALICIOUS_LOCAL, 'evil-network': MALICIOUS_NETWORK });
  const { postern, client, metrics } = await serve(directory);
  for (let turn = 0; turn < 12; turn++) {
    const { status, json, headers } = await client.check(`Zebra.Quagga${turn}@Example.com`);
    expect({ status, json }).toMatchObject({ status: 200, json: { summary: { action: 'ALLOW' } } });
    expect(headers['postern-degraded']).toContain('evil_network');
  }
  await expect
    .poll(() => linesOf(postern).filter(({ provider }) => provider === 'evil_network').length)
    .toBeGreaterThanOrEqual(24);
  postern.child.kill('SIGHUP');
  // A reload tests the rules first, in a separate process.
  await expect.poll(() => logOf(postern)).toContain('rules not reloaded');
  expect(linesOf(postern).find(({ msg }) => msg.startsWith('rules not reloaded'))).toMatchObject({
    faults: [
      expect.stringMatching(
        /^provider "evil_local": cannot prepare: Error at \/.*evil-local\/index\.js:\d+:\d+$/,
      ),
    ],
  });
  expect((await client.check('Zebra.Quagga@Example.com')).status).toBe(200);

  const exposed = await metrics();
  const countOf = (provider: string, fault: string) =>
    Number(
      new RegExp(
        `^postern_provider_faults_total\\{provider="${provider}",fault="${fault}"\\} (\\d+)$`,
        'm',
      ).exec(exposed)?.[1],
    );
  expect(countOf('evil_local', 'failed')).toBeGreaterThanOrEqual(4);
  expect(countOf('evil_local', 'breach')).toBeGreaterThanOrEqual(8);
  // Six for each check: the promise, four callbacks and what the port rejected with.
  expect(countOf('evil_local', 'left_behind')).toBeGreaterThanOrEqual(6 * 12);
  expect(countOf('evil_network', 'left_behind')).toBeGreaterThanOrEqual(2 * 12);
  expect(countOf('syntax', 'failed')).toBe(0);

  postern.child.kill('SIGTERM');
  expect(await postern.exited).toEqual({ code: 0, signal: null });
  expect(logOf(postern).toLowerCase()).not.toMatch(/zebra|quagga|bug:|internal_error/);
  const messages = new Set(linesOf(postern).map(({ msg }) => msg));
  for (const said of [
    'provider failed',
    'provider left a promise rejected',
    'provider threw outside of its answer',
  ])
    expect(messages).toContain(said);
});

it('a plugin that leaves promises and callbacks to fail lets a command answer, and says whose they are', () => {
  const directory = temporaryDirectory();
  write(directory, { careless: `${MALICIOUS}${declaration('careless', '')}` });
  const argv = ['check', '--offline', 'jane@example.com', '--config', join(directory, 'plugin.yaml')];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(packageRoot, 'bin/postern.js'), ...argv],
    { cwd: directory, encoding: 'utf8' },
  );
  expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringMatching(/^ALLOW/) });
  expect(stderr).toContain('postern: provider careless failed outside of its answer: import');
  expect(stderr).not.toContain('internal error');
});

it('SIGHUP takes rules and no code: the log says which plugin has changed on the disk, by its files, and which has not', async () => {
  const directory = temporaryDirectory();
  write(directory, {
    changed: `import './part.js'; void import('./later.js');${declaration('changed', '')}`,
    same: `import '../shared.js';${declaration('same', "prepare: () => ({ state: setTimeout(() => { throw 'late'; }) }),")}`,
  });
  writeFileSync(join(directory, 'shared.js'), 'export {};');
  for (const file of ['part.js', 'later.js', 'unused.js'])
    writeFileSync(join(directory, 'changed', file), 'export {};');
  const { postern } = await serve(directory);
  const lines = () => linesOf(postern).filter(({ msg }) => /code/.test(msg));
  const reload = async (count: number) => {
    postern.child.kill('SIGHUP');
    await expect.poll(() => lines().length).toBe(count);
  };
  appendFileSync(join(directory, 'changed/unused.js'), '// Nobody loads it.');
  await reload(1);
  expect(lines()[0]).toMatchObject({
    level: 'info',
    providers: ['changed', 'same'],
    msg: 'the code of these providers has not changed',
  });
  for (const file of ['changed/part.js', 'changed/later.js', 'changed/index.js', 'shared.js'])
    appendFileSync(join(directory, file), '// Changed.');
  await reload(3);
  const says = 'provider has changed since the start; code is loaded at the start only: restart';
  expect(lines().slice(1)).toMatchObject([
    { level: 'warn', provider: 'changed', files: ['index.js', 'later.js', 'part.js'], msg: says },
    { level: 'warn', provider: 'same', files: ['../shared.js'], msg: says },
  ]);
  // The rules' tests ran in a separate process, where the plugin causes the same rejections.
  expect(logOf(postern)).toContain('rules loaded');
});
