import { expect, it, onTestFinished, vi } from 'vitest';
import { InMemoryAttemptThrottle } from '../../../src/shared-state/memory/attempt-throttle.ts';

it('drops the least recent client when there are too many, and never another', async () => {
  const throttle = new InMemoryAttemptThrottle({ now: () => 0 });
  for (let failure = 0; failure < 20; failure += 1) await throttle.recordFailure('oldest');
  for (let failure = 0; failure < 20; failure += 1) await throttle.recordFailure('second');
  for (let client = 0; client < 49_999; client += 1) await throttle.recordFailure(`client ${client}`);
  expect((await throttle.recordFailure('second')).allowed).toBe(false);
  expect((await throttle.recordFailure('oldest')).allowed).toBe(true);
});

it("keeps a client's failures while another client uses as many emails as there is room for", async () => {
  const throttle = new InMemoryAttemptThrottle({ now: () => 0 });
  const signIn = async (client: string, email: string) => (await throttle.beginSignIn(client, email)).allowed;
  for (let attempt = 0; attempt < 5; attempt += 1) await signIn('192.0.2.1', 'ada@firm.example');
  for (let email = 0; email < 50_000; email += 1) await signIn('192.0.2.2', `${email}@firm.example`);
  expect(await signIn('192.0.2.1', 'ada@firm.example')).toBe(false);
});

it('uses a clock that is never set: setting the clock neither extends nor shortens a wait', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const throttle = new InMemoryAttemptThrottle();
  for (let failure = 0; failure < 20; failure += 1) await throttle.recordFailure('192.0.2.1');
  for (const hours of [-1, 1]) {
    vi.setSystemTime(Date.now() + hours * 3_600_000);
    const { allowed, resetMs } = await throttle.recordFailure('192.0.2.1');
    expect(allowed).toBe(false);
    expect(resetMs).toBeLessThanOrEqual(60_000);
  }
});
