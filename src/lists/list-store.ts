import { hash } from 'node:crypto';
import { readdir, readFile, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { orIfAbsent } from '../lib/thrown.ts';
import { whileHeld } from '../storage/file-lock.ts';
import { makePrivateDirectory, replaceFile } from '../storage/private-files.ts';

/** What is known of every list that was ever downloaded, by its URL. The file `lists/state.json` is exactly this. */
export interface ListsState {
  readonly format: 1;
  readonly lists: Readonly<Record<string, ListState>>;
}

export interface ListState {
  /** For file names, logs, metrics and votes: the host, and a few digits that tell two lists of one host apart. */
  readonly id: string;
  /** The one in force first, then those before it. */
  readonly snapshots: readonly KeptSnapshot[];
  /** Of the download in force, to be asked only for something newer. */
  readonly etag: string | null;
  readonly last_modified: string | null;
  /** SHA-256 of a download that the operator rolled back: the background leaves the list alone until an update by hand. */
  readonly rolled_back: string | null;
  /** What the list names and must not; it is in no snapshot. */
  readonly left_out: readonly string[];
  readonly last_attempt: {
    readonly at: string;
    readonly result: ListResult;
    /** Why, where it was refused or failed. */
    readonly reason: string | null;
  } | null;
  /** When the background may ask again; ISO 8601. */
  readonly next_attempt_at: string | null;
}

export interface KeptSnapshot {
  readonly file: string;
  /** SHA-256 of that file. */
  readonly sha256: string;
  /** SHA-256 of the download, unpacked. */
  readonly download_sha256: string;
  readonly taken_at: string;
  /** When the source was last seen to hold exactly this. */
  readonly confirmed_at: string;
  /** Domains that the list names. */
  readonly entries: number;
  /** Domains that it named once. */
  readonly gone: number;
}

/**
 * `taken`: a new snapshot is in force. `unchanged`: the source holds what is in force. `refused`: what came is not to be
 * used. `failed`: nothing came.
 */
export const LIST_RESULTS = ['taken', 'unchanged', 'refused', 'failed'] as const;
export type ListResult = (typeof LIST_RESULTS)[number];

export const NO_LISTS: ListsState = { format: 1, lists: {} };

export function emptyState(url: string): ListState {
  return {
    id: idOf(url),
    snapshots: [],
    etag: null,
    last_modified: null,
    rolled_back: null,
    left_out: [],
    last_attempt: null,
    next_attempt_at: null,
  };
}

/**
 * snake_case, and the same for ever: files and the weight of votes hang on it. The rest of a URL is not in it, which may
 * hold what is private.
 */
export function idOf(url: string): string {
  const host = new URL(url).hostname.replace(/[^a-z0-9]+/g, '_').replace(/^(?![a-z])_?/, 'ip_');
  return `${host.replace(/_$/, '')}_${hash('sha256', url).slice(0, 8)}`;
}

const PRIVATE = 0o600;

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
    const found = await orIfAbsent(stat(this.#stateFile, { bigint: true }), null);
    return found && `${found.mtimeNs} ${found.ino} ${found.size}`;
  }

  /** Throws when the file cannot be read or is not one that this version wrote. */
  async read(): Promise<ListsState> {
    const text = await orIfAbsent(readFile(this.#stateFile, 'utf8'), null);
    if (text === null) return NO_LISTS;
    try {
      const state: Partial<ListsState> | null = JSON.parse(text);
      // No other program writes the file, and it is replaced whole: what bears the mark is what was written.
      if (state?.format === 1 && typeof state.lists === 'object') return state as ListsState;
    } catch {
      // Told below.
    }
    throw new Error(
      `${this.#stateFile}: not a state of lists that this version can read; without the file all is downloaded anew`,
    );
  }

  /** The file's text; undefined when it is gone or is not what was written. */
  async readSnapshot({ file, sha256: expected }: KeptSnapshot): Promise<string | undefined> {
    const content = await orIfAbsent(readFile(join(this.#directory, file)), null);
    return content && hash('sha256', content) === expected ? content.toString('ascii') : undefined;
  }

  /** The first of them that is sound: what is in force when the disk has lost the newest. */
  async readBest(snapshots: readonly KeptSnapshot[]): Promise<SoundSnapshot | undefined> {
    for (const kept of snapshots) {
      const text = await this.readSnapshot(kept);
      if (text !== undefined) return { kept, text };
    }
    return undefined;
  }

  /** Does `work` while no other process changes anything. Throws FileNotHeld when another does for too long. */
  async exclusively<Result>(work: (state: ListsState) => Promise<Result>): Promise<Result> {
    makePrivateDirectory(this.#directory);
    return whileHeld([this.#directory], async () => work(await this.read()));
  }

  /** Puts a snapshot on the disk; nothing names it before `save`. For `work` of `exclusively` alone. */
  async writeSnapshot(id: string, text: string): Promise<Pick<KeptSnapshot, 'file' | 'sha256'>> {
    const digest = hash('sha256', text);
    const file = `${id}.${digest.slice(0, 16)}.txt`;
    await replaceFile(join(this.#directory, file), text, PRIVATE);
    return { file, sha256: digest };
  }

  /**
   * Puts one list in the place of what was known of it. For `work` of `exclusively` alone. Snapshots that nothing names any more
   * are removed afterwards, since a reader of the state before finds them until then; and drafts of a process that was killed.
   */
  async save({ lists }: ListsState, url: string, list: ListState): Promise<void> {
    const state: ListsState = { format: 1, lists: { ...lists, [url]: list } };
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

export type RollBack =
  | { readonly ok: true; readonly from: KeptSnapshot; readonly to: KeptSnapshot }
  | { readonly ok: false; readonly reason: string };

/**
 * Puts the snapshot before the one in force back. The background leaves the list alone from then on: the source still
 * holds what was rolled back, or something made of it. An update by hand ends that.
 */
export function rollBackList(url: string, store: ListStore): Promise<RollBack> {
  return store.exclusively(async (state): Promise<RollBack> => {
    const list = state.lists[url];
    const [from, ...earlier] = list?.snapshots ?? [];
    if (!list || !from) return { ok: false, reason: 'it was never downloaded' };
    const [to] = earlier;
    if (!to) return { ok: false, reason: 'there is no snapshot before the one in force' };
    if ((await store.readSnapshot(to)) === undefined) {
      return { ok: false, reason: `the snapshot before, ${to.file}, is damaged` };
    }
    await store.save(state, url, {
      ...list,
      snapshots: earlier,
      // They belong to the download that is no longer in force.
      etag: null,
      last_modified: null,
      rolled_back: from.download_sha256,
      next_attempt_at: null,
    });
    return { ok: true, from, to };
  });
}
