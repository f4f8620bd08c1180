import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { idOf } from '../../src/lists/list-store.ts';
import { plainList, startListServer } from '../support/list-server.ts';
import { aWorld } from './world.ts';

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `d${i}.example`);

/** A set-up whose lists come from a server on loopback. */
async function setUp(lists = 1) {
  const server = await startListServer(plainList(numbered(20)));
  const urls = Array.from({ length: lists }, (_, i) => `${server.url}?${i}`);
  const world = aWorld({
    'config/local.yaml': `lists: { urls: ${JSON.stringify(urls)}, allow_private_addresses: true }\n`,
  });
  return { world, server, urls, names: urls.map(idOf) };
}

describe('lists update', () => {
  it('downloads every list and shows the result of each', async () => {
    const { world, urls, names } = await setUp(2);
    const { code, stdout, stderr } = await world.postern(['lists', 'update']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const name of names) expect(stdout).toMatch(new RegExp(`^${name} +taken +20 +20 +0$`, 'm'));
    const again = await world.postern(['lists', 'update', '--json']);
    expect(again.json()).toEqual({
      lists: urls.map((url, i) => ({
        ...{ url, id: names[i], result: 'unchanged', reason: null, entries: 20, added: 0, removed: 0 },
      })),
    });
    const directory = join(world.cwd, 'data/lists');
    const modes = readdirSync(directory).map((file) => statSync(join(directory, file)).mode & 0o777);
    expect(new Set(modes)).toEqual(new Set([0o600]));
  });

  it('downloads only the lists that are named, by name or address', async () => {
    const { world, urls, names } = await setUp(3);
    const { json } = await world.postern(['lists', 'update', names[0] ?? '', urls[2] ?? '', '--json']);
    expect(json().lists.map(({ url }: { url: string }) => url)).toEqual([urls[0], urls[2]]);
  });

  it('exits with 1 when a list is refused, gives the reason, and uses it only when it is accepted by name', async () => {
    const {
      world,
      server,
      names: [name = ''],
    } = await setUp();
    await world.postern(['lists', 'update']);
    server.answer = plainList([...numbered(5), 'gmail.com']);
    const refused = await world.postern(['lists', 'update']);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('it names what must never be listed: gmail.com (free provider)');
    const unnamed = await world.postern(['lists', 'update', '--accept']);
    expect(unnamed).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--accept takes only lists that you name'),
    });
    const accepted = await world.postern(['lists', 'update', name, '--accept', '--json']);
    expect(accepted.json().lists).toMatchObject([{ result: 'taken', entries: 5, removed: 15 }]);
  });

  it('refuses a list that contains an entry of the allow list, while that entry is valid', async () => {
    const { world, server } = await setUp();
    const allow = (value: string, ...more: string[]) =>
      world.postern(['lists', 'allow', 'add', value, '--reason', 'Ours.', '--owner', 'risk', ...more]);
    await allow('partner.example');
    world.write(
      'rules/allow.yaml',
      `${world.read('rules/allow.yaml')}- { value: old.example, reason: r, owner: o, expires: 2020-01-01 }\n`,
    );
    server.answer = plainList(['a.example', 'old.example']);
    expect((await world.postern(['lists', 'update'])).code).toBe(0);
    server.answer = plainList(['a.example', 'partner.example']);
    const { code, stdout } = await world.postern(['lists', 'update']);
    expect(code).toBe(1);
    expect(stdout).toContain('partner.example (your allow list)');
  });

  it('cannot run without lists, or for one that is not configured', async () => {
    expect(await aWorld().postern(['lists', 'update'])).toMatchObject({
      code: 2,
      stderr: 'postern: lists.urls is empty: there is nothing to download\n',
    });
    const {
      world,
      names: [name = ''],
    } = await setUp();
    expect(await world.postern(['lists', 'update', `${name}x`])).toMatchObject({
      code: 2,
      stderr: `postern: "${name}x" is no list of lists.urls (did you mean ${name}?)\n`,
    });
  });

  it('connects to nothing on this machine unless the configuration allows it', async () => {
    const { world, server } = await setUp();
    world.write('config/local.yaml', `lists: { urls: ["${server.url}"] }\n`);
    const { code, stdout } = await world.postern(['lists', 'update']);
    expect(code).toBe(1);
    expect(stdout).toContain('127.0.0.1 is at no public address');
    expect(server.asked).toEqual([]);
  });

  it('cannot run where the data directory cannot be written to', async () => {
    const { world } = await setUp();
    world.write('data/lists', '');
    const { code, stderr } = await world.postern(['lists', 'update']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^postern: E/);
  });
});

describe('lists rollback', () => {
  it('restores the previous list, and says that the service will not update it', async () => {
    const {
      world,
      server,
      names: [name = ''],
    } = await setUp();
    await world.postern(['lists', 'update']);
    server.answer = plainList(numbered(21));
    await world.postern(['lists', 'update']);
    const { code, stdout } = await world.postern(['lists', 'rollback']);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^${name} is what it was: 20 domains, taken at `));
    const { downloads } = (await world.postern(['lists', 'status', '--json'])).json();
    expect(downloads).toMatchObject([
      { list: name, state: 'held', entries: 20, earlier_snapshots: 0, next_attempt_at: null },
    ]);
    expect((await world.postern(['lists', 'rollback', name])).code).toBe(1);
  });

  it('requires the name of a list where there are several', async () => {
    const { world, names } = await setUp(2);
    expect(await world.postern(['lists', 'rollback'])).toMatchObject({
      code: 2,
      stderr: `postern: say which of the lists: ${names.join(', ')}\n`,
    });
    const { code, stderr } = await world.postern(['lists', 'rollback', names[1] ?? '']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `${names[1]} stays as it is: it was never downloaded\n`,
    });
  });
});

describe('lists status', () => {
  it.each(['status', 'update', 'rollback'])(
    'cannot %s while the shared database is unreachable',
    async (command) => {
      const { world } = await setUp();
      const env = { POSTERN__STORAGE__URL: 'postgres://ann:s3cret@127.0.0.1:1/none' };
      const { code, stderr } = await world.postern(['lists', command], { env });
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(
          /^postern: what is stored cannot be used: connect ECONNREFUSED 127\.0\.0\.1:1; /,
        ),
      ]);
    },
  );

  it('cannot run when the record of the downloads is damaged, and names a remedy', async () => {
    const { world } = await setUp();
    world.write('data/lists/state.json', '{');
    const { code, stderr } = await world.postern(['lists', 'status']);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /state\.json: not a state of lists that this version can read; without the file all is downloaded anew/,
    );
  });

  it('shows the address of a list without its password', async () => {
    const { world } = await setUp();
    const env = { POSTERN__LISTS__URLS: '["https://ann:s3cret@x.org/a.txt"]' };
    const { stdout } = await world.postern(['lists', 'status'], { env });
    const { downloads } = (await world.postern(['lists', 'status', '--json'], { env })).json();
    expect(stdout).toContain('https://ann:[redacted]@x.org/a.txt');
    expect(downloads).toMatchObject([{ url: 'https://ann:[redacted]@x.org/a.txt' }]);
  });

  it('shows the address of a list without its password also after an update, and where another was meant', async () => {
    const { world, server } = await setUp();
    const env = { POSTERN__LISTS__URLS: JSON.stringify([`${server.url}?passkey=s3cret`]) };
    const update = (...argv: string[]) => world.postern(['lists', 'update', ...argv, '--json'], { env });
    expect((await update()).json().lists).toMatchObject([{ url: `${server.url}?passkey=[redacted]` }]);
    const mistyped = await update(`${server.url}?passkey=s3cre`);
    expect(mistyped.stderr).toContain(`(did you mean ${server.url}?passkey=[redacted]?)`);
  });

  it('shows the age of each downloaded list and the reason of the last failure', async () => {
    const {
      world,
      server,
      urls: [url = ''],
      names: [name = ''],
    } = await setUp();
    const missing = (await world.postern(['lists', 'status', '--json'])).json().downloads;
    expect(missing).toMatchObject([
      { list: name, url, state: 'missing', age_hours: null, last_attempt: null },
    ]);
    await world.postern(['lists', 'update']);
    server.answer = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
    await world.postern(['lists', 'update']);
    const { downloads } = (await world.postern(['lists', 'status', '--json'])).json();
    expect(downloads).toEqual([
      {
        ...{ list: name, url, state: 'fresh', entries: 20, gone: 0, age_hours: 0, left_out: [] },
        ...{ earlier_snapshots: 0, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
        ...{
          taken_at: expect.any(String),
          confirmed_at: expect.any(String),
          next_attempt_at: expect.any(String),
        },
        last_attempt: { at: expect.any(String), result: 'refused', reason: 'it is HTML, not a list' },
      },
    ]);
    const { stdout } = await world.postern(['lists', 'status']);
    expect(stdout).toMatch(new RegExp(`^${name} +fresh +20 +0 +0 +refused `, 'm'));
    expect(stdout).toContain('it is HTML, not a list');
  });
});
