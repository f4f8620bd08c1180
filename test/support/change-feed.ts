import type { ChangeFeed } from '../../src/storage/ports.ts';

/** Announcements within one process, delivered at once; `announce` stands for a commit. */
export function aChangeFeed(): ChangeFeed & { announce(): Promise<void> } {
  const subscribers = new Set<() => void>();
  return {
    subscribe(onChange) {
      subscribers.add(onChange);
      return () => subscribers.delete(onChange);
    },
    async announce() {
      for (const onChange of [...subscribers]) onChange();
    },
  };
}
