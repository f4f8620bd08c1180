import { existsSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { unavailable } from '../commit-queue.ts';
import type { ProviderValueStore } from '../ports.ts';
import { openReadOnly } from './database.ts';
import type { Writer } from './writer.ts';

const FIND = 'SELECT value FROM provider_values WHERE provider = ? AND key = ? AND ends_at > ?';

/** Plain SQL: `postern check` reads these, and starts without the query builder. */
export class SqliteProviderValueStore implements ProviderValueStore {
  readonly #find: StatementSync;
  readonly #writer: Writer;

  constructor(reader: DatabaseSync, writer: Writer) {
    this.#find = reader.prepare(FIND);
    this.#writer = writer;
  }

  find(provider: string, key: string, atMs: number): string | undefined {
    try {
      const found = this.#find.get(provider, key, atMs);
      return found === undefined ? undefined : String(found.value);
    } catch (error) {
      throw unavailable(error);
    }
  }

  async keep(provider: string, key: string, value: string, endsAtMs: number, atMs: number): Promise<void> {
    // By index: where nothing has ended, this touches no page.
    await this.#writer.run('DELETE FROM provider_values WHERE ends_at <= ?', [atMs]);
    await this.#writer.run(
      'INSERT OR REPLACE INTO provider_values (provider, key, value, ends_at) VALUES (?, ?, ?, ?)',
      [provider, key, value, endsAtMs],
    );
  }
}

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
    const find = opened.prepare(FIND);
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
