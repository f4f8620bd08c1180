import { vi } from 'vitest';

/** Asks again until it does not throw, for a minute: what comes within milliseconds takes whole seconds on a busy machine. */
export function eventually<Found>(look: () => Found | Promise<Found>): Promise<Found> {
  return vi.waitFor(look, { timeout: 60_000, interval: 20 });
}
