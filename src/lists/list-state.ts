import { createHash } from 'node:crypto';

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
  readonly last_attempt: ListAttempt | null;
  /** When the background may ask again; ISO 8601. */
  readonly next_attempt_at: string | null;
}

export interface KeptSnapshot {
  /** Name of the file beside the state. */
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

export interface ListAttempt {
  readonly at: string;
  readonly result: ListResult;
  /** Why, where it was refused or failed. */
  readonly reason: string | null;
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
 * hold what is nobody's business.
 */
export function idOf(url: string): string {
  const host = new URL(url).hostname.replace(/[^a-z0-9]+/g, '_').replace(/^(?![a-z])_?/, 'ip_');
  return `${host.replace(/_$/, '')}_${sha256(url).slice(0, 8)}`;
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
