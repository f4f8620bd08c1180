import { EventEmitter } from 'node:events';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isWellFormed } from '../../src/accounts/key.ts';
import { aWorld, type Outcome, type World } from './world.ts';

/** Serves until the line is there that says it is ready, then asks it to end. */
function serveOnce(world: World, ...argv: string[]): Promise<Outcome> {
  const host = Object.assign(new EventEmitter(), { exit: () => undefined });
  return world.postern(['serve', '--port', '0', ...argv], {
    env: { POSTERN__LOG__LEVEL: 'silent' },
    process: host,
    onStdout: (soFar) => {
      if (/ready/.test(soFar)) queueMicrotask(() => host.emit('SIGTERM'));
    },
  });
}

describe('postern serve', () => {
  it('prints at the first start the key with a ready curl line, then where it listens', async () => {
    const world = aWorld();
    const { code, stdout, stderr } = await serveOnce(world);
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
    expect(stdout).toMatch(/\nready https:\S+\nplain http:\/\/127\.0\.0\.1:\d+\n$/);
  });

  it('prints at a later start nothing but where it listens', async () => {
    const world = aWorld();
    await serveOnce(world);
    const { stdout } = await serveOnce(world);
    expect(stdout).toMatch(/^ready https:\S+\nplain http:\S+\n$/);
  });

  it('leaves the plain line out when that port is closed', async () => {
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

  it('says where the metrics are when they have a port of their own', async () => {
    const world = aWorld({ 'a.yaml': 'metrics: { port: 0 }\n' });
    const { stdout } = await serveOnce(world, '--config', 'a.yaml');
    expect(stdout).toMatch(/\nready \S+\nplain \S+\nmetrics http:\/\/127\.0\.0\.1:\d+\/metrics\n$/);
  });

  it('prints one JSON object for machines', async () => {
    const { json } = await serveOnce(aWorld(), '--json');
    expect(json()).toEqual({
      ready: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/),
      plain: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      metrics: null,
      ca_file: expect.stringMatching(/tls\/ca\.pem$/),
      first_key: expect.stringMatching(/^pst_live_/),
      setup_link: expect.stringMatching(/^https:\/\/localhost:\d+\/setup#[\w-]{43}$/),
    });
  });

  it('quotes a path that the shell would take apart', async () => {
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
  ])('ends with 78 at faults of %s, lists them all and leaves nothing behind', async (_, files, faults) => {
    const world = aWorld(files);
    const { code, stdout, stderr } = await serveOnce(world, '--config', 'a.yaml');
    expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
    expect(stderr).toMatch(faults);
    expect(readdirSync(world.cwd)).not.toContain('data');
  });
});
