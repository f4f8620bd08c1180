import { Writable } from 'node:stream';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { KeyAuthenticator } from '../../src/accounts/authenticator.ts';
import { createSecret, hashSecret } from '../../src/accounts/key.ts';
import { KeyService } from '../../src/accounts/key-service.ts';
import { MemoryAccountStore, MemoryKeyStore } from './stores.ts';

const START = Date.parse('2026-11-20T10:00:00.000Z');
const HOUR = 3_600_000;

const REFUSED = { code: 'invalid_api_key' };

describe('KeyService', () => {
  let accounts: MemoryAccountStore;
  let keys: MemoryKeyStore;
  let now: number;
  let logged: string[];
  let service: KeyService;

  beforeEach(() => {
    accounts = new MemoryAccountStore();
    keys = new MemoryKeyStore();
    now = START;
    logged = [];
    const sink = new Writable({
      write(line, _encoding, done) {
        logged.push(String(line));
        done();
      },
    });
    service = new KeyService(accounts, keys, { now: () => now }, pino(sink));
  });

  it('makes accounts whose ids sort by creation time', async () => {
    const made = [await service.createAccount('a'), await service.createAccount('b')];
    expect(made[0]?.id).toMatch(/^acc_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(made[0]).toMatchObject({ name: 'a', createdAt: '2026-11-20T10:00:00.000Z' });
    expect(made.map(({ id }) => id)).toEqual(made.map(({ id }) => id).toSorted());
    expect(await service.listAccounts()).toEqual(made);
  });

  it.each([
    ['acc_1', 'invalid_request', 'what begins with acc_ is the id of an account'],
    [' ', 'invalid_request', 'an account needs a name'],
    ['Shop', 'name_taken', 'there is an account "Shop" already: acc_'],
  ])('makes no account of the name %j', async (name, code, message) => {
    await service.createAccount('Shop');
    await expect(service.createAccount(name)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
    expect(await service.listAccounts()).toHaveLength(1);
  });

  it('shows a secret once and stores only its hash', async () => {
    const { id: accountId } = await service.createAccount('a');
    const { key, secret } = await service.createKey({ accountId, environment: 'test', name: 'ci' });
    expect(key).toMatchObject({ accountId, environment: 'test', name: 'ci', revokedAt: null });
    expect(key.id).toMatch(/^key_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(JSON.stringify([keys.keys, await service.listKeys(), logged])).not.toContain(secret);
    expect(keys.keys[0]?.hash).toEqual(hashSecret(secret));
    expect(
      await new KeyAuthenticator(keys, { now: () => now }).authenticate(`Bearer ${secret}`),
    ).toMatchObject({
      id: key.id,
    });
  });

  it.each([
    ['', 'a key needs a name'],
    [' ci', 'neither begins nor ends with a blank'],
    ['ci\u001b[31m', 'of characters that can be seen'],
    ['ci\u202e', 'of characters that can be seen'],
    ['ci\nci', 'on one line'],
    ['c'.repeat(101), 'at most 100 characters'],
  ])('refuses the key name %j', async (name, complaint) => {
    const { id: accountId } = await service.createAccount('a');
    const made = service.createKey({ accountId, environment: 'test', name });
    await expect(made).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(made).rejects.toThrow(complaint);
    expect(await service.listKeys()).toEqual([]);
  });

  it('revokes one key of an account and keeps its others', async () => {
    const { id: accountId } = await service.createAccount('a');
    const live = await service.createKey({ accountId, environment: 'live' });
    const test = await service.createKey({ accountId, environment: 'test' });
    expect((await service.revokeKey(live.key.id)).revokedAt).toBe('2026-11-20T10:00:00.000Z');
    const authenticator = new KeyAuthenticator(keys, { now: () => now });
    await expect(authenticator.authenticate(`Bearer ${live.secret}`)).rejects.toMatchObject(REFUSED);
    expect((await authenticator.authenticate(`Bearer ${test.secret}`)).id).toBe(test.key.id);
  });

  it('keeps the time of the first revocation', async () => {
    const { id: accountId } = await service.createAccount('a');
    const { key } = await service.createKey({ accountId, environment: 'live' });
    await service.revokeKey(key.id);
    now += HOUR;
    expect((await service.revokeKey(key.id)).revokedAt).toBe('2026-11-20T10:00:00.000Z');
  });

  it('names the account or key that does not exist', async () => {
    const attempts = [
      service.createKey({ accountId: 'acc_none', environment: 'live' }),
      service.listKeys('acc_none'),
      service.revokeKey('key_none'),
      service.rotateKey('key_none', HOUR),
    ];
    const results = await Promise.allSettled(attempts);
    const reasons = results.map((result) => result.status === 'rejected' && result.reason);
    expect(reasons.map(({ code, message }) => [code, message])).toEqual([
      ['not_found', 'there is no account "acc_none"'],
      ['not_found', 'there is no account "acc_none"'],
      ['not_found', 'there is no key "key_none"'],
      ['not_found', 'there is no key "key_none"'],
    ]);
    expect(keys.keys).toEqual([]);
  });

  describe('rotating a key', () => {
    let first: Awaited<ReturnType<KeyService['createKey']>>;

    beforeEach(async () => {
      const { id: accountId } = await service.createAccount('a');
      first = await service.createKey({ accountId, environment: 'test', name: 'ci' });
    });

    it('makes another secret for the same account, environment and name, and stores only its hash', async () => {
      now += 1;
      const { key, secret, previous } = await service.rotateKey(first.key.id, HOUR);
      const { accountId } = first.key;
      expect(key).toMatchObject({ accountId, environment: 'test', name: 'ci', expiresAt: null });
      expect(key.createdAt).toBe('2026-11-20T10:00:00.001Z');
      expect(secret).not.toBe(first.secret);
      expect(previous).toEqual({
        ...(await keys.find(first.key.id)),
        expiresAt: '2026-11-20T11:00:00.001Z',
        replacedBy: key.id,
      });
      expect(JSON.stringify([keys.keys, logged])).not.toContain(secret);
    });

    it('ends the old secret at once without a grace period', async () => {
      const { secret } = await service.rotateKey(first.key.id, 0);
      const authenticator = new KeyAuthenticator(keys, { now: () => now });
      await expect(authenticator.authenticate(`Bearer ${first.secret}`)).rejects.toMatchObject(REFUSED);
      expect((await authenticator.authenticate(`Bearer ${secret}`)).name).toBe('ci');
    });

    it('keeps one key family however often it is done, so that the rate limit is not doubled', async () => {
      const second = await service.rotateKey(first.key.id, HOUR);
      const third = await service.rotateKey(second.key.id, HOUR);
      expect([second, third].map(({ key }) => key.family)).toEqual([first.key.id, first.key.id]);
    });

    it('is refused for a key that is already rotated or revoked, and stores nothing', async () => {
      const second = await service.rotateKey(first.key.id, HOUR);
      await expect(service.rotateKey(first.key.id, HOUR)).rejects.toThrow(
        `was rotated before: ${second.key.id} takes its place`,
      );
      await service.revokeKey(second.key.id);
      await expect(service.rotateKey(second.key.id, HOUR)).rejects.toMatchObject({ code: 'not_rotatable' });
      expect(keys.keys).toHaveLength(2);
    });
  });

  describe('flagging a key that was sent over plain HTTP', () => {
    let secret: string;
    let id: string;

    beforeEach(async () => {
      const account = await service.createAccount('a');
      const created = await service.createKey({ accountId: account.id, environment: 'live' });
      secret = created.secret;
      id = created.key.id;
    });

    it('warns with the key’s id, not with the key', async () => {
      await service.flagKeySeenInClear(secret);
      expect(logged).toHaveLength(1);
      expect(JSON.parse(logged[0] ?? '')).toMatchObject({ level: 40, key_id: id });
      expect(logged[0]).not.toContain(secret);
      expect(keys.keys[0]?.seenInClearAt).toBe('2026-11-20T10:00:00.000Z');
    });

    it('happens once an hour, also for concurrent requests', async () => {
      await Promise.all([service.flagKeySeenInClear(secret), service.flagKeySeenInClear(secret)]);
      now += HOUR - 1;
      await service.flagKeySeenInClear(secret);
      expect(logged).toHaveLength(1);
      now += 1;
      await service.flagKeySeenInClear(secret);
      expect(logged).toHaveLength(2);
    });

    it('writes nothing to the store within the hour', async () => {
      await service.flagKeySeenInClear(secret);
      keys.markSeenInClear = () => Promise.reject(new Error('written'));
      await service.flagKeySeenInClear(secret);
      expect(logged).toHaveLength(1);
    });

    it('warns only in the process that stored the flag first', async () => {
      keys.markSeenInClear = async () => false;
      await service.flagKeySeenInClear(secret);
      expect(logged).toEqual([]);
    });

    it('does nothing for an unknown or malformed key', async () => {
      await service.flagKeySeenInClear(createSecret('live').text);
      await service.flagKeySeenInClear('not a key');
      expect(logged).toEqual([]);
    });

    it('never rejects, not even when the store fails', async () => {
      keys.markSeenInClear = () => Promise.reject(new Error('disk on fire'));
      await expect(service.flagKeySeenInClear(secret)).resolves.toBeUndefined();
      expect(JSON.parse(logged[0] ?? '')).toMatchObject({ level: 50, err: { message: 'disk on fire' } });
    });
  });
});
