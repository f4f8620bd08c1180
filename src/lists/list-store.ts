import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { codeOf } from '../lib/thrown.ts';
import { type FileLock, lockFile } from '../storage/file-lock.ts';
import { makePrivateDirectory } from '../storage/private-directory.ts';
import { replaceFile } from '../storage/replace-file.ts';
import { type KeptSnapshot, type ListState, type ListsState, NO_LISTS, sha256 } from './list-state.ts';

const PRIVATE = 0o600;
/** Longer than another process takes to judge and write a list of the largest size. */
const PATIENCE_MS = 10_000;
const BETWEEN_TRIES_MS = 50;

/** The directory `lists` of the data directory. What is read is whole: every change is one replaced `state.json`. */
export class ListStore {
  readonly #directory: string;
  readonly #stateFile: string;

  /** Touches nothing yet. */
  constructor(dataDir: string) {
    this.#directory = join(dataDir, 'lists');
    this.#stateFile = join(this.#directory, 'state.json');
  }

  /** Changes when any process changes the state; null before there is one. */
  async version(): Promise<string | null> {
    try {
      const { mtimeNs, ino, size } = await stat(this.#stateFile, { bigint: true });
      return `${mtimeNs} ${ino} ${size}`;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    }
  }

  /** Throws when the file cannot be read or is not one that this version wrote. */
  async read(): Promise<ListsState> {
    let text: string;
    try {
      text = await readFile(this.#stateFile, 'utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return NO_LISTS;
      throw error;
    }
    const state = parse(text);
    if (state) return state;
    throw new Error(
      `${this.#stateFile}: not a state of lists that this version can read; without the file all is downloaded anew`,
    );
  }

  /** The file's text; undefined when it is gone or is not what was written. */
  async readSnapshot({ file, sha256: expected }: KeptSnapshot): Promise<string | undefined> {
    try {
      const chunks: Buffer[] = [];
      const hash = createHash('sha256');
      // Piece by piece: to hash all at once would hold up requests for ten milliseconds.
      for await (const chunk of createReadStream(join(this.#directory, file))) {
        chunks.push(chunk);
        hash.update(chunk);
      }
      return hash.digest('hex') === expected ? Buffer.concat(chunks).toString('ascii') : undefined;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** The first of them that is sound: what is in force when the disk has lost the newest. */
  async readBest(snapshots: readonly KeptSnapshot[]): Promise<SoundSnapshot | undefined> {
    for (const kept of snapshots) {
      const text = await this.readSnapshot(kept);
      if (text !== undefined) return { kept, text };
    }
    return undefined;
  }

  /** Where nobody else changes anything meanwhile. Throws when another process does for too long. */
  async exclusively<Result>(work: (session: StoreSession) => Promise<Result>): Promise<Result> {
    makePrivateDirectory(this.#directory);
    const lock = await this.#lock();
    try {
      return await work({
        state: await this.read(),
        writeSnapshot: async (id, text) => {
          const digest = sha256(text);
          const file = `${id}.${digest.slice(0, 16)}.txt`;
          await replaceFile(join(this.#directory, file), text, PRIVATE);
          return { file, sha256: digest };
        },
        save: (state) => this.#save(state),
      });
    } finally {
      lock.release();
    }
  }

  async #lock(): Promise<FileLock> {
    const file = join(this.#directory, 'update.lock');
    for (let left = PATIENCE_MS / BETWEEN_TRIES_MS; left > 0; left--) {
      const lock = lockFile(file);
      if (lock) return lock;
      await setTimeout(BETWEEN_TRIES_MS);
    }
    throw new Error('another process is changing the lists');
  }

  /**
   * Snapshots that nothing names any more go after it: a reader of the state before finds them until then. So do
   * drafts, which a process that was killed has left: whoever holds the lock writes alone.
   */
  async #save(state: ListsState): Promise<void> {
    await replaceFile(this.#stateFile, `${JSON.stringify(state, null, 2)}\n`, PRIVATE);
    const kept = new Set(
      Object.values(state.lists).flatMap(({ snapshots }) => snapshots.map(({ file }) => file)),
    );
    for (const file of await readdir(this.#directory)) {
      if (file.startsWith('.') || (file.endsWith('.txt') && !kept.has(file)))
        await unlink(join(this.#directory, file));
    }
  }
}

export interface SoundSnapshot {
  readonly kept: KeptSnapshot;
  readonly text: string;
}

export interface StoreSession {
  readonly state: ListsState;
  /** Puts a snapshot on the disk; nothing names it before `save`. */
  writeSnapshot(id: string, text: string): Promise<Pick<KeptSnapshot, 'file' | 'sha256'>>;
  save(state: ListsState): Promise<void>;
}

/** With one list put in the place of what was known of it. */
export function withList(state: ListsState, url: string, list: ListState): ListsState {
  return { ...state, lists: { ...state.lists, [url]: list } };
}

function parse(text: string): ListsState | undefined {
  try {
    const value: Partial<ListsState> | null = JSON.parse(text);
    // Nobody else writes the file, and it is replaced whole: what bears the mark is what was written.
    return value?.format === 1 && typeof value.lists === 'object' ? (value as ListsState) : undefined;
  } catch {
    return undefined;
  }
}
