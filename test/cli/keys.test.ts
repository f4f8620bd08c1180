import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isWellFormed } from '../../src/accounts/key.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { aWorld, type World } from './world.ts';

async function aWorldWithAccount(name = 'Shop'): Promise<{ world: World; accountId: string }> {
  const world = aWorld();
  const { code, stdout } = await world.postern(['accounts', 'create', name]);
  expect(code).toBe(0);
  return { world, accountId: stdout.trim() };
}

const create = (world: World, account: string, ...more: string[]) =>
  world.postern(['keys', 'create', '--account', account, '--env', 'live', ...more]);

describe('postern accounts', () => {
  it('makes an account, prints only its id, and lists it', async () => {
    const { world, accountId } = await aWorldWithAccount();
    expect(accountId).toMatch(/^acc_[0-9A-Z]{26}$/);
    const { json } = await world.postern(['accounts', 'list', '--json']);
    expect(json()).toEqual({
      accounts: [{ id: accountId, name: 'Shop', created_at: expect.stringMatching(/^\d{4}-.*Z$/) }],
    });
    expect((await world.postern(['accounts', 'list'])).stdout).toMatch(
      new RegExp(`^account +name +created\n${accountId} +Shop +\\d{4}-`),
    );
  });

  it('prints the new account as JSON', async () => {
    const { json } = await aWorld().postern(['accounts', 'create', 'Shop', '--json']);
    expect(json()).toEqual({
      account: { id: expect.stringMatching(/^acc_/), name: 'Shop', created_at: expect.any(String) },
    });
  });

  it('makes the data directory with access for its owner only', async () => {
    const { world } = await aWorldWithAccount();
    expect(statSync(join(world.cwd, 'data')).mode & 0o777).toBe(0o700);
    expect(statSync(join(world.cwd, 'data/postern.db')).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['Shop', 'there is an account "Shop" already: acc_'],
    [' ', 'an account needs a name'],
    [' Shop 2', 'neither begins nor ends with a blank'],
    ['Shop\n2', 'on one line'],
    ['S'.repeat(101), 'at most 100 characters'],
    ['acc_1', 'the id of an account'],
  ])('refuses the name %j', async (name, complaint) => {
    const { world } = await aWorldWithAccount();
    const { code, stdout, stderr } = await world.postern(['accounts', 'create', name]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(complaint);
  });
});

it('accepts the name of an account with the joiners that Persian needs', async () => {
  const { world } = await aWorldWithAccount('نرم\u200Cافزار');
  expect((await world.postern(['accounts', 'list', '--json'])).json().accounts[0].name).toBe(
    'نرم\u200Cافزار',
  );
});

describe('postern keys', () => {
  it('prints only the secret on standard output, and shows it only this once', async () => {
    const { world, accountId } = await aWorldWithAccount();
    const { code, stdout, stderr } = await create(world, accountId, '--name', 'backend');
    expect(code).toBe(0);
    const secret = stdout.trimEnd();
    expect(secret).toMatch(/^pst_live_/);
    expect(isWellFormed(secret)).toBe(true);
    expect(stderr).toMatch(/^key_\S+ for Shop \(live\)\./);
    for (const argv of [
      ['keys', 'list'],
      ['keys', 'list', '--json'],
      ['accounts', 'list'],
    ]) {
      expect((await world.postern(argv)).stdout).not.toContain(secret);
    }
    expect(readFileSync(join(world.cwd, 'data/postern.db')).includes(secret)).toBe(false);
  });

  it.each([
    ['', 'a key needs a name'],
    ['a\u001b[31m', 'a name is on one line, of characters that can be seen'],
    ['a'.repeat(300), 'a name has at most 100 characters'],
  ])('refuses the key name %j and gives the reason', async (name, complaint) => {
    const { world, accountId } = await aWorldWithAccount();
    const { code, stdout, stderr } = await create(world, accountId, '--name', name);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: `postern: ${complaint}\n` });
    expect((await world.postern(['keys', 'list', '--json'])).json()).toEqual({ keys: [] });
  });

  it('accepts the exact name of the account too, and makes test keys', async () => {
    const { world, accountId } = await aWorldWithAccount();
    const { json } = await world.postern([
      ...['keys', 'create', '--account', 'Shop', '--env', 'test', '--json'],
    ]);
    expect(json()).toEqual({
      key: {
        id: expect.stringMatching(/^key_/),
        account_id: accountId,
        environment: 'test',
        name: null,
        prefix: expect.stringMatching(/^pst_test_.{4}$/),
        created_at: expect.any(String),
        revoked_at: null,
        seen_in_clear_at: null,
        expires_at: null,
        replaced_by: null,
      },
      secret: expect.stringMatching(/^pst_test_/),
    });
  });

  it.each([
    ['keys', 'create', '--env', 'live'],
    ['keys', 'list'],
  ])('exits %s %s with 1 when the account does not exist', async (...argv) => {
    const { world } = await aWorldWithAccount();
    const { code, stdout, stderr } = await world.postern([...argv, '--account', 'shop']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('there is no account "shop"');
  });

  it('lists the keys of one account when it is named, with their state', async () => {
    const { world, accountId } = await aWorldWithAccount();
    await world.postern(['accounts', 'create', 'Other']);
    await create(world, accountId, '--name', 'backend');
    await create(world, 'Other');
    const all = (await world.postern(['keys', 'list', '--json'])).json().keys;
    const shop = (await world.postern(['keys', 'list', '--account', 'Shop', '--json'])).json().keys;
    expect(all).toHaveLength(2);
    expect(shop).toEqual(all.filter((key: { account_id: string }) => key.account_id === accountId));
    const { stdout } = await world.postern(['keys', 'list']);
    expect(stdout).toMatch(/^key_\S+ +Shop +live +backend +pst_live_.{4}… +\S+Z +active$/m);
  });

  it('revokes a key by its id and keeps the time of the first revocation', async () => {
    const { world, accountId } = await aWorldWithAccount();
    const id = (await create(world, accountId, '--json')).json().key.id;
    const first = await world.postern(['keys', 'revoke', id]);
    expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(`^${id} revoked at \\d{4}-`) });
    const again = await world.postern(['keys', 'revoke', id, '--json']);
    expect(first.stdout).toContain(again.json().key.revoked_at);
    expect((await world.postern(['keys', 'list'])).stdout).toMatch(/ revoked \d{4}-\S+$/m);
  });

  it('records in the audit trail what is made, rotated and revoked', async () => {
    const { world, accountId } = await aWorldWithAccount();
    const id = (await create(world, accountId, '--json')).json().key.id;
    const next = (await world.postern(['keys', 'rotate', id, '--json'])).json().key.id;
    await world.postern(['keys', 'revoke', next]);
    const storage = await openSqliteStorage({
      file: join(world.cwd, 'data/postern.db'),
      durability: 'commit',
    });
    const trail = await storage.peopleStorage.trail.list({ limit: 10 });
    await storage.close();
    expect(trail.map(({ person, action, subject }) => [person, action, subject]).toReversed()).toEqual([
      ['command line', 'account.created', accountId],
      ['command line', 'key.issued', id],
      ['command line', 'key.rotated', id],
      ['command line', 'key.revoked', next],
    ]);
  });

  it('exits with 1 when the key to revoke does not exist', async () => {
    const { world } = await aWorldWithAccount();
    const { code, stderr } = await world.postern(['keys', 'revoke', 'key_none']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'there is no key "key_none"\n' });
  });

  it('rotates a key: prints only the new secret, and lists the end of the old one', async () => {
    const { world, accountId } = await aWorldWithAccount();
    const { key: old, secret: first } = (await create(world, accountId, '--json')).json();
    const { code, stdout, stderr } = await world.postern(['keys', 'rotate', old.id]);
    expect(code).toBe(0);
    const secret = stdout.trimEnd();
    expect(secret).toMatch(/^pst_live_/);
    expect(isWellFormed(secret)).toBe(true);
    expect(secret).not.toBe(first);
    expect(stderr).toMatch(new RegExp(`^key_\\S+ takes the place of ${old.id}, which works until \\d{4}-`));
    const [before, after] = (await world.postern(['keys', 'list', '--json'])).json().keys;
    expect(before).toMatchObject({ id: old.id, replaced_by: after.id, revoked_at: null });
    // A day after the successor was made; storing it took milliseconds.
    expect(Date.parse(before.expires_at) - Date.parse(after.created_at)).toBeGreaterThanOrEqual(86_400_000);
    expect((await world.postern(['keys', 'list'])).stdout).toMatch(
      new RegExp(`^${old.id} .* ends \\d{4}-\\S+: use ${after.id}$`, 'm'),
    );
  });

  it('ends the old secret at once with --grace 0, and prints both keys as JSON', async () => {
    const { world, accountId } = await aWorldWithAccount();
    const old = (await create(world, accountId, '--name', 'backend', '--json')).json().key;
    const { json } = await world.postern(['keys', 'rotate', old.id, '--grace', '0', '--json']);
    const { key, secret, previous } = json();
    expect(key).toMatchObject({ account_id: accountId, environment: 'live', name: 'backend' });
    expect(secret).toMatch(/^pst_live_/);
    expect(previous).toEqual({ ...old, expires_at: expect.any(String), replaced_by: key.id });
    expect((await world.postern(['keys', 'list'])).stdout).toMatch(
      new RegExp(`^${old.id} .* ended \\d{4}-\\S+$`, 'm'),
    );
  });

  it('cannot rotate a key that is already rotated or revoked, and exits with 1 when the key does not exist', async () => {
    const { world, accountId } = await aWorldWithAccount();
    const old = (await create(world, accountId, '--json')).json().key.id;
    const next = (await world.postern(['keys', 'rotate', old, '--json'])).json().key.id;
    expect(await world.postern(['keys', 'rotate', old])).toMatchObject({
      code: 2,
      stderr: `postern: "${old}" was rotated before: ${next} takes its place\n`,
    });
    await world.postern(['keys', 'revoke', next]);
    expect((await world.postern(['keys', 'rotate', next])).stderr).toMatch(/was revoked at \d{4}-/);
    expect(await world.postern(['keys', 'rotate', 'key_none'])).toMatchObject({
      code: 1,
      stderr: 'there is no key "key_none"\n',
    });
  });

  it.each(['-1', '1', '24 h', '1w', '91d', '', '0h0'])('refuses %j as a grace period', async (grace) => {
    const { code, stderr } = await aWorld().postern(['keys', 'rotate', 'key_1', `--grace=${grace}`]);
    expect(code).toBe(2);
    expect(stderr).toContain('30m, 24h or 7d, at most 90d, or 0');
  });

  it.each([
    [['keys', 'list']],
    [['keys', 'revoke', 'key_1']],
    [['keys', 'rotate', 'key_1']],
    [['keys', 'create', '--account', 'a', '--env', 'live']],
    [['accounts', 'list']],
    [['checks', 'show', 'chk_1']],
    [['checks', 'forget', 'a@b.org']],
  ])('cannot run %j without a database, names the path and makes none', async (argv) => {
    const world = aWorld();
    const { code, stdout, stderr } = await world.postern([...argv, '--data-dir', 'elsewhere']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(join(world.cwd, 'elsewhere/postern.db'));
    expect(existsSync(join(world.cwd, 'elsewhere'))).toBe(false);
  });

  it('cannot run on a file that is not a database', async () => {
    const world = aWorld({
      'data/postern.db': 'not a database at all, but long enough to look at'.repeat(20),
    });
    const { code, stderr } = await world.postern(['keys', 'list']);
    expect(code).toBe(2);
    expect(stderr).toContain('data/postern.db');
  });
});
