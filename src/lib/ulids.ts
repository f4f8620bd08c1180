import { randomInt } from 'node:crypto';
import { monotonicFactory } from 'ulid';

/** Makes ULIDs: 48 bits of milliseconds, 80 random bits. Ids of one maker grow, even within a millisecond or if the clock goes back. */
export function createUlids(): (now: number) => string {
  // Node draws randomness for many numbers at once; the library by itself asks the system for each octet, 60 µs an id.
  return monotonicFactory(() => randomInt(256) / 256);
}
