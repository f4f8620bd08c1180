import { expect, it } from 'vitest';
import { InMemoryAttemptThrottle } from '../../../src/shared-state/memory/attempt-throttle.ts';

it('forgets the least recent client when there are too many, and never another', async () => {
  const { throttle } = { throttle: new InMemoryAttemptThrottle({ now: () => 0 }) };
  for (let failure = 0; failure < 20; failure += 1) await throttle.recordFailure('oldest');
  for (let failure = 0; failure < 20; failure += 1) await throttle.recordFailure('second');
  for (let client = 0; client < 49_999; client += 1) await throttle.recordFailure(`client ${client}`);
  expect((await throttle.recordFailure('second')).allowed).toBe(false);
  expect((await throttle.recordFailure('oldest')).allowed).toBe(true);
});
