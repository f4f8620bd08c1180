import { randomInt } from 'node:crypto';
import { monotonicFactory } from 'ulid';

/** Makes ULIDs: 48 bits of milliseconds, 80 random ones. Those of one maker grow, within a millisecond and after the clock went back too. */
export function createUlids(): (now: number) => string {
  // Node draws randomness for many numbers at once; the library by itself asks the system for each octet, 60 µs an id.
  return monotonicFactory(() => randomInt(256) / 256);
}
