import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Count } from '../../src/provider-kit/index.ts';
import type {
  AttemptThrottle,
  CountReceipt,
  Quota,
  RateLimiter,
  Reservation,
  VelocityCounters,
} from '../../src/shared-state/ports.ts';

/** A driver of the shared state, each part made anew and empty. */
export interface SharedStateDriver {
  readonly rateLimiter: (requests: number, windowSeconds: number) => RateLimiter | Promise<RateLimiter>;
  readonly attemptThrottle: (now: () => number) => AttemptThrottle | Promise<AttemptThrottle>;
  /** `recorded` is what is on record, by `<account> <month>`; it may change. */
  readonly quota: (
    limit: number,
    recorded: Readonly<Record<string, number>>,
    now: () => number,
  ) => Quota | Promise<Quota>;
  readonly velocityCounters: () => VelocityCounters | Promise<VelocityCounters>;
}

/** What every driver keeps of the promises of `src/shared-state/ports.ts`. */
export function describeSharedState(name: string, driver: SharedStateDriver): void {
  describe(name, () => {
    describeRateLimiter(driver.rateLimiter);
    describeAttemptThrottle(driver.attemptThrottle);
    describeQuota(driver.quota);
    describeVelocityCounters(driver.velocityCounters);
  });
}

function describeRateLimiter(open: SharedStateDriver['rateLimiter']): void {
  describe('a rate limiter', () => {
    it('never lets more than the limit through when requests come together', async () => {
      const limiter = await open(10, 60);
      const results = await Promise.all(Array.from({ length: 100 }, () => limiter.consume('a')));
      expect(results.filter(({ allowed }) => allowed)).toHaveLength(10);
    });

    it('counts each id for itself', async () => {
      const limiter = await open(1, 60);
      await limiter.consume('a');
      expect((await limiter.consume('b')).allowed).toBe(true);
      expect((await limiter.consume('a')).allowed).toBe(false);
    });
  });
}

function describeAttemptThrottle(open: SharedStateDriver['attemptThrottle']): void {
  async function throttleAt(start: number) {
    const clock = { time: start, now: () => clock.time };
    return { clock, throttle: await open(clock.now) };
  }

  async function times<Result>(length: number, attempt: () => Promise<Result>): Promise<readonly Result[]> {
    const results: Result[] = [];
    for (let n = 0; n < length; n += 1) results.push(await attempt());
    return results;
  }

  describe('failed authentications', () => {
    it('answers 20 failures of one address a minute, and holds back the next', async () => {
      const { clock, throttle } = await throttleAt(1_000);
      const verdicts = await times(20, () => throttle.recordFailure('192.0.2.1'));
      expect(verdicts.every(({ allowed }) => allowed)).toBe(true);
      expect(verdicts.at(-1)).toEqual({ allowed: true, resetMs: 60_000 });
      clock.time += 15_000;
      expect(await throttle.recordFailure('192.0.2.1')).toEqual({ allowed: false, resetMs: 45_000 });
      expect((await throttle.recordFailure('192.0.2.2')).allowed).toBe(true);
    });

    it('starts afresh when the minute is over', async () => {
      const { clock, throttle } = await throttleAt(0);
      for (let failure = 0; failure < 30; failure += 1) await throttle.recordFailure('192.0.2.1');
      clock.time = 59_999;
      expect((await throttle.recordFailure('192.0.2.1')).allowed).toBe(false);
      clock.time = 60_000;
      const verdicts = (await times(21, () => throttle.recordFailure('192.0.2.1'))).map(
        ({ allowed }) => allowed,
      );
      expect(verdicts).toEqual([...Array.from({ length: 20 }, () => true), false]);
    });

    it.each([
      ['an IPv4 address and the same mapped into IPv6', '192.0.2.1', '::ffff:192.0.2.1', true],
      ['two addresses of one IPv6 /64', '2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
      ['two spellings of one address', '2001:db8::1', '2001:0DB8:0:0:0:0:0:1', true],
      ['neighbouring IPv6 /64s', '2001:db8:1:2::1', '2001:db8:1:3::1', false],
      ['what is no address', 'unknown', 'other', false],
    ])('takes %s for one client or two', async (_case, first, second, isSame) => {
      const { throttle } = await throttleAt(0);
      for (let failure = 0; failure < 20; failure += 1) await throttle.recordFailure(first);
      expect((await throttle.recordFailure(second)).allowed).toBe(!isSame);
    });
  });

  const MINUTE = 60_000;
  let now: number;
  let throttle: AttemptThrottle;
  beforeEach(async () => {
    now = 0;
    throttle = await open(() => now);
  });

  const fail = (attempts: number, client: string, email: string) =>
    times(attempts, async () => (await throttle.beginSignIn(client, email)).allowed);

  describe('attempts to sign in', () => {
    it('are five for one email from one client, then none for fifteen minutes', async () => {
      expect(await fail(6, '192.0.2.1', 'ada@firm.example')).toEqual([true, true, true, true, true, false]);
      now = 15 * MINUTE - 1;
      expect(await throttle.beginSignIn('192.0.2.1', 'ADA@firm.example')).toEqual({
        allowed: false,
        resetMs: 1,
      });
      now = 15 * MINUTE;
      expect((await throttle.beginSignIn('192.0.2.1', 'ada@firm.example')).allowed).toBe(true);
    });

    it('from another address are none of those', async () => {
      await fail(6, '192.0.2.1', 'ada@firm.example');
      expect((await throttle.beginSignIn('192.0.2.2', 'ada@firm.example')).allowed).toBe(true);
    });

    it('are twenty from one client, whomever it tries to be', async () => {
      for (let one = 0; one < 20; one += 1)
        expect(await fail(1, '192.0.2.1', `${one}@firm.example`)).toEqual([true]);
      expect(await fail(1, '192.0.2.1', 'ada@firm.example')).toEqual([false]);
    });

    it('that are refused take none from others, whomever they name', async () => {
      await fail(6, '192.0.2.1', 'ada@firm.example');
      for (let one = 0; one < 1_000; one += 1) await fail(1, '192.0.2.2', `${one}@firm.example`);
      expect(await fail(1, '192.0.2.1', 'ada@firm.example')).toEqual([false]);
      expect(await fail(1, '192.0.2.3', '999@firm.example')).toEqual([true]);
    });

    it('are one for each client from the fiftieth for one email on', async () => {
      for (let one = 0; one < 12; one += 1) await fail(4, `192.0.2.${one}`, 'ada@firm.example');
      expect(await fail(3, '198.51.100.1', 'ada@firm.example')).toEqual([true, true, false]);
    });

    it('for an email that is tried from everywhere are one for each client, never none', async () => {
      for (let one = 0; one < 10; one += 1) await fail(5, `192.0.2.${one}`, 'ada@firm.example');
      expect(await fail(2, '198.51.100.1', 'ada@firm.example')).toEqual([true, false]);
      expect(await fail(2, '198.51.100.2', 'ada@firm.example')).toEqual([true, false]);
    });

    it('that succeed do not count', async () => {
      for (let one = 0; one < 30; one += 1) {
        const verdict = await throttle.beginSignIn('192.0.2.1', 'ada@firm.example');
        expect(verdict.allowed).toBe(true);
        if (verdict.allowed) await verdict.succeeded();
      }
    });

    it('that succeed take back themselves, not the failed ones before them', async () => {
      await fail(4, '192.0.2.1', 'ada@firm.example');
      const verdict = await throttle.beginSignIn('192.0.2.1', 'ada@firm.example');
      if (verdict.allowed) await verdict.succeeded();
      expect(await fail(2, '192.0.2.1', 'ada@firm.example')).toEqual([true, false]);
    });

    it('are refused until the last bound that is reached is gone', async () => {
      for (let one = 0; one < 15; one += 1) await fail(1, '192.0.2.1', `${one}@firm.example`);
      now = 5 * MINUTE;
      await fail(5, '192.0.2.1', 'ada@firm.example');
      // The client's fifteen minutes end five earlier than those of the client and the email.
      expect(await throttle.beginSignIn('192.0.2.1', 'ada@firm.example')).toEqual({
        allowed: false,
        resetMs: 15 * MINUTE,
      });
      expect(await throttle.beginSignIn('192.0.2.1', 'bob@firm.example')).toEqual({
        allowed: false,
        resetMs: 10 * MINUTE,
      });
    });

    it('count before they are made: many at once are no more than one by one', async () => {
      const begun = await fail(10, '192.0.2.1', 'ada@firm.example');
      expect(begun.filter(Boolean)).toHaveLength(5);
    });
  });
}

/** Takes a place; throws where none is left. */
export async function take(quota: Quota, account = 'acc_1'): Promise<Reservation> {
  const verdict = await quota.reserve(account);
  if (!verdict.allowed) throw new Error('denied');
  return verdict.reservation;
}

function describeQuota(open: SharedStateDriver['quota']): void {
  async function aQuota(limit: number, recorded: Record<string, number> = {}) {
    const state = { now: Date.parse('2026-11-20T12:00:00.000Z') };
    return { state, quota: await open(limit, recorded, () => state.now) };
  }

  describe('a quota of a month', () => {
    it('never lets what is used and what is under way exceed the limit together', async () => {
      const { quota } = await aQuota(3, { 'acc_1 2026-11': 1 });
      await take(quota);
      await take(quota);
      expect((await quota.reserve('acc_1')).allowed).toBe(false);
    });

    it('gives a place back on a refusal and keeps it for a check on record', async () => {
      const { quota } = await aQuota(1);
      const refused = await take(quota);
      await refused.release();
      const answered = await take(quota);
      await answered.settle();
      expect((await quota.reserve('acc_1')).allowed).toBe(false);
    });

    it('counts a reservation once, whatever is called after', async () => {
      const { quota } = await aQuota(2);
      const answered = await take(quota);
      await answered.settle();
      await answered.release();
      await answered.settle();
      await take(quota);
      expect((await quota.reserve('acc_1')).allowed).toBe(false);
    });

    it('says how long it is until the next month, over the end of a year too', async () => {
      const { quota, state } = await aQuota(0);
      state.now = Date.parse('2026-12-31T23:59:00.000Z');
      expect(await quota.reserve('acc_1')).toEqual({ allowed: false, resetMs: 60_000 });
    });

    it('keeps accounts apart', async () => {
      const { quota } = await aQuota(1, { 'acc_1 2026-11': 1 });
      expect((await quota.reserve('acc_1')).allowed).toBe(false);
      expect((await quota.reserve('acc_2')).allowed).toBe(true);
    });

    it('never exceeds the limit by one, however many requests come together', async () => {
      const { quota } = await aQuota(10, { 'acc_1 2026-11': 3 });
      const verdicts = await Promise.all(Array.from({ length: 50 }, () => quota.reserve('acc_1')));
      expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(7);
    });

    it('begins anew with the month, and a check of the old month counts there', async () => {
      const { quota, state } = await aQuota(1);
      const old = await take(quota);
      state.now = Date.parse('2026-12-01T00:00:00.000Z');
      const fresh = await take(quota);
      await old.settle();
      expect(fresh.at).toBe(state.now);
      await fresh.release();
      expect((await quota.reserve('acc_1')).allowed).toBe(true);
    });

    it('asks the store again when nobody knows whether a check is on record', async () => {
      const recorded = { 'acc_1 2026-11': 1 };
      const { quota } = await aQuota(2, recorded);
      const lost = await take(quota);
      // The writer committed the row and died before it could say so.
      recorded['acc_1 2026-11'] = 2;
      await lost.doubt();
      expect((await quota.reserve('acc_1')).allowed).toBe(false);
    });

    it('counts what it knows of, though the store that is asked again knows less', async () => {
      const { quota } = await aQuota(2);
      const answered = await take(quota);
      const lost = await take(quota);
      await answered.settle();
      await lost.doubt();
      await take(quota);
      expect((await quota.reserve('acc_1')).allowed).toBe(false);
    });

    it('frees the place of a check that is not on record after all', async () => {
      const { quota } = await aQuota(1);
      await (await take(quota)).doubt();
      expect((await quota.reserve('acc_1')).allowed).toBe(true);
    });

    it('finds its reservations again when the clock is set back over the edge of a month', async () => {
      const { quota, state } = await aQuota(1);
      await take(quota);
      const november = state.now;
      state.now = Date.parse('2026-12-01T00:00:00.000Z');
      await quota.reserve('acc_1');
      state.now = november;
      expect((await quota.reserve('acc_1')).allowed).toBe(false);
    });
    it('counts for the month that the clock says, also when it is set back into it', async () => {
      const { quota, state } = await aQuota(1);
      await (await take(quota)).settle();
      const november = state.now;
      state.now = Date.parse('2026-12-01T00:00:00.000Z');
      await (await take(quota)).release();
      state.now = november;
      expect((await quota.reserve('acc_1')).allowed).toBe(false);
    });
  });
}

const NOON = Date.parse('2026-11-20T12:00:00Z');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

interface Whose {
  readonly account?: string;
  readonly family?: string;
  readonly environment?: 'live' | 'test';
}

/** A world around counters: a clock, and checks that are counted in it. */
export function aWorldOfChecks(counters: VelocityCounters) {
  let now = NOON;
  /** A check of an address that is counted under these texts, not on record yet. */
  const begin = (email: string, counts: readonly Count[] = [seen(email)], whose: Whose = {}) => {
    const { account = 'acc_1', family = 'key_1', environment = 'live' } = whose;
    return counters.count(
      { accountId: account, environment, keyFamily: family, spelling: email, at: now },
      counts,
    );
  };
  return {
    begin,
    now: () => now,
    wait: (ms: number) => {
      now += ms;
    },
    /** An answered check that counts its own address; gives the number. */
    async check(email: string, whose: Whose = {}): Promise<number | undefined> {
      const receipt = await begin(email, [seen(email)], whose);
      await receipt.settle();
      return receipt.numbers['x.seen'];
    },
  };
}

/** Counted for the fact `x.seen` over 24 hours, unless other facts or windows are named. */
export function seen(text: string, facts: Count['facts'] = { 'x.seen': '24h' }): Count {
  return { text, facts };
}

function describeVelocityCounters(open: SharedStateDriver['velocityCounters']): void {
  const aWorld = async () => aWorldOfChecks(await open());

  describe('a check that is counted', () => {
    it('counts itself, and after those before it', async () => {
      const { check, wait } = await aWorld();
      expect(await check('jane@example.com')).toBe(1);
      wait(11 * MINUTE_MS);
      expect([await check('jane@example.com'), await check('john@example.com')]).toEqual([2, 1]);
    });

    it('counts each fact for itself, each window and each text, all in one call', async () => {
      const { begin, wait } = await aWorld();
      const counts = [
        seen('same', { 'x.one': '24h' }),
        seen('same', { 'x.two': '24h' }),
        seen('same', { 'x.three': '1h' }),
        seen('other', { 'x.four': '24h' }),
      ];
      const all = { 'x.one': 1, 'x.two': 1, 'x.three': 1, 'x.four': 1 };
      await (await begin('a@x.org', [seen('same', { 'x.one': '24h' })])).settle();
      const second = await begin('b@x.org', counts);
      expect(second.numbers).toEqual({ ...all, 'x.one': 2 });
      await second.settle();
      wait(2 * HOUR_MS);
      expect((await begin('c@x.org', counts)).numbers).toEqual({
        'x.one': 3,
        'x.two': 2,
        'x.three': 1,
        'x.four': 2,
      });
    });

    it('is told the numbers of several windows of one text', async () => {
      const { check, begin, wait } = await aWorld();
      const windows = { 'x.day': '24h', 'x.week': '7d', 'x.month': '30d' } as const;
      const next = async () => {
        const receipt = await begin('jane@x.org', [seen('jane@x.org', windows)]);
        await receipt.settle();
        return Object.values(receipt.numbers);
      };
      expect(await next()).toEqual([1, 1, 1]);
      wait(25 * HOUR_MS);
      expect(await next()).toEqual([1, 2, 2]);
      wait(5 * 24 * HOUR_MS);
      expect(await next()).toEqual([1, 3, 3]);
      wait(3 * 24 * HOUR_MS);
      expect(await next()).toEqual([1, 2, 4]);
      wait(22 * 24 * HOUR_MS);
      expect(await next()).toEqual([1, 1, 3]);
      expect(await check('jane@x.org')).toBe(1);
    });

    it('counts different values of a text, each once, as long as they are within the window', async () => {
      const { begin, wait } = await aWorld();
      const forms = async (spelling: string) => {
        const count = { ...seen('jane@x.org'), distinct: spelling };
        const receipt = await begin(spelling, [count]);
        await receipt.settle();
        return receipt.numbers['x.seen'];
      };
      const told = [];
      for (const tag of ['1', '2', '1', '3', '2']) {
        told.push(await forms(`jane+${tag}@x.org`));
        wait(11 * MINUTE_MS);
      }
      expect(told).toEqual([1, 2, 2, 3, 3]);
      wait(22 * HOUR_MS);
      await forms('jane+2@x.org');
      wait(2 * HOUR_MS);
      // Of 1 and 3 more than 24 hours have passed.
      expect(await forms('jane+4@x.org')).toBe(2);
      for (let n = 0; n < 150; n += 1) await forms(`jane+n${n}@x.org`);
      expect(await forms('jane+last@x.org')).toBe(100);
    });

    it('sees the values of those that are under way beside it, and none of those that were refused', async () => {
      const { begin } = await aWorld();
      const count = (distinct: string) => [{ ...seen('jane@x.org'), distinct }];
      const first = await begin('jane+1@x.org', count('1'));
      const second = await begin('jane+2@x.org', count('2'));
      expect([first.numbers['x.seen'], second.numbers['x.seen']]).toEqual([1, 2]);
      await first.undo();
      await second.settle();
      expect((await begin('jane+3@x.org', count('3'))).numbers['x.seen']).toBe(2);
    });

    it('is seen by those that are under way beside it', async () => {
      const { begin } = await aWorld();
      const emails = Array.from({ length: 20 }, (_, n) => `user${n}@x.org`);
      const receipts = await Promise.all(emails.map((email) => begin(email, [seen('x.org')])));
      expect(receipts.map(({ numbers }) => numbers['x.seen']).sort((a = 0, b = 0) => a - b)).toEqual(
        emails.map((_, n) => n + 1),
      );
    });

    it('is not counted when it is refused after all, and neither is it a first try', async () => {
      const { begin, check } = await aWorld();
      const refused = await begin('jane@x.org');
      expect(refused.numbers).toEqual({ 'x.seen': 1 });
      await refused.undo();
      expect(await check('jane@x.org')).toBe(1);
    });

    it('takes nothing back once it is answered, and counts once whatever is called after', async () => {
      const { begin, check, wait } = await aWorld();
      const answered = await begin('jane@x.org');
      await answered.settle();
      await answered.undo();
      await answered.settle();
      wait(11 * MINUTE_MS);
      expect(await check('jane@x.org')).toBe(2);
    });
  });

  describe('the same spelling from the same key', () => {
    it('is no retry of another spelling of the address', async () => {
      const { begin } = await aWorld();
      const told = [];
      for (let n = 1; n <= 60; n += 1) {
        const receipt = await begin(`bulk+${n}@x.org`, [seen('bulk@x.org')]);
        await receipt.settle();
        told.push(receipt.numbers['x.seen']);
      }
      expect(told.at(-1)).toBe(60);
    });

    it('counts once within ten minutes, each time it is tried, and again after', async () => {
      const { check, wait } = await aWorld();
      const counts = [];
      for (let minute = 0; minute <= 21; minute += 3) {
        counts.push(await check('jane@x.org'));
        wait(3 * MINUTE_MS);
      }
      // Counted at 0, 12 (the first try after ten minutes), and not before 22.
      expect(counts).toEqual([1, 1, 1, 1, 2, 2, 2, 2]);
    });

    it('is tried again at 9:59.999, and anew at 10:00.000', async () => {
      const { check, wait } = await aWorld();
      await check('jane@x.org');
      wait(10 * MINUTE_MS - 1);
      expect(await check('jane@x.org')).toBe(1);
      wait(1);
      expect(await check('jane@x.org')).toBe(2);
    });

    it('counts once when it is sent twice at once, whatever becomes of the second', async () => {
      const { begin, check, wait } = await aWorld();
      const [one, two] = await Promise.all([begin('jane@x.org'), begin('jane@x.org')]);
      expect([one.numbers, two.numbers]).toEqual([{ 'x.seen': 1 }, { 'x.seen': 1 }]);
      await one.settle();
      await two.undo();
      expect(await check('jane@x.org')).toBe(1);
      wait(10 * MINUTE_MS);
      expect(await check('jane@x.org')).toBe(2);
    });

    it('is told what others added since', async () => {
      const { begin, wait } = await aWorld();
      for (const [email, expected] of [
        ['a@x.org', 1],
        ['b@x.org', 2],
        ['a@x.org', 2],
      ] as const) {
        const receipt = await begin(email, [seen('x.org')]);
        expect(receipt.numbers).toEqual({ 'x.seen': expected });
        await receipt.settle();
        wait(MINUTE_MS);
      }
    });

    it('is at least one where it was counted as something else the first time', async () => {
      const { begin } = await aWorld();
      await begin('jane@x.org', [seen('one')]);
      expect((await begin('jane@x.org', [seen('other')])).numbers).toEqual({ 'x.seen': 1 });
    });

    it('counts again from another key, not from one that replaced it', async () => {
      const { check } = await aWorld();
      expect([
        await check('jane@x.org', { family: 'key_1' }),
        await check('jane@x.org', { family: 'key_2' }),
        await check('jane@x.org', { family: 'key_1' }),
      ]).toEqual([1, 2, 2]);
    });
  });

  it('accounts and environments see nothing of each other', async () => {
    const { check, wait } = await aWorld();
    for (let n = 0; n < 5; n++) {
      await check('jane@x.org', { account: 'acc_1' });
      wait(10 * MINUTE_MS);
    }
    expect(await check('jane@x.org', { account: 'acc_2' })).toBe(1);
    expect(await check('jane@x.org', { environment: 'test' })).toBe(1);
  });

  describe.each([
    ['1h', 5 * MINUTE_MS],
    ['24h', 2 * HOUR_MS],
    ['7d', 14 * HOUR_MS],
    ['30d', 60 * HOUR_MS],
  ] as const)('a window of %s', (window, partMs) => {
    it('counts no less than its last eleven twelfths hold, and no more than it holds', async () => {
      const windowMs = 12 * partMs;
      const events = fc.array(
        fc.record({
          who: fc.integer({ min: 1, max: 5 }),
          // Many at once, some after a while, some after all is over.
          after: fc.oneof(fc.constant(0), fc.nat(partMs), fc.nat(3 * windowMs)),
          undone: fc.boolean(),
        }),
        { maxLength: 200 },
      );
      await fc.assert(
        fc.asyncProperty(events, async (all) => {
          const { begin, now, wait } = await aWorld();
          const counted: { who: number; at: number }[] = [];
          for (const [n, { who, after, undone }] of all.entries()) {
            wait(after);
            const receipt: CountReceipt = await begin(`user${n}@x.org`, [
              seen(`${who}`, { 'x.seen': window }),
            ]);
            const got = receipt.numbers['x.seen'] ?? 0;
            const within = (ms: number) =>
              1 + counted.filter((event) => event.who === who && event.at > now() - ms).length;
            expect(got).toBeGreaterThanOrEqual(within(windowMs - partMs));
            expect(got).toBeLessThanOrEqual(within(windowMs));
            if (undone) await receipt.undo();
            else {
              await receipt.settle();
              counted.push({ who, at: now() });
            }
          }
        }),
        { numRuns: 40 },
      );
    });

    it('counts in its newest part while the clock is set back, and begins anew where it was a window and more ahead', async () => {
      const { begin, wait } = await aWorld();
      const next = async (email: string) => {
        const receipt = await begin(email, [seen('same', { 'x.seen': window })]);
        await receipt.settle();
        return receipt.numbers['x.seen'];
      };
      expect(await next('a@x.org')).toBe(1);
      wait(-2 * partMs);
      expect(await next('b@x.org')).toBe(2);
      wait(13 * partMs);
      // Both were counted when the first was.
      expect(await next('c@x.org')).toBe(3);
      wait(-30 * partMs);
      expect(await next('d@x.org')).toBe(1);
    });
  });
}
