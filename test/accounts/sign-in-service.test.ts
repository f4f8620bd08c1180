import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Sessions } from '../../src/accounts/person.ts';
import { SignInService } from '../../src/accounts/sign-in-service.ts';
import { InMemoryAttemptThrottle } from '../../src/shared-state/memory/attempt-throttle.ts';

/** Sessions whose start for a wrong password ends only when the test says so, and the emails that were tried. */
function opened() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const sessions: Pick<Sessions, 'begin'> = {
    begin(email) {
      begun.push(email);
      return new Promise((resolve) => ends.push(() => resolve(null)));
    },
  };
  const service = new SignInService(
    sessions as Sessions,
    { findByEmail: async () => undefined } as never,
    {} as never,
    {} as never,
    new InMemoryAttemptThrottle({ now: () => 0 }),
    { record: async () => undefined } as never,
    { now: () => 0 },
  );
  const attempt = (email: string, clientAddress: string, signal = new AbortController().signal) =>
    service.signIn(email, 'a wrong password', { clientAddress, asking: { signal } });
  const endOne = async () => {
    ends.shift()?.();
    await turn();
  };
  return { begun, attempt, endOne };
}

it('checks two passwords at a time, and serves clients in turn, however many attempts one client sends', async () => {
  const { begun, attempt, endOne } = opened();
  const flood = Promise.allSettled(
    ['a1', 'a2', 'a3', 'a4', 'a5'].map((email) => attempt(email, '192.0.2.1')),
  );
  await turn();
  const owner = expect(attempt('owner', '192.0.2.2')).rejects.toMatchObject({ code: 'wrong_credentials' });
  await turn();
  expect(begun).toEqual(['a1', 'a2']);
  await endOne();
  await endOne();
  expect(begun).toEqual(['a1', 'a2', 'a3', 'owner']);
  for (let left = 0; left < 4; left += 1) await endOne();
  await owner;
  for (const outcome of await flood) expect(outcome.status).toBe('rejected');
});

it('checks no password of a client that has disconnected', async () => {
  const { begun, attempt, endOne } = opened();
  const first = [attempt('a1', '192.0.2.1'), attempt('b1', '192.0.2.2')].map((one) =>
    expect(one).rejects.toMatchObject({ code: 'wrong_credentials' }),
  );
  const leaves = new AbortController();
  const gone = expect(attempt('c1', '192.0.2.3', leaves.signal)).rejects.toThrow('left');
  await turn();
  leaves.abort(new Error('left'));
  await gone;
  await endOne();
  await endOne();
  await Promise.all(first);
  expect(begun).toEqual(['a1', 'b1']);
});
