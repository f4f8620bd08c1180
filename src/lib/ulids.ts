import { randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';

/** Octets drawn at once: 16 make an id, and one call to the system for each octet costs 60 µs an id. */
const POOL_BYTES = 4_096;

const pool = new Uint8Array(POOL_BYTES);
let used = POOL_BYTES;

/** Cryptographic randomness from 0 to 255/256, as the library wants it. */
function random(): number {
  if (used === POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const octet = pool[used] ?? 0;
  // Randomness that was used does not stay in memory.
  pool[used] = 0;
  used += 1;
  return octet / 256;
}

/**
 * Makes ULIDs: 26 characters, 48 bits of milliseconds and 80 random bits. Those of one maker grow, also within one
 * millisecond and when the clock is set back.
 */
export function createUlids(): (now: number) => string {
  return monotonicFactory(random);
}
