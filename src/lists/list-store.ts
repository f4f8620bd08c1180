import { hash } from 'node:crypto';
import { AppError } from '../errors.ts';

/** What is known of every list that was ever downloaded, by its URL. */
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
  /** SHA-256 of its text. */
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

/** Where downloaded lists are kept. What is read is whole: a reader sees the state before a change or the one after it. */
export interface ListStore {
  /** Changes when any process changes the state; null before there is one. */
  version(): Promise<string | null>;
  /** Rejects when the store cannot be read, or holds what this version cannot read. */
  read(): Promise<ListsState>;
  /** The text of a snapshot of the list; undefined when it is gone or is not what was written. */
  readSnapshot(list: ListState, snapshot: KeptSnapshot): Promise<string | undefined>;
  /**
   * Does `work` while no other process changes anything; rejects when another does for too long. What `work` reads and writes goes
   * through `change` alone.
   */
  exclusively<Result>(work: (change: ListChange) => Promise<Result>): Promise<Result>;
}

/** For as long as no other process changes anything. */
export interface ListChange extends Pick<ListStore, 'readSnapshot'> {
  readonly state: ListsState;
  /** Stores a snapshot of the list and answers its SHA-256; no reader finds it before `save` names it. */
  writeSnapshot(list: ListState, text: string): Promise<string>;
  /** Puts one list in the place of what was known of it. Snapshots that nothing names any more are removed. */
  save(url: string, list: ListState): Promise<void>;
}

export interface SoundSnapshot {
  readonly kept: KeptSnapshot;
  readonly text: string;
}

/** The first snapshot of a list that is sound: what is in force when the newest is damaged. */
export async function readBest(
  store: Pick<ListStore, 'readSnapshot'>,
  list: ListState,
): Promise<SoundSnapshot | undefined> {
  for (const kept of list.snapshots) {
    const text = await store.readSnapshot(list, kept);
    if (text !== undefined) return { kept, text };
  }
  return undefined;
}

export type RollBack =
  | { readonly ok: true; readonly from: KeptSnapshot; readonly to: KeptSnapshot }
  | { readonly ok: false; readonly reason: string };

/**
 * Puts the snapshot before the one in force back. The background leaves the list alone from then on: the source still
 * holds what was rolled back, or something made of it. An update by hand ends that. `expected` is the `pin` of the snapshots that a
 * person has looked at: throws AppError `list_changed` where they are others by now.
 */
export function rollBackList(url: string, store: ListStore, expected?: string): Promise<RollBack> {
  return store.exclusively(async (change): Promise<RollBack> => {
    const found = await findBefore(change.state.lists[url], change);
    if (expected !== undefined && (!found.ok || found.pin !== expected)) throw new AppError('list_changed');
    if (!found.ok) return found;
    const { list, from, before } = found;
    await change.save(url, {
      ...list,
      snapshots: list.snapshots.slice(1),
      // They belong to the download that is no longer in force.
      etag: null,
      last_modified: null,
      rolled_back: from.download_sha256,
      next_attempt_at: null,
    });
    return { ok: true, from, to: before.kept };
  });
}

/** The snapshot in force, and the one before it, or why there is none to go back to. `pin` names both. */
export async function findBefore(list: ListState | undefined, store: Pick<ListStore, 'readSnapshot'>) {
  const [from, kept] = list?.snapshots ?? [];
  const refused = (reason: string) => ({ ok: false as const, reason });
  if (!list || !from) return refused('it was never downloaded');
  if (!kept) return refused('there is no snapshot before the one in force');
  const text = await store.readSnapshot(list, kept);
  if (text === undefined) return refused(`the snapshot before, taken at ${kept.taken_at}, is damaged`);
  const pin = `${from.sha256}.${kept.sha256}`;
  return { ok: true as const, list, from, before: { kept, text } satisfies SoundSnapshot, pin };
}
