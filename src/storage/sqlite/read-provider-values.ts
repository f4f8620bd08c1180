import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { ProviderValueStore } from '../ports.ts';
import { openReadOnly } from './database.ts';

/**
 * What the providers of a service have kept, for a command that answers as it would: read, never written. Null where
 * there is none to be read: no database, none of this version, or none that this user may open. Without the query builder,
 * which would be most of what such a command loads.
 */
export function readProviderValues(file: string): (ProviderValueStore & { close(): void }) | null {
  if (!existsSync(file)) return null;
  let database: DatabaseSync | undefined;
  try {
    database = openReadOnly(file);
    const opened = database;
    const find = opened.prepare(
      'SELECT value FROM provider_values WHERE provider = ? AND key = ? AND ends_at > ?',
    );
    return {
      async find(provider, key, atMs) {
        const found = find.get(provider, key, atMs);
        return found === undefined ? undefined : String(found.value);
      },
      keep: async () => undefined,
      close: () => opened.close(),
    };
  } catch {
    database?.close();
    return null;
  }
}
