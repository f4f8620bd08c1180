import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';
import { lockData } from '../../src/storage/file-lock.ts';
import { aWorldWith, trailOf } from './recorded-world.ts';

const RECORD = { id: 'chk_1', canonical: 'jane@example.org' };

it('refuses to look for a person under a different key than the records have, and names a remedy', async () => {
  const world = await aWorldWith(RECORD);
  const file = join(world.cwd, 'data/secrets/hmac.key');
  writeFileSync(file, Buffer.alloc(32, 9));
  const { code, stdout, stderr } = await world.postern(['checks', 'forget', 'jane@example.org']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('is another key than the database was used with: put the right one back');
  expect((await world.postern(['checks', 'show', 'chk_1'])).code).toBe(0);
});

it('replaces the key of the address hashes only together with the records that need it', async () => {
  const world = await aWorldWith(RECORD, { id: 'chk_2' });
  const file = join(world.cwd, 'data/secrets/hmac.key');
  rmSync(file);
  const refused = await world.postern(['secrets', 'replace', 'hmac']);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('--forget-old-records erases all (about 2)');

  const { code, stdout } = await world.postern(['secrets', 'replace', 'hmac', '--forget-old-records']);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'replaced: 2 records and 0 labels of people erased\n',
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await world.postern(['checks', 'show', 'chk_1'])).code).toBe(1);
  expect((await world.postern(['checks', 'forget', 'jane@example.org'])).stdout).toBe('nothing erased\n');
  const detail = { command: 'secrets replace hmac', records: 2, labels: 0 };
  expect(await trailOf(world)).toEqual([['command line', 'check.erased', null, detail]]);
});

it('keeps the previous key beside the new one', async () => {
  const world = await aWorldWith(RECORD);
  const { json } = await world.postern(['secrets', 'replace', 'session', '--json']);
  expect(json()).toEqual({
    replaced: 'session',
    kept: expect.stringContaining('session.key.replaced-'),
    erased: 0,
    labels: 0,
  });
  expect(readdirSync(join(world.cwd, 'data/secrets')).sort()).toEqual([
    'hmac.key',
    'session.key',
    expect.stringContaining('session.key.replaced-'),
  ]);
  expect((await world.postern(['secrets', 'replace', 'session'])).stdout).toContain(
    'all people sign in again',
  );
  expect((await world.postern(['checks', 'show', 'chk_1'])).code).toBe(0);
});

it.each([
  ['secrets', 'replace', 'hmac', '--forget-old-records'],
  ['checks', 'forget', 'jane@example.org'],
])('warns where what %s %s erased is still in a file, because another process reads it', async (...argv) => {
  const world = await aWorldWith(RECORD);
  const dataDir = join(world.cwd, 'data');
  using reader = new DatabaseSync(join(dataDir, 'postern.db'), { readOnly: true });
  reader.exec('BEGIN; SELECT id FROM checks');
  const program = join(packageRoot, 'bin/postern.js');
  const ran = spawnSync(process.execPath, [program, ...argv, '--data-dir', dataDir], { encoding: 'utf8' });
  expect([ran.status, ran.stdout]).toEqual([0, expect.stringMatching(/1 record.* erased/)]);
  expect(ran.stderr).toContain('deleted records stay in the write-ahead log while another process reads');
});

it('refuses to forget records for a key that finds none', async () => {
  const world = await aWorldWith(RECORD);
  const { code, stderr } = await world.postern(['secrets', 'replace', 'session', '--forget-old-records']);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'postern: --forget-old-records goes with hmac alone\n',
  });
  expect((await world.postern(['checks', 'show', RECORD.id])).code).toBe(0);
});

it('replaces nothing beside a running service', async () => {
  const world = await aWorldWith(RECORD);
  const dataDir = join(world.cwd, 'data');
  using _service = lockData({ dataDir, database: join(dataDir, 'postern.db') });
  const { code, stderr } = await world.postern(['secrets', 'replace', 'session']);
  expect(code).toBe(2);
  expect(stderr).toContain('another postern serves this data directory');
});
