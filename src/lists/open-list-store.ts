import { hash } from 'node:crypto';
import { readdir, readFile, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../app/config/config.ts';
import { isPostgresUrl } from '../lib/service-url.ts';
import { orIfAbsent } from '../lib/thrown.ts';
import { whileHeld } from '../storage/file-lock.ts';
import { makePrivateDirectory, replaceFile } from '../storage/private-files.ts';
import {
  type KeptSnapshot,
  type ListChange,
  type ListState,
  type ListStore,
  type ListsState,
  NO_LISTS,
} from './list-store.ts';

const PRIVATE = 0o600;

/** The directory `lists` of the data directory: a file for each snapshot, and `state.json`, which every change replaces whole. */
export class DirectoryListStore implements ListStore {
  readonly #directory: string;
  readonly #stateFile: string;

  /** Touches nothing yet. */
  constructor(dataDir: string) {
    this.#directory = join(dataDir, 'lists');
    this.#stateFile = join(this.#directory, 'state.json');
  }

  async version(): Promise<string | null> {
    const found = await orIfAbsent(stat(this.#stateFile, { bigint: true }), null);
    return found && `${found.mtimeNs} ${found.ino} ${found.size}`;
  }

  async read(): Promise<ListsState> {
    const text = await orIfAbsent(readFile(this.#stateFile, 'utf8'), null);
    if (text === null) return NO_LISTS;
    try {
      const state: Partial<ListsState> | null = JSON.parse(text);
      // No other program writes the file, and it is replaced whole: with the right format number it is what was written.
      if (state?.format === 1 && typeof state.lists === 'object') return state as ListsState;
    } catch {
      // Reported below.
    }
    throw new Error(
      `${this.#stateFile}: not a state of lists that this version can read; without the file all is downloaded anew`,
    );
  }

  async readSnapshot({ id }: ListState, { sha256: expected }: KeptSnapshot): Promise<string | undefined> {
    const content = await orIfAbsent(readFile(join(this.#directory, fileOf(id, expected))), null);
    return content && hash('sha256', content) === expected ? content.toString('ascii') : undefined;
  }

  /** Throws FileNotHeld when another process holds the directory for too long. */
  async exclusively<Result>(work: (change: ListChange) => Promise<Result>): Promise<Result> {
    makePrivateDirectory(this.#directory);
    return whileHeld([this.#directory], async () => {
      const state = await this.read();
      return work({
        state,
        readSnapshot: (list, kept) => this.readSnapshot(list, kept),
        writeSnapshot: (list, text) => this.#writeSnapshot(list, text),
        save: (url, list) => this.#save({ ...state.lists, [url]: list }),
      });
    });
  }

  async #writeSnapshot({ id }: ListState, text: string): Promise<string> {
    const digest = hash('sha256', text);
    await replaceFile(join(this.#directory, fileOf(id, digest)), text, PRIVATE);
    return digest;
  }

  /** Removes unused snapshots last: a reader of the old state may still need them. Also removes drafts that a killed process left. */
  async #save(lists: ListsState['lists']): Promise<void> {
    await replaceFile(this.#stateFile, `${JSON.stringify({ format: 1, lists }, null, 2)}\n`, PRIVATE);
    const kept = new Set(
      Object.values(lists).flatMap(({ id, snapshots }) => snapshots.map(({ sha256 }) => fileOf(id, sha256))),
    );
    for (const file of await readdir(this.#directory)) {
      if (file.startsWith('.') || (file.endsWith('.txt') && !kept.has(file)))
        await unlink(join(this.#directory, file));
    }
  }
}

function fileOf(id: string, sha256: string): string {
  return `${id}.${sha256.slice(0, 16)}.txt`;
}

/** Where `storage` keeps downloaded lists: in the data directory beside SQLite, else in its tables. Connects when it is first asked. */
export async function openListStore({
  dataDir,
  storage,
}: Pick<Config, 'dataDir'> & { readonly storage: Pick<Config['storage'], 'url'> }) {
  if (!isPostgresUrl(storage.url)) {
    return { store: new DirectoryListStore(dataDir), [Symbol.asyncDispose]: async () => undefined };
  }
  const { openPostgresListStore } = await import('../storage/postgres/postgres-records.ts');
  return openPostgresListStore(storage.url);
}
