import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { PASSWORD, startDashboard, type TestDashboard } from '../../support/dashboard.ts';
import { expectRefusal } from '../../support/service.ts';
import { isShared } from '../../support/service-database.ts';

let dashboard: TestDashboard;
beforeAll(async () => {
  // Only the monotonic clock: it does not move until the test moves it.
  vi.useFakeTimers({ toFake: ['performance'] });
  // Requests from this address may name the client's address.
  dashboard = await startDashboard({ http: { trusted_proxies: ['127.0.0.1', '::1'] } });
});
afterAll(async () => {
  await dashboard.stop();
  vi.useRealTimers();
});

it('a sign-in that failed too often is 429 with Retry-After; the right password works from another address, and later', async ({
  skip,
}) => {
  skip(isShared, 'windows in a Valkey end by its clock, which no test moves');
  const { person } = await dashboard.signIn('analyst');
  const signIn = (password: string, from: string) =>
    dashboard.anonymous.ask(
      'POST',
      '/session',
      { email: person?.email, password },
      { headers: { 'x-forwarded-for': from } },
    );
  for (let one = 0; one < 5; one += 1) {
    expectRefusal(await signIn('not the password', '192.0.2.1'), 'wrong_credentials');
  }
  const refused = await signIn(PASSWORD, '192.0.2.1');
  expectRefusal(refused, 'rate_limited');
  expect(refused.headers['retry-after']).toBe('900');
  expect((await signIn(PASSWORD, '192.0.2.2')).status).toBe(200);
  vi.advanceTimersByTime(15 * 60_000);
  expect((await signIn(PASSWORD, '192.0.2.1')).status).toBe(200);
});
