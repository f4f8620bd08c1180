import { useSyncExternalStore } from 'react';
import { formatInstant, formatRelative } from '../format/times.ts';

const TICK_MS = 30_000;

function subscribe(onTick: () => void): () => void {
  const timer = setInterval(onTick, TICK_MS);
  return () => clearInterval(timer);
}

/** Now, rounded down to a tick of 30 seconds, so that all times of a page change together. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => Math.floor(Date.now() / TICK_MS) * TICK_MS);
}

/** "5 minutes ago"; the exact instant, in UTC, on demand. A dash for never. */
export function RelativeTime({ at }: { readonly at: string | null }) {
  const now = useNow();
  if (at === null) return <span>–</span>;
  // `now` may be a tick old: an instant within that tick must not read as the future.
  const shown = formatRelative(at, Math.max(now, Math.min(Date.parse(at), now + TICK_MS)));
  return (
    <time dateTime={at} title={formatInstant(at)}>
      {shown}
    </time>
  );
}
