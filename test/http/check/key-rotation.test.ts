import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal, startTestService, type TestService } from '../../support/service.ts';

const HOUR = 3_600_000;
const start = Date.now();
let now = start;
let service: TestService;
beforeAll(async () => {
  const settings = { rate_limit: { requests: 20, window_seconds: 600 } };
  service = await startTestService(settings, { clock: { now: () => now } });
});
afterAll(() => service.stop());

const checkWith = (secret: string) =>
  service.check('jane@example.com', { headers: { authorization: `Bearer ${secret}` } });
const remaining = async (secret: string) =>
  Number(/r=(\d+)/.exec(String((await checkWith(secret)).headers.ratelimit))?.[1]);
const idOf = (secret: string) =>
  service.manageKeys(async (keys) => {
    const found = (await keys.listKeys()).find(({ prefix }) => secret.startsWith(prefix));
    return found?.id ?? expect.fail('no such key');
  });
const rotate = async (secret: string, graceMs: number) => {
  const id = await idOf(secret);
  return service.manageKeys((keys) => keys.rotateKey(id, graceMs));
};

describe('a rotated key', () => {
  it('works beside its successor during the grace period, and is refused from its end on', async () => {
    const old = await service.createKey('live');
    const { secret } = await rotate(old, 24 * HOUR);
    now += 24 * HOUR - 1;
    expect((await checkWith(old)).status).toBe(200);
    expect((await checkWith(secret)).status).toBe(200);
    now += 1;
    const refusal = await checkWith(old);
    expectRefusal(refusal, 'invalid_api_key');
    expect(refusal.headers['www-authenticate']).toBe('Bearer realm="postern", error="invalid_token"');
    expect((await checkWith(secret)).status).toBe(200);
  });

  it('is refused from the next request on when the grace period is 0', async () => {
    const old = await service.createKey('live');
    expect((await checkWith(old)).status).toBe(200);
    const { secret } = await rotate(old, 0);
    expectRefusal(await checkWith(old), 'invalid_api_key');
    expect((await checkWith(secret)).status).toBe(200);
  });

  it('is revoked within its grace period without its successor, and the successor without it', async () => {
    const first = await service.createKey('live');
    const second = await rotate(first, HOUR);
    await service.manageKeys(async (keys) => keys.revokeKey(second.key.id));
    expectRefusal(await checkWith(second.secret), 'invalid_api_key');
    expect((await checkWith(first)).status).toBe(200);
    await service.manageKeys(async (keys) => keys.revokeKey(second.previous.id));
    expectRefusal(await checkWith(first), 'invalid_api_key');
  });

  it('shares one rate limit with its successor', async () => {
    const first = await service.createKey('live');
    const { secret } = await rotate(first, HOUR);
    const before = await remaining(first);
    expect(await remaining(secret)).toBe(before - 1);
    expect(await remaining(first)).toBe(before - 2);
  });
});
