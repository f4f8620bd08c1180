import { createSecretKey } from 'node:crypto';
import { InMemoryAttemptThrottle } from '../../src/shared-state/memory/attempt-throttle.ts';
import { MonthlyQuota } from '../../src/shared-state/memory/monthly-quota.ts';
import { InMemoryRateLimiter } from '../../src/shared-state/memory/rate-limiter.ts';
import { InMemoryVelocityCounters } from '../../src/shared-state/memory/velocity-counters.ts';
import { describeSharedState } from './contract.ts';

describeSharedState('shared state in memory', {
  rateLimiter: (requests, windowSeconds) => new InMemoryRateLimiter(requests, windowSeconds),
  attemptThrottle: (now) => new InMemoryAttemptThrottle({ now }),
  quota: (limit, recorded, now) =>
    new MonthlyQuota(
      { read: async (account, month) => recorded[`${account} ${month}`] ?? 0 },
      { now },
      limit,
    ),
  velocityCounters: () => new InMemoryVelocityCounters(createSecretKey(Buffer.alloc(32, 7))),
});
