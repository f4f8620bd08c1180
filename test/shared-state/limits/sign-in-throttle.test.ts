import { beforeEach, describe, expect, it } from 'vitest';
import { SignInThrottle } from '../../../src/shared-state/limits/sign-in-throttle.ts';

const MINUTE = 60_000;
let now: number;
let throttle: SignInThrottle;
beforeEach(() => {
  now = 0;
  throttle = new SignInThrottle({ now: () => now });
});

const fail = (times: number, client: string, email: string) =>
  Array.from({ length: times }, () => throttle.begin(client, email).allowed);

describe('attempts to sign in', () => {
  it('are five for one email from one client, then none for fifteen minutes', () => {
    expect(fail(6, '192.0.2.1', 'ada@firm.example')).toEqual([true, true, true, true, true, false]);
    now = 15 * MINUTE - 1;
    expect(throttle.begin('192.0.2.1', 'ADA@firm.example')).toEqual({ allowed: false, resetMs: 1 });
    now = 15 * MINUTE;
    expect(throttle.begin('192.0.2.1', 'ada@firm.example').allowed).toBe(true);
  });

  it('from another address are none of those', () => {
    fail(6, '192.0.2.1', 'ada@firm.example');
    expect(throttle.begin('192.0.2.2', 'ada@firm.example').allowed).toBe(true);
  });

  it('are twenty from one client, whomever it tries to be', () => {
    for (let one = 0; one < 20; one += 1) expect(fail(1, '192.0.2.1', `${one}@firm.example`)).toEqual([true]);
    expect(fail(1, '192.0.2.1', 'ada@firm.example')).toEqual([false]);
  });

  it('are one for each client from the fiftieth for one email on', () => {
    for (let one = 0; one < 12; one += 1) fail(4, `192.0.2.${one}`, 'ada@firm.example');
    expect(fail(3, '198.51.100.1', 'ada@firm.example')).toEqual([true, true, false]);
  });

  it('for an email that is tried from everywhere are one for each client, never none', () => {
    for (let one = 0; one < 10; one += 1) fail(5, `192.0.2.${one}`, 'ada@firm.example');
    expect(fail(2, '198.51.100.1', 'ada@firm.example')).toEqual([true, false]);
    expect(fail(2, '198.51.100.2', 'ada@firm.example')).toEqual([true, false]);
  });

  it('that succeed do not count', () => {
    for (let one = 0; one < 30; one += 1) {
      const verdict = throttle.begin('192.0.2.1', 'ada@firm.example');
      expect(verdict.allowed).toBe(true);
      if (verdict.allowed) verdict.succeeded();
    }
  });

  it('that succeed take back themselves, not the failed ones before them', () => {
    fail(4, '192.0.2.1', 'ada@firm.example');
    const verdict = throttle.begin('192.0.2.1', 'ada@firm.example');
    if (verdict.allowed) verdict.succeeded();
    expect(fail(2, '192.0.2.1', 'ada@firm.example')).toEqual([true, false]);
  });

  it('are refused until the last bound that is reached is gone', () => {
    for (let one = 0; one < 15; one += 1) fail(1, '192.0.2.1', `${one}@firm.example`);
    now = 5 * MINUTE;
    fail(5, '192.0.2.1', 'ada@firm.example');
    // The client's fifteen minutes end five earlier than those of the client and the email.
    expect(throttle.begin('192.0.2.1', 'ada@firm.example')).toEqual({ allowed: false, resetMs: 15 * MINUTE });
    expect(throttle.begin('192.0.2.1', 'bob@firm.example')).toEqual({ allowed: false, resetMs: 10 * MINUTE });
  });

  it('count before they are made: many at once are no more than one by one', () => {
    const begun = fail(10, '192.0.2.1', 'ada@firm.example');
    expect(begun.filter(Boolean)).toHaveLength(5);
  });
});
