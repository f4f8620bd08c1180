import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { ProviderValueStore } from '../ports.ts';
import { openReadOnly } from './open-database.ts';
import { FIND_PROVIDER_VALUE } from './schema.ts';

export interface ReadProviderValues extends ProviderValueStore {
  close(): void;
}

/**
 * What the providers of a service have kept, for a command that answers as it would: read, never written. Null where
 * there is none to be read: no database, none of this version, or none that this user may open.
 */
export function readProviderValues(file: string): ReadProviderValues | null {
  if (!existsSync(file)) return null;
  let database: DatabaseSync | undefined;
  try {
    database = openReadOnly(file);
    const opened = database;
    const find = opened.prepare(FIND_PROVIDER_VALUE);
    return {
      find: (...wanted) => {
        const found = find.get(...wanted);
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
