import { hash } from 'node:crypto';
import { AppError } from '../errors.ts';

/** The state of every list that was ever downloaded, by its URL. */
export interface ListsState {
  readonly format: 1;
  readonly lists: Readonly<Record<string, ListState>>;
}

export interface ListState {
  /** For file names, logs, metrics and votes: the host, and a few digits that distinguish lists of one host. */
  readonly id: string;
  /** The newest first: the snapshot in force, then the earlier ones. */
  readonly snapshots: readonly KeptSnapshot[];
  /** Validator of the download in force, so that the source sends only newer content. */
  readonly etag: string | null;
  readonly last_modified: string | null;
  /** SHA-256 of a download that the operator rolled back: the background leaves the list alone until an update by hand. */
  readonly rolled_back: string | null;
  /** Domains that the list names and must not; they are in no snapshot. */
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
 * `taken`: a new snapshot is in force. `unchanged`: the source holds the download in force. `refused`: the download
 * arrived and must not be used. `failed`: no usable answer, or another process changed the list meanwhile.
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
 * snake_case, and never changes: files and the weight of votes depend on it. Only the host of the URL is in it, because
 * the rest may be private.
 */
export function idOf(url: string): string {
  const host = new URL(url).hostname.replace(/[^a-z0-9]+/g, '_').replace(/^(?![a-z])_?/, 'ip_');
  return `${host.replace(/_$/, '')}_${hash('sha256', url).slice(0, 8)}`;
}

/** Where downloaded lists are kept. Changes are atomic: a reader sees the state before a change or the state after it. */
export interface ListStore {
  /** Changes when any process changes the state; null before there is one. */
  version(): Promise<string | null>;
  /** Rejects when the store cannot be read, or holds what this version cannot read. */
  read(): Promise<ListsState>;
  /** The text of a snapshot of the list; undefined when it is gone or is not what was written. */
  readSnapshot(list: ListState, snapshot: KeptSnapshot): Promise<string | undefined>;
  /**
   * Runs `work` while no other process can change anything; rejects when another process holds the store for too long. `work` must read
   * and write through `change` alone.
   */
  exclusively<Result>(work: (change: ListChange) => Promise<Result>): Promise<Result>;
}

/** Access to the store while no other process can change anything. */
export interface ListChange extends Pick<ListStore, 'readSnapshot'> {
  readonly state: ListsState;
  /** Stores a snapshot of the list and answers its SHA-256; no reader finds it before `save` names it. */
  writeSnapshot(list: ListState, text: string): Promise<string>;
  /** Replaces the state of one list. Snapshots that no list names any more are removed. */
  save(url: string, list: ListState): Promise<void>;
}

export interface SoundSnapshot {
  readonly kept: KeptSnapshot;
  readonly text: string;
}

/** The newest snapshot of a list that is not damaged; undefined where none is. */
export async function readBest(store: Pick<ListStore, 'readSnapshot'>, list: ListState) {
  for (const kept of list.snapshots) {
    const text = await store.readSnapshot(list, kept);
    if (text !== undefined) return { kept, text } satisfies SoundSnapshot;
  }
  return undefined;
}

/**
 * Puts the snapshot before the one in force back. From then on the list is not updated in the background, because the source still
 * holds the download that was rolled back, or a later form of it; an update by hand ends that. `expected` is the `pin` of the snapshots
 * that a person has looked at: throws AppError `list_changed` where they have changed since.
 */
export function rollBackList(url: string, store: ListStore, expected?: string) {
  return store.exclusively(async (change) => {
    const found = await findBefore(change.state.lists[url], change);
    if (expected !== undefined && (!found.ok || found.pin !== expected)) throw new AppError('list_changed');
    if (!found.ok) return found;
    const { list, from, before } = found;
    await change.save(url, {
      ...list,
      snapshots: list.snapshots.slice(1),
      // Both belong to the download that is no longer in force.
      etag: null,
      last_modified: null,
      rolled_back: from.download_sha256,
      next_attempt_at: null,
    });
    return { ok: true as const, from, to: before.kept };
  });
}

/** The snapshot in force and the one before it, or why a rollback is not possible. `pin` identifies both. */
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
