import { AppError } from '../errors.ts';
import type { Clock } from '../provider-kit/index.ts';
import type { ListRefresher } from './list-refresher.ts';
import { idOf, type KeptSnapshot } from './list-state.ts';
import { type ListStatus, statusOf } from './list-status.ts';
import type { ListStore } from './list-store.ts';
import type { RollBack } from './roll-back-list.ts';
import type { ListUpdate } from './update-list.ts';

/** A list of `lists.urls` with what it was before. */
export interface Download {
  readonly status: ListStatus;
  /** The one in force first. */
  readonly snapshots: readonly KeptSnapshot[];
}

export interface DownloadsTools {
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
