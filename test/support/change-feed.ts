import type { ChangeFeed, ChangeTopic } from '../../src/storage/ports.ts';

/** Announcements within a process, told at once; `announce` is what a commit does. */
export function aChangeFeed(): ChangeFeed & { announce(topic: ChangeTopic): Promise<void> } {
  const subscribers = new Set<{ readonly topic: ChangeTopic; readonly onChange: () => void }>();
  return {
    subscribe(topic, onChange) {
      const subscriber = { topic, onChange };
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    async announce(topic) {
      for (const one of [...subscribers]) if (one.topic === topic) one.onChange();
    },
  };
}
