import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AttemptThrottle } from '../../../src/shared-state/ports.ts';
import type { ValkeyState } from '../../../src/shared-state/valkey/open-valkey-state.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { describeValkey } from '../../support/valkey.ts';

describeValkey('attempts that are counted in Valkey', ({ open, client, prefix, port }) => {
  let one: ValkeyState;
  let distant: ValkeyState;
  let proxy: TcpProxy;
  let place = 0;
  let address = '';

  beforeAll(async () => {
    proxy = await startTcpProxy(port);
  });
  beforeEach(async () => {
    proxy.delayMs = 0;
    proxy.mend();
    place += 1;
    address = `198.51.100.${place}`;
    const options = { prefix: `${prefix}${place}:` };
    one = await open(options);
    distant = await open({ ...options, url: `redis://127.0.0.1:${proxy.port}` });
  });
  afterAll(() => proxy.close());

  async function signIns(throttle: AttemptThrottle, times: number, email = 'ada@firm.example') {
    const allowed = [];
    for (let n = 0; n < times; n += 1) allowed.push((await throttle.beginSignIn(address, email)).allowed);
    return allowed.filter(Boolean).length;
  }
  async function failures(throttle: AttemptThrottle, times: number) {
    const allowed = [];
    for (let n = 0; n < times; n += 1) allowed.push((await throttle.recordFailure(address)).allowed);
    return allowed.filter(Boolean).length;
  }

  it('are limited over all instances together, and again by each after its restart', async () => {
    const other = await open({ prefix: `${prefix}${place}:` });
    expect(await failures(one.attemptThrottle, 15)).toBe(15);
    expect(await failures(other.attemptThrottle, 10)).toBe(5);
    expect(await signIns(one.attemptThrottle, 3)).toBe(3);
    expect(await signIns(other.attemptThrottle, 3)).toBe(2);
  });

  it('are limited by each instance alone while Valkey is unreachable, including its earlier ones', async () => {
    expect(await failures(distant.attemptThrottle, 15)).toBe(15);
    expect(await signIns(distant.attemptThrottle, 3)).toBe(3);
    proxy.cut();
    await expect.poll(() => distant.unsharedBecause()).toEqual(expect.any(String));
    expect(await failures(distant.attemptThrottle, 10)).toBe(5);
    expect(await signIns(distant.attemptThrottle, 3)).toBe(2);
  });

  it('that succeed are taken back on all instances, although the answer of Valkey came too late', async () => {
    const url = `redis://127.0.0.1:${proxy.port}`;
    const hurried = await open({ prefix: `${prefix}${place}:`, url }, 20);
    proxy.delayMs = 100;
    for (let n = 0; n < 8; n += 1) {
      const verdict = await hurried.attemptThrottle.beginSignIn(address, 'ada@firm.example');
      if (!verdict.allowed) throw new Error('held back by attempts that succeeded');
      await verdict.succeeded();
    }
    proxy.delayMs = 0;
    const attempts = async () => {
      const keys = await client.keys(`${prefix}${place}:s*`);
      return Promise.all(keys.map((key) => client.hget(key, 'n')));
    };
    await expect.poll(attempts).toEqual(['0', '0', '0']);
    expect(await signIns(one.attemptThrottle, 6)).toBe(5);
  });

  it('that Valkey denies do not count in the instance either', async () => {
    expect(await signIns(one.attemptThrottle, 5)).toBe(5);
    for (let n = 0; n < 30; n += 1) expect(await signIns(distant.attemptThrottle, 1)).toBe(0);
    proxy.cut();
    await expect.poll(() => distant.unsharedBecause()).toEqual(expect.any(String));
    expect(await signIns(distant.attemptThrottle, 6)).toBe(5);
  });

  it('are stored only as keyed hashes, each for its window', async () => {
    await failures(one.attemptThrottle, 1);
    await signIns(one.attemptThrottle, 1, 'Ada.Secretive@firm.example');
    const keys = await client.keys(`${prefix}${place}:[fs]*`);
    expect(keys).toHaveLength(4);
    const lives = await Promise.all(keys.map((key) => client.pttl(key)));
    expect(Math.min(...lives)).toBeGreaterThan(0);
    expect(Math.max(...lives)).toBeLessThanOrEqual(15 * 60_000);
    const values = await Promise.all(keys.map((key) => client.hgetall(key)));
    expect(JSON.stringify([keys, values])).not.toMatch(/198\.51|secretive|firm/i);
  });
});
