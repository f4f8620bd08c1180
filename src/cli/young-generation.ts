import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What one half of V8's young generation holds, in octets; the other is empty between two collections. Undefined under another V8. */
export function halfOfYoung(): number | undefined {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  // Its `space_size` leaves out the other half until that has been used.
  return young && young.space_used_size + young.space_available_size;
}

/** Collects the young generation, in a millisecond. Node shows V8's own function for it only to contexts that begin after the flag is set. */
export function collectYoung(): void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('globalThis.gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof gc === 'function') gc({ type: 'minor' });
}
