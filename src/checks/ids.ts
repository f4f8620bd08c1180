import { createUlids } from '../lib/ulids.ts';
import type { Clock } from '../provider-kit/index.ts';

export interface Ids {
  /** `chk_` and a ULID: 48 bits of milliseconds, then 80 random bits that grow within one millisecond. */
  check(): string;
}

export function createIds(clock: Clock): Ids {
  const next = createUlids();
  return { check: () => `chk_${next(clock.now())}` };
}
