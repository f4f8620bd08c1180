import { describe, expect, it } from 'vitest';
import { FailedAuthThrottle } from '../../../src/shared-state/limits/failed-auth-throttle.ts';

function throttleAt(start: number) {
  const clock = { time: start, now: () => clock.time };
  return { clock, throttle: new FailedAuthThrottle(clock) };
}

describe('FailedAuthThrottle', () => {
  it('answers 20 failures of one address a minute, and holds back the next', () => {
    const { clock, throttle } = throttleAt(1_000);
    const verdicts = Array.from({ length: 20 }, () => throttle.recordFailure('192.0.2.1'));
    expect(verdicts.every(({ allowed }) => allowed)).toBe(true);
    expect(verdicts.at(-1)).toEqual({ allowed: true, resetMs: 60_000 });
    clock.time += 15_000;
    expect(throttle.recordFailure('192.0.2.1')).toEqual({ allowed: false, resetMs: 45_000 });
    expect(throttle.recordFailure('192.0.2.2').allowed).toBe(true);
  });

  it('starts afresh when the minute is over', () => {
    const { clock, throttle } = throttleAt(0);
    for (let failure = 0; failure < 30; failure += 1) throttle.recordFailure('192.0.2.1');
    clock.time = 59_999;
    expect(throttle.recordFailure('192.0.2.1').allowed).toBe(false);
    clock.time = 60_000;
    const verdicts = Array.from({ length: 21 }, () => throttle.recordFailure('192.0.2.1').allowed);
    expect(verdicts).toEqual([...Array.from({ length: 20 }, () => true), false]);
  });

  it.each([
    ['an IPv4 address and the same mapped into IPv6', '192.0.2.1', '::ffff:192.0.2.1', true],
    ['two addresses of one IPv6 /64', '2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
    ['two spellings of one address', '2001:db8::1', '2001:0DB8:0:0:0:0:0:1', true],
    ['neighbouring IPv6 /64s', '2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['what is no address', 'unknown', 'other', false],
  ])('takes %s for one client or two', (_case, first, second, isSame) => {
    const { throttle } = throttleAt(0);
    for (let failure = 0; failure < 20; failure += 1) throttle.recordFailure(first);
    expect(throttle.recordFailure(second).allowed).toBe(!isSame);
  });

  it('forgets the least recent client when there are too many, and never another', () => {
    const { throttle } = throttleAt(0);
    for (let failure = 0; failure < 20; failure += 1) throttle.recordFailure('oldest');
    for (let failure = 0; failure < 20; failure += 1) throttle.recordFailure('second');
    for (let client = 0; client < 49_999; client += 1) throttle.recordFailure(`client ${client}`);
    expect(throttle.recordFailure('second').allowed).toBe(false);
    expect(throttle.recordFailure('oldest').allowed).toBe(true);
  });
});
