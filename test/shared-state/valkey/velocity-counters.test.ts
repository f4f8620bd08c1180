import { createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { InMemoryVelocityCounters } from '../../../src/shared-state/memory/velocity-counters.ts';
import type { CountedCheck } from '../../../src/shared-state/ports.ts';
import type { ValkeyState } from '../../../src/shared-state/valkey/open-valkey-state.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { describeValkey, ofItsOwn } from '../../support/valkey.ts';
import { aWorldOfChecks, seen } from '../contract.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describeValkey('counts in Valkey', ({ open, client, prefix, port }) => {
  let one: ValkeyState;
  let other: ValkeyState;
  let distant: ValkeyState;
  let proxy: TcpProxy;
  let place = 0;

  beforeAll(async () => {
    proxy = await startTcpProxy(port);
    one = await open();
    other = await open();
    distant = await open({ url: `redis://127.0.0.1:${proxy.port}` }, 20);
  });
  beforeEach(() => {
    place += 1;
    proxy.delayMs = 0;
    proxy.mend();
  });
  afterAll(() => proxy.close());

  const worldOf = (state: ValkeyState) => aWorldOfChecks(ofItsOwn(state.counters, place));
  /** How often the address was counted, as seen by a check of another address. */
  const countedSoFar = async (email: string) => {
    const receipt = await worldOf(one).begin(`probe ${performance.now()}`, [seen(email)]);
    await receipt.undo();
    return (receipt.numbers['x.seen'] ?? 0) - 1;
  };

  it('equal those that are counted in memory, for any order and outcome of checks', async () => {
    const check = fc.record({
      who: fc.nat(3),
      tag: fc.nat(4),
      key: fc.nat(1),
      account: fc.nat(1),
      isUndone: fc.boolean(),
    });
    const step = fc.record({
      after: fc.oneof(
        fc.constant(0),
        fc.nat(20 * MINUTE_MS),
        fc.nat(30 * HOUR_MS),
        fc.nat(20 * 24 * HOUR_MS),
        // The clock is set back.
        fc.nat(30 * MINUTE_MS).map((ms) => -ms),
      ),
      // Concurrent. Where two count one value and one takes it back, Valkey may have a lower count.
      checks: fc.uniqueArray(check, {
        minLength: 1,
        maxLength: 4,
        selector: ({ who, tag, account }) => `${who} ${tag} ${account}`,
      }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        place += 1;
        const drivers = [
          new InMemoryVelocityCounters(createSecretKey(Buffer.alloc(32, 7))),
          ofItsOwn(one.counters, place),
        ];
        let now = Date.parse('2026-11-20T12:00:00Z');
        const times = steps.map(({ after }) => (now += after));
        for (const [step, { checks }] of steps.entries()) {
          const at = times[step] ?? Number.NaN;
          // Valkey drops at once what does not count at the time of a check, also of one that is taken back: where the clock is
          // set back across that time, Valkey has a lower count.
          const isInOrder = times.every((time, i) => (i < step ? time <= at : time >= at));
          const told = [];
          for (const counters of drivers) {
            const receipts = [];
            for (const { who, tag, key, account } of checks) {
              const counted: CountedCheck = {
                accountId: `acc_${account}`,
                environment: 'live',
                keyFamily: `key_${key}`,
                spelling: `user${who}+${tag}`,
                at,
              };
              const counts = [
                seen(`user${who}`),
                seen('x.org', { 'x.two': '1h' }),
                seen('x.org', { 'x.three': '24h', 'x.four': '7d', 'x.five': '30d' }),
                { ...seen(`user${who}`, { 'x.six': '24h' }), distinct: `user${who}+${tag}` },
                { ...seen('x.org', { 'x.seven': '7d', 'x.eight': '30d' }), distinct: `${who}+${tag}` },
                // Counted twice by one check.
                seen(`user${who}`),
              ];
              receipts.push(await counters.count(counted, counts));
            }
            for (const [n, receipt] of receipts.entries())
              await (checks[n]?.isUndone && isInOrder ? receipt.undo() : receipt.settle());
            told.push(receipts.map(({ numbers }) => numbers));
          }
          expect(told[1]).toEqual(told[0]);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('are the same in each instance, and a retry on another instance counts once', async () => {
    expect([
      await worldOf(one).check('jane@x.org'),
      await worldOf(other).check('jane@x.org'),
      await worldOf(other).check('jane@x.org', { family: 'key_2' }),
      await worldOf(one).check('jane@x.org', { family: 'key_3' }),
    ]).toEqual([1, 1, 2, 3]);
  });

  it('are stored only as keyed hashes, each for its longest window and a minute', async () => {
    const { begin } = worldOf(one);
    const texts = ['jane.secretive@firm.example', 'firm.example', 'key_1', 'acc_1'];
    await begin('jane.secretive@firm.example', [
      seen('jane.secretive@firm.example', { 'x.day': '24h', 'x.month': '30d' }),
      seen('firm.example', { 'x.hour': '1h' }),
      { ...seen('firm.example'), distinct: 'jane.secretive@firm.example' },
    ]);
    const keys = await client.keys(`${prefix}v*`);
    const values = await Promise.all(keys.map((key) => client.getBuffer(key)));
    for (const text of texts)
      expect([...keys, ...values.map((value) => `${value?.toString('latin1')}`)].join(' ')).not.toContain(
        text,
      );
    const lives = new Map<string, number>();
    for (const key of keys) {
      const kind = key.slice(prefix.length).match(/^v(?:r|[hdwm]{2}|[HDWM]{2})/)?.[0] ?? key;
      lives.set(kind, Math.max(lives.get(kind) ?? 0, await client.pttl(key)));
    }
    const expected = { vr: 10 * MINUTE_MS, vhh: HOUR_MS, vDD: 24 * HOUR_MS, vdm: 30 * 24 * HOUR_MS };
    for (const [kind, ms] of Object.entries(expected)) {
      expect(lives.get(kind)).toBeGreaterThan(ms);
      expect(lives.get(kind)).toBeLessThanOrEqual(ms + MINUTE_MS);
    }
    expect(await Promise.all(keys.map((key) => client.pttl(key)))).not.toContain(-1);
  });

  it("need at most 500 bytes for a new address, besides the server's own overhead", async () => {
    const before = new Set(await client.keys(`${prefix}v*`));
    // As the provider "velocity" counts: the counts of the domain and the shape exist already.
    const windows = (name: string) =>
      ({ [`${name}_24h`]: '24h', [`${name}_7d`]: '7d', [`${name}_30d`]: '30d' }) as const;
    const receipt = await worldOf(one).begin('new@x.org', [
      seen('new@x.org', windows('canonical')),
      seen('new', windows('owner')),
      { ...seen('new@x.org', { spellings: '24h' }), distinct: 'new@x.org' },
    ]);
    await receipt.settle();
    const added = (await client.keys(`${prefix}v*`)).filter((key) => !before.has(key));
    const sizes = await Promise.all(added.map((key) => client.memory('USAGE', key)));
    const octets = sizes.reduce((sum: number, size) => sum + (size ?? 0), 0);
    expect(added).toHaveLength(4);
    expect(octets).toBeLessThanOrEqual(500);
  });

  it('never need more than some kilobytes under one key, however often it is counted', async () => {
    const { begin, wait } = worldOf(one);
    const windows = { 'x.day': '24h', 'x.month': '30d' } as const;
    for (let n = 0; n < 500; n += 1) {
      const counts = [seen('busy', windows), { ...seen('busy', windows), distinct: `${n}` }];
      await (await begin(`user${n}@x.org`, counts)).settle();
      wait(2 * HOUR_MS);
    }
    const keys = await client.keys(`${prefix}v[dD][mM]*`);
    const sizes = await Promise.all(keys.map((key) => client.memory('USAGE', key)));
    expect(Math.max(...sizes.map(Number))).toBeLessThan(4_096);
  });

  it('go on where a text was counted in every five minutes of its 30 days', async () => {
    const { begin, now } = worldOf(one);
    const busy = seen('busy', { 'x.hour': '1h', 'x.month': '30d' });
    await (await begin('a@x.org', [busy])).settle();
    const keys = await client.keys(`${prefix}vhm*`);
    const parts = (30 * 24 * HOUR_MS) / (5 * MINUTE_MS);
    const FILL = `
      local list = {}
      for part = ARGV[1] - ARGV[2] + 1, ARGV[1] do
        list[#list + 1] = part
        list[#list + 1] = 1
      end
      redis.call('SET', KEYS[1], cmsgpack.pack(list))`;
    await client.eval(FILL, keys.length, ...keys, Math.floor(now() / (5 * MINUTE_MS)), parts);
    const receipt = await begin('b@x.org', [busy]);
    expect(receipt.numbers).toEqual({ 'x.hour': 13, 'x.month': parts + 1 });
    await receipt.undo();
    expect((await begin('c@x.org', [busy])).numbers).toEqual({ 'x.hour': 13, 'x.month': parts + 1 });
  });

  it('that are answered too late are rejected after 20 ms, and undone', async () => {
    const { begin } = worldOf(distant);
    await (await worldOf(one).begin('a@x.org', [seen('x.org')])).settle();
    proxy.delayMs = 1_500;
    const began = performance.now();
    await expect(begin('b@x.org', [seen('x.org')])).rejects.toThrow('no answer within 20 ms');
    expect(performance.now() - began).toBeLessThan(1_000);
    await expect.poll(() => countedSoFar('x.org')).toBe(1);
    // The second attempt is not a retry of a counted check either.
    expect(await worldOf(one).check('b@x.org')).toBe(1);
  });

  it('that are pending when the connection ends are rejected, and undone on the next connection', async () => {
    proxy.delayMs = 500;
    const { begin } = worldOf(distant);
    // Valkey has counted, and its answer is in transit: where the connection was cut too late, the count is undone by then.
    let counted = 0;
    for (let tries = 0; counted === 0 && tries < 20; tries += 1) {
      proxy.mend();
      await expect.poll(() => distant.unsharedBecause()).toBeUndefined();
      const asked = proxy.roundTrips;
      const isRejected = expect(begin(`b${tries}@x.org`, [seen('x.org')])).rejects.toMatchObject({
        code: 'unavailable',
      });
      await expect.poll(() => proxy.roundTrips, { interval: 1 }).toBeGreaterThan(asked);
      proxy.cut();
      await isRejected;
      counted = await countedSoFar('x.org');
    }
    expect(counted).toBe(1);
    proxy.delayMs = 0;
    proxy.mend();
    await expect.poll(() => countedSoFar('x.org')).toBe(0);
  });

  it('of an instance that was killed during a check are too high by that check, which a retry does not count again', async () => {
    await worldOf(other).begin('jane@x.org', [seen('x.org')]);
    expect(await countedSoFar('x.org')).toBe(1);
    const retry = await worldOf(one).begin('jane@x.org', [seen('x.org')]);
    await retry.settle();
    expect(await countedSoFar('x.org')).toBe(1);
  });

  it('are undone once: later counts of the same address are not taken back', async () => {
    const { begin } = worldOf(one);
    const refused = await begin('jane@x.org', [seen('x.org')]);
    await refused.undo();
    await (await begin('jane@x.org', [seen('x.org')])).settle();
    await refused.undo();
    expect(await countedSoFar('x.org')).toBe(1);
  });

  it('continue after the scripts were removed from the server', async () => {
    await worldOf(one).check('a@x.org');
    await client.script('FLUSH');
    expect(await worldOf(one).check('a@x.org', { family: 'key_2' })).toBe(2);
  });
});
