import { vi } from 'vitest';

/** Calls `look` until it does not throw, for up to a minute: on a busy machine milliseconds become seconds. */
export function eventually<Found>(look: () => Found | Promise<Found>): Promise<Found> {
  return vi.waitFor(look, { timeout: 60_000, interval: 20 });
}
