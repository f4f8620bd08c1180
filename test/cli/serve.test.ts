import { execFileSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isWellFormed } from '../../src/accounts/key.ts';
import { aWorld, type Outcome, type World } from './world.ts';

/** Serves until the ready line is printed, then stops the service. */
function serveOnce(world: World, ...argv: string[]): Promise<Outcome> {
  return serveOnceOn(false, world, ...argv);
}

function serveOnceOn(isTTY: boolean, world: World, ...argv: string[]): Promise<Outcome> {
  const host = Object.assign(new EventEmitter(), { exit: () => undefined });
  return world.postern(['serve', '--port', '0', ...argv], {
    isTTY,
    env: { POSTERN__LOG__LEVEL: 'silent' },
    process: host,
    onStdout: (soFar) => {
      if (/ready/.test(soFar)) queueMicrotask(() => host.emit('SIGTERM'));
    },
  });
}

describe('postern serve', () => {
  it('prints on a terminal at the first start the key with a ready curl line, the set-up link, then its addresses', async () => {
    const world = aWorld();
    const { code, stdout, stderr } = await serveOnceOn(true, world);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [key, ...others] = stdout.match(/pst_live_\w+/g) ?? [];
    expect(key).toMatch(/^pst_live_/);
    expect(isWellFormed(key ?? '')).toBe(true);
    expect(others).toEqual([key]);
    const [, port] = /^ready https:\/\/127\.0\.0\.1:(\d+)$/m.exec(stdout) ?? [];
    expect(stdout).toContain(
      `\n  curl --cacert data/tls/ca.pem https://localhost:${port}/v1/ -H 'Authorization: Bearer ${key}' ` +
        `-H 'Content-Type: application/json' -d '{"email":"jane.doe@gmail.com"}'\n`,
    );
    expect(stdout).toMatch(/\n {2}https:\/\/localhost:\d+\/setup#[\w-]{43}\n/);
    expect(stdout).toMatch(/\nready https:\S+\nplain http:\/\/127\.0\.0\.1:\d+\n$/);
    expect(existsSync(join(world.cwd, 'data/first-run.txt'))).toBe(false);
  });

  it('writes both into a private file where there is no terminal, and prints its path and a curl line that reads it', async () => {
    const world = aWorld();
    const { stdout, stderr } = await serveOnce(world);
    expect(stdout + stderr).not.toMatch(/pst_live_|setup#/);
    const [, port] = /^ready https:\/\/127\.0\.0\.1:(\d+)$/m.exec(stdout) ?? [];
    const text = world.read('data/first-run.txt');
    expect(text).toMatch(
      new RegExp(
        `^POSTERN_KEY=pst_live_\\w+\nPOSTERN_SETUP_LINK=https://localhost:${port}/setup#[\\w-]{43}\n$`,
      ),
    );
    expect(statSync(join(world.cwd, 'data/first-run.txt')).mode & 0o777).toBe(0o600);
    expect(stdout).toContain('are in data/first-run.txt, for its owner');
    const [, reading] = /-H "Authorization: Bearer \$\((.+?)\)"/.exec(stdout) ?? [];
    const read = execFileSync('sh', ['-c', String(reading)], { cwd: world.cwd, encoding: 'utf8' });
    expect(`POSTERN_KEY=${read.trim()}`).toBe(text.split('\n')[0]);
    expect(stdout).toMatch(/\nready https:\S+\nplain http:\/\/127\.0\.0\.1:\d+\n$/);

    expect((await serveOnce(world)).stdout).not.toContain('first-run.txt');
    expect(world.read('data/first-run.txt')).toBe(text);
  });

  it('writes only the key where the dashboard is off', async () => {
    const world = aWorld({ 'a.yaml': 'dashboard: { enabled: false }\n' });
    await serveOnce(world, '--config', 'a.yaml');
    const text = world.read('data/first-run.txt');
    expect(text).toMatch(/^POSTERN_KEY=pst_live_\w+\n$/);

    // It is switched on: the link joins the key, which is nowhere else.
    await serveOnce(world);
    const [key, link] = world.read('data/first-run.txt').split('\n');
    expect(`${key}\n`).toBe(text);
    expect(link).toMatch(/^POSTERN_SETUP_LINK=https:/);
  });

  it('serves where the file cannot be written, and says how to make another key and link', async () => {
    const world = aWorld({ 'data/first-run.txt/in-the-way': '' });
    const { code, stdout, stderr } = await serveOnce(world);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /first-run\.txt: .*cannot be written.*"postern keys create" and "postern people setup-link"/,
    );
    expect(stdout).toMatch(/^ready /);
  });

  it('prints at a later start only its addresses', async () => {
    const world = aWorld();
    await serveOnce(world);
    const { stdout } = await serveOnce(world);
    expect(stdout).toMatch(/^ready https:\S+\nplain http:\S+\n$/);
  });

  it('omits the plain line when that port is closed', async () => {
    const world = aWorld({ 'a.yaml': 'http: { port: 0, plain_port: null }\n' });
    const host = Object.assign(new EventEmitter(), { exit: () => undefined });
    const { stdout } = await world.postern(['serve', '--config', 'a.yaml'], {
      env: { POSTERN__LOG__LEVEL: 'silent' },
      process: host,
      onStdout: (soFar) => {
        if (/ready/.test(soFar)) queueMicrotask(() => host.emit('SIGINT'));
      },
    });
    expect(stdout).toMatch(/ready https:\S+\n$/);
  });

  it('prints the address of the metrics when they have a port of their own', async () => {
    const world = aWorld({ 'a.yaml': 'metrics: { port: 0 }\n' });
    const { stdout } = await serveOnce(world, '--config', 'a.yaml');
    expect(stdout).toMatch(/\nready \S+\nplain \S+\nmetrics http:\/\/127\.0\.0\.1:\d+\/metrics\n$/);
  });

  it('prints one JSON object with --json', async () => {
    const { json } = await serveOnce(aWorld(), '--json');
    expect(json()).toEqual({
      ready: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/),
      plain: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      metrics: null,
      ca_file: expect.stringMatching(/tls\/ca\.pem$/),
      first_key: null,
      setup_link: null,
      first_run_file: expect.stringMatching(/data\/first-run\.txt$/),
    });
    const { json: onTerminal } = await serveOnceOn(true, aWorld(), '--json');
    expect(onTerminal()).toMatchObject({
      first_key: expect.stringMatching(/^pst_live_/),
      setup_link: expect.stringMatching(/^https:\/\/localhost:\d+\/setup#[\w-]{43}$/),
      first_run_file: null,
    });
  });

  it('quotes a path that the shell would split', async () => {
    const { stdout } = await serveOnce(aWorld(), '--data-dir', "jane's data");
    expect(stdout).toContain(`curl --cacert 'jane'\\''s data/tls/ca.pem' https://`);
  });

  it.each([
    [
      'configuration',
      { 'a.yaml': 'http: { prot: 1 }\ncheck: { deadline_ms: soon }\n' },
      /prot[\s\S]+deadline_ms/,
    ],
    ['rules', { 'a.yaml': '', 'rules/a.yaml': 'group: a\n' }, /a\.yaml:1:1 error missing_key/],
    [
      'providers',
      { 'a.yaml': 'providers: { enabled: [sintax] }\n' },
      /no provider "sintax".*did you mean syntax/,
    ],
  ])('exits with 78 at faults of %s, lists them all and leaves no files behind', async (_, files, faults) => {
    const world = aWorld(files);
    const { code, stdout, stderr } = await serveOnce(world, '--config', 'a.yaml');
    expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
    expect(stderr).toMatch(faults);
    expect(readdirSync(world.cwd)).not.toContain('data');
  });
});
