import { MonthlyQuota, monthOf } from '../../src/shared-state/memory/monthly-quota.ts';
import type { Quota } from '../../src/shared-state/ports.ts';
import type { ValkeyState } from '../../src/shared-state/valkey/open-valkey-state.ts';
import { describeValkey, ofItsOwn, stateOptions, type ValkeyForTests } from '../support/valkey.ts';
import { describeSharedState } from './contract.ts';

describeValkey('where there is a server', ({ open, prefix, url }) => {
  let places = 0;
  const nextPlace = () => {
    places += 1;
    return places;
  };
  /** Empty: no other test has keys in it. */
  const anew = (options: Parameters<ValkeyForTests['open']>[0]) =>
    open({ ...options, prefix: `${prefix}${nextPlace()}:` });
  let one: Promise<ValkeyState> | undefined;

  describeSharedState('shared state in Valkey', {
    rateLimiter: async (requests, windowSeconds) =>
      (await anew({ config: { ...stateOptions(url).config, rateLimit: { requests, windowSeconds } } }))
        .rateLimiter,
    attemptThrottle: async (now) => (await anew({ clock: { now } })).attemptThrottle,
    quota: aQuotaOnRecord,
    async velocityCounters() {
      one ??= open();
      return ofItsOwn((await one).counters, nextPlace());
    },
  });
});

/** Over a store in which every used place is recorded. */
function aQuotaOnRecord(limit: number, recorded: Readonly<Record<string, number>>, now: () => number): Quota {
  const settled: Record<string, number> = {};
  const usage = {
    read: async (account: string, month: string) =>
      (recorded[`${account} ${month}`] ?? 0) + (settled[`${account} ${month}`] ?? 0),
  };
  const quota = new MonthlyQuota(usage, { now }, limit);
  return {
    limit,
    async reserve(account) {
      const verdict = await quota.reserve(account);
      if (!verdict.allowed) return verdict;
      const { reservation } = verdict;
      const month = `${account} ${monthOf(reservation.at)}`;
      let isSettled = false;
      const settle = async () => {
        if (!isSettled) settled[month] = (settled[month] ?? 0) + 1;
        isSettled = true;
        await reservation.settle();
      };
      return { allowed: true, reservation: { ...reservation, settle } };
    },
  };
}
