import type { InjectionToken } from '../di.ts';
import { AppError } from '../errors.ts';
import type { Clock } from '../provider-kit/index.ts';
import type { ListRefresher } from './list-refresher.ts';
import {
  idOf,
  type KeptSnapshot,
  type ListAttempt,
  type ListStore,
  type ListsState,
  type RollBack,
} from './list-store.ts';
import type { ListUpdate } from './update-list.ts';

/** How one list of `lists.urls` stands, with the names that leave the process. */
export interface ListStatus {
  readonly list: string;
  readonly url: string;
  /**
   * `fresh`: confirmed within `lists.stale_after_hours`. `stale`: not. `missing`: never downloaded. `held`: rolled back, and left
   * alone until an update by hand.
   */
  readonly state: 'fresh' | 'stale' | 'missing' | 'held';
  readonly entries: number;
  /** Domains that it named within the last year and names no more. */
  readonly gone: number;
  readonly sha256: string | null;
  readonly taken_at: string | null;
  /** When its source was last seen to hold what is in force. */
  readonly confirmed_at: string | null;
  readonly age_hours: number | null;
  /** What it names and must not; the operator has accepted that, and it is left out. */
  readonly left_out: readonly string[];
  readonly last_attempt: ListAttempt | null;
  readonly next_attempt_at: string | null;
  /** How often `lists rollback` can go back. */
  readonly earlier_snapshots: number;
}

const HOUR_MS = 3_600_000;

export function statusOf(
  urls: readonly string[],
  { lists }: ListsState,
  { now, staleAfterHours }: { readonly now: number; readonly staleAfterHours: number },
): readonly ListStatus[] {
  return urls.map((url) => {
    const known = lists[url];
    const inForce = known?.snapshots[0];
    const hours = inForce ? (now - Date.parse(inForce.confirmed_at)) / HOUR_MS : null;
    const age = hours === null ? 'missing' : hours > staleAfterHours ? 'stale' : 'fresh';
    return {
      list: idOf(url),
      url,
      state: known?.rolled_back ? 'held' : age,
      entries: inForce?.entries ?? 0,
      gone: inForce?.gone ?? 0,
      sha256: inForce?.sha256 ?? null,
      taken_at: inForce?.taken_at ?? null,
      confirmed_at: inForce?.confirmed_at ?? null,
      age_hours: hours === null ? null : Math.round(hours * 10) / 10,
      left_out: known?.left_out ?? [],
      last_attempt: known?.last_attempt ?? null,
      next_attempt_at: known?.rolled_back ? null : (known?.next_attempt_at ?? null),
      earlier_snapshots: Math.max(0, (known?.snapshots.length ?? 0) - 1),
    };
  });
}

/** What is not as it should be, in a sentence; undefined when all is well. */
export function complaintOf({ list, state, age_hours, last_attempt }: ListStatus): string | undefined {
  if (state === 'fresh') return undefined;
  if (state === 'held') return `${list} was rolled back and waits for an update by hand`;
  const what = state === 'missing' ? `${list} was never downloaded` : `${list} is ${age_hours} hours old`;
  return last_attempt?.reason ? `${what}: ${last_attempt.reason}` : what;
}

/** A list of `lists.urls` with what it was before. */
export interface Download {
  readonly status: ListStatus;
  /** The one in force first. */
  readonly snapshots: readonly KeptSnapshot[];
}

interface DownloadsTools {
  readonly urls: readonly string[];
  readonly staleAfterHours: number;
  readonly store: Pick<ListStore, 'read'>;
  readonly refresher: Pick<ListRefresher, 'updateNow' | 'rollBack'>;
  readonly clock: Clock;
}

/** The lists of `lists.urls`, for a person who runs the service. They are known by their ids. */
export class Downloads {
  readonly #tools: DownloadsTools;

  constructor(tools: DownloadsTools) {
    this.#tools = tools;
  }

  /** As they stand on the disk. */
  async read(): Promise<readonly Download[]> {
    const { urls, store, staleAfterHours, clock } = this.#tools;
    const state = await store.read();
    const statuses = statusOf(urls, state, { now: clock.now(), staleAfterHours });
    return statuses.map((status) => ({ status, snapshots: state.lists[status.url]?.snapshots ?? [] }));
  }

  /** Throws AppError `not_found`. */
  update(id: string, accepted: boolean): Promise<ListUpdate> {
    return this.#tools.refresher.updateNow(this.#urlOf(id), accepted);
  }

  /** Throws AppError `not_found`. */
  rollBack(id: string): Promise<RollBack> {
    return this.#tools.refresher.rollBack(this.#urlOf(id));
  }

  #urlOf(id: string): string {
    const url = this.#tools.urls.find((candidate) => idOf(candidate) === id);
    if (url === undefined) throw new AppError('not_found');
    return url;
  }
}

/** The lists of `lists.urls`, for the person who looks after them. */
export const DOWNLOADS: InjectionToken<Downloads> = Symbol('Downloads');
