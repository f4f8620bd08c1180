import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';
import { START_PATIENCE_MS } from '../../src/lib/time.ts';
import { aWorld } from './world.ts';

describe('postern config check', () => {
  it('exits with 0 when there is no fault', async () => {
    const { code, stdout } = await aWorld().postern(['config', 'check']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'The configuration has no fault.\n' });
  });

  it('lists every fault, including those of providers, on standard output and exits with 1', async () => {
    const world = aWorld({ 'a.yaml': 'http: { port: -1, hots: x }\n' });
    const { code, stdout, stderr } = await world.postern(['config', 'check', '--config', 'a.yaml']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(/^a\.yaml:1:9 http\.port /m);
    expect(stdout).toMatch(/^a\.yaml:1:19 http\.hots .*did you mean host/m);
    world.write('a.yaml', 'providers: { catch_all: { mod: live } }\n');
    const second = await world.postern(['config', 'check', '--config', 'a.yaml']);
    expect(second).toMatchObject({ code: 1, stdout: expect.stringContaining('providers.catch_all.mod') });
  });

  it('names after five seconds the providers that it waits for, and at the end reports that they are not ready', async () => {
    const started = Promise.withResolvers<void>();
    vi.stubGlobal('pluginStarted', started.resolve);
    const world = aWorld({
      'hangs/package.json': '{"type":"module"}',
      'hangs/index.js': 'pluginStarted(); await new Promise(() => {});',
      'a.yaml': 'providers: { paths: [hangs] }\n',
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const ran = world.postern(['config', 'check', '--config', 'a.yaml']);
      await started.promise;
      await vi.advanceTimersByTimeAsync(START_PATIENCE_MS);
      const { code, stdout, stderr } = await ran;
      expect(stderr).toMatch(
        /^warning: still waiting for provider hangs \(.*hangs\/index\.js\): its module has not finished loading$/m,
      );
      expect({ code, stdout }).toMatchObject({
        code: 1,
        stdout: expect.stringMatching(/hangs\/index\.js: cannot be loaded: is not ready after 30 seconds/),
      });
    } finally {
      vi.useRealTimers();
      vi.unstubAllGlobals();
    }
  });

  it('prints JSON with --json', async () => {
    const world = aWorld({ 'a.yaml': 'nonsense: 1\n' });
    const { code, json } = await world.postern(['config', 'check', '--json', '--config', 'a.yaml']);
    expect(code).toBe(1);
    expect(json()).toEqual({ faults: [expect.stringContaining('a.yaml:1:1 nonsense')] });
    expect((await world.postern(['config', 'check', '--json'])).json()).toEqual({ faults: [] });
  });

  it('also reads the files that paths name: all faults of certificate and rules at once', async () => {
    const world = aWorld({
      'a.yaml':
        'http: { tls: { cert_file: no.pem, key_file: my.key } }\nrules: { dir: nowhere, challenger_dir: a.yaml }\n',
      'my.key': 'no key',
    });
    const { code, json } = await world.postern(['config', 'check', '--json', '--config', 'a.yaml']);
    expect(code).toBe(1);
    expect(json().faults).toEqual([
      `http.tls.cert_file: ${world.cwd}/no.pem cannot be read (ENOENT)`,
      `http.tls.key_file: ${world.cwd}/my.key holds no PEM private key, or one with a passphrase`,
      `rules directory ${world.cwd}/nowhere: cannot be read: there is none (ENOENT)`,
      `rules directory ${world.cwd}/a.yaml: cannot be read: it is a file (ENOTDIR)`,
    ]);
  });

  it('reports a file that does not exist', async () => {
    const { code, stdout } = await aWorld().postern(['config', 'check', '--config', 'none.yaml']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/none\.yaml does not exist/) });
  });
});

describe('a local.yaml', () => {
  it('that is a link to a file that is gone is a fault, not left out', async () => {
    const world = aWorld();
    mkdirSync(join(world.cwd, 'data'));
    symlinkSync('/nowhere/postern.yaml', join(world.cwd, 'data/local.yaml'));
    const { code, stdout } = await world.postern(['config', 'check']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'data/local.yaml does not exist\n' });
  });

  // Only root can become another user.
  it.runIf(process.getuid?.() === 0).each([
    ['config', 'check'],
    ['health', '--port', '1'],
  ])('that this user may not look for is warned of by postern %s', async (...argv) => {
    const world = aWorld({ 'data/local.yaml': 'http: { port: 1 }' });
    const dataDir = join(world.cwd, 'data');
    chmodSync(dataDir, 0o700);
    const program = [join(packageRoot, 'bin/postern.js'), ...argv, '--data-dir', dataDir];
    const { stderr } = spawnSync(process.execPath, program, { uid: 65_534, gid: 65_534, encoding: 'utf8' });
    expect(stderr).toBe(
      `warning: ${dataDir}/local.yaml: is not read (this user may not look whether it is there)\n`,
    );
  });
});

describe('postern config show', () => {
  it('shows each value with its origin', async () => {
    const { code, stdout } = await aWorld().postern(['config', 'show'], {
      env: { POSTERN__HTTP__PORT: '9443' },
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^http\.port +9443 +POSTERN__HTTP__PORT$/m);
    expect(stdout).toMatch(/^http\.host +127\.0\.0\.1 +default$/m);
    expect(stdout).toMatch(/^http\.tls\.cert_file +null +default$/m);
    expect(stdout).toMatch(/^providers\.catch_all\.mode +cached +default$/m);
  });

  it('never shows a secret', async () => {
    const token = 'a-very-secret-token-of-the-metrics-page';
    for (const argv of [[], ['--json']]) {
      const { stdout, stderr } = await aWorld().postern(['config', 'show', ...argv], {
        env: { POSTERN__METRICS__TOKEN: token },
      });
      expect(stdout).toContain('[redacted]');
      expect(stdout + stderr).not.toContain(token);
    }
  });

  it('prints JSON with typed values, and the origin of --data-dir', async () => {
    const world = aWorld();
    const { json } = await world.postern(['config', 'show', '--json', '--data-dir', 'd']);
    expect(json().settings).toEqual(
      expect.arrayContaining([
        { key: 'data_dir', value: `${world.cwd}/d`, origin: '--data-dir' },
        { key: 'http.port', value: 8443, origin: 'default' },
        { key: 'dns.servers', value: [], origin: 'default' },
      ]),
    );
  });
});
