import { vi } from 'vitest';

/** Asks again until it does not throw. Comes within milliseconds, and on a busy machine whole seconds later. */
export function eventually<Found>(look: () => Found | Promise<Found>): Promise<Found> {
  return vi.waitFor(look, { timeout: 60_000, interval: 20 });
}
