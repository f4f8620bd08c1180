import { beforeEach, describe, expect, it } from 'vitest';
import { KeyAuthenticator } from '../../src/accounts/authenticator.ts';
import { createSecret, hashSecret } from '../../src/accounts/key.ts';
import { AppError } from '../../src/errors.ts';
import { MemoryKeyStore } from './stores.ts';

const AT = '2026-11-20T10:00:00.000Z';
const { text: secret, prefix } = createSecret('live');

describe('KeyAuthenticator', () => {
  let store: MemoryKeyStore;
  let authenticator: KeyAuthenticator;
  let now: number;

  beforeEach(async () => {
    store = new MemoryKeyStore();
    now = Date.parse(AT);
    authenticator = new KeyAuthenticator(store, { now: () => now });
    const key = { id: 'key_1', accountId: 'acc_1', environment: 'live', name: null, prefix } as const;
    await store.create({ ...key, createdAt: AT, hash: hashSecret(secret) });
  });

  async function refusalOf(
    header: string | undefined,
  ): Promise<{ code: string; challenge: string | undefined }> {
    try {
      await authenticator.authenticate(header);
    } catch (error) {
      if (error instanceof AppError) {
        return { code: error.code, challenge: error.headers['WWW-Authenticate'] };
      }
      throw error;
    }
    throw new Error('was let in');
  }

  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('accepts the scheme written as %s', async (scheme) => {
    expect((await authenticator.authenticate(`${scheme} ${secret}`)).id).toBe('key_1');
  });

  it('reads the key from the store for each request', async () => {
    await authenticator.authenticate(`Bearer ${secret}`);
    await store.revoke('key_1', AT);
    await expect(authenticator.authenticate(`Bearer ${secret}`)).rejects.toThrow(
      expect.objectContaining({ code: 'invalid_api_key' }),
    );
  });

  it('returns the key without its hash', async () => {
    const authenticated = await authenticator.authenticate(`Bearer ${secret}`);
    expect(authenticated).toMatchObject({ id: 'key_1' });
    expect(authenticated).not.toHaveProperty('hash');
  });

  it.each([undefined, '', 'Bearer', 'Bearer ', `Basic ${secret}`, secret, `Bearer${secret}`])(
    'refuses a request without a key as missing_api_key: %j',
    async (header) => {
      expect(await refusalOf(header)).toEqual({
        code: 'missing_api_key',
        challenge: 'Bearer realm="postern"',
      });
      expect(store.reads).toBe(0);
    },
  );

  it.each([secret.slice(0, -1), `${secret} ${secret}`, `${secret},`, 'x', secret.replace('live', 'test')])(
    'refuses a malformed key without a look-up: %j',
    async (bad) => {
      expect(await refusalOf(`Bearer ${bad}`)).toEqual({
        code: 'malformed_api_key',
        challenge: 'Bearer realm="postern", error="invalid_token"',
      });
      expect(store.reads).toBe(0);
    },
  );

  it('refuses an unknown and a revoked key with the same error', async () => {
    const unknown = await refusalOf(`Bearer ${createSecret('live').text}`);
    await store.revoke('key_1', AT);
    expect(await refusalOf(`Bearer ${secret}`)).toEqual(unknown);
    expect(unknown).toEqual({
      code: 'invalid_api_key',
      challenge: 'Bearer realm="postern", error="invalid_token"',
    });
  });

  it('rejects a revoked key as soon as the revocation is stored', async () => {
    await authenticator.authenticate(`Bearer ${secret}`);
    await store.revoke('key_1', AT);
    expect((await refusalOf(`Bearer ${secret}`)).code).toBe('invalid_api_key');
    expect(store.reads).toBe(2);
  });

  it('accepts a rotated key until its grace period ends, then refuses it like a revoked one', async () => {
    const successor = createSecret('live');
    const end = '2026-11-21T10:00:00.000Z';
    await store.rotate('key_1', end, {
      ...{ id: 'key_2', accountId: 'acc_1', environment: 'live', name: null, prefix: successor.prefix },
      ...{ createdAt: AT, hash: hashSecret(successor.text) },
    });
    now = Date.parse(end) - 1;
    expect((await authenticator.authenticate(`Bearer ${secret}`)).id).toBe('key_1');
    expect((await authenticator.authenticate(`Bearer ${successor.text}`)).id).toBe('key_2');
    now = Date.parse(end);
    expect(await refusalOf(`Bearer ${secret}`)).toEqual(
      await refusalOf(`Bearer ${createSecret('live').text}`),
    );
    expect((await authenticator.authenticate(`Bearer ${successor.text}`)).id).toBe('key_2');
  });

  it('refuses a rotated key that is revoked within its grace period, and its successor when that is revoked', async () => {
    const successor = createSecret('live');
    await store.rotate('key_1', '2026-11-21T10:00:00.000Z', {
      ...{ id: 'key_2', accountId: 'acc_1', environment: 'live', name: null, prefix: successor.prefix },
      ...{ createdAt: AT, hash: hashSecret(successor.text) },
    });
    await store.revoke('key_2', AT);
    expect((await refusalOf(`Bearer ${successor.text}`)).code).toBe('invalid_api_key');
    expect((await authenticator.authenticate(`Bearer ${secret}`)).id).toBe('key_1');
    await store.revoke('key_1', AT);
    expect((await refusalOf(`Bearer ${secret}`)).code).toBe('invalid_api_key');
  });

  it("compares the hash itself instead of trusting the store's match", async () => {
    const [key] = store.keys;
    store.findByHash = async () => key && { key, hash: hashSecret('another') };
    expect((await refusalOf(`Bearer ${secret}`)).code).toBe('invalid_api_key');
  });

  it('throws the error of a store that cannot be read', async () => {
    store.findByHash = async () => {
      throw new AppError('unavailable');
    };
    expect((await refusalOf(`Bearer ${secret}`)).code).toBe('unavailable');
  });
});
