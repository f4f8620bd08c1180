import type { Config } from '../app/config/config.ts';
import type { ActivePolicy } from '../checks/active-policy.ts';
import type { InjectionToken } from '../di.ts';
import { AppError } from '../errors.ts';
import { unrefInterval } from '../lib/timers.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Clock } from '../provider-kit/index.ts';
import type { DownloadedLists } from './downloaded-lists.ts';
import { complaintOf, type ListStatus, statusOf } from './list-status.ts';
import {
  idOf,
  type KeptSnapshot,
  ListStore,
  type ListsState,
  NO_LISTS,
  type RollBack,
  rollBackList,
} from './list-store.ts';
import { updateInProcess } from './update-in-process.ts';
import { type ListUpdate, longestWaitMs, RETRY_MS } from './update-list.ts';

export interface RefresherOptions {
  readonly urls: readonly string[];
  readonly staleAfterHours: number;
  readonly store: ListStore;
  /** Rejects when it is broken off, when its process ends before it answers, or when the data directory cannot be used. */
  readonly update: (url: string, signal: AbortSignal, accepted?: boolean) => Promise<ListUpdate>;
  /** Whatever the record says of the next attempt: the configuration or the clock may have been changed since. */
  readonly longestWaitMs: number;
  /** Whether this state is other than what checks are answered from. */
  readonly isNews: (state: ListsState) => boolean;
  /** Puts what is on the disk in force; never rejects. */
  readonly takeNews: () => Promise<unknown>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Calls back again and again until the returned function is called. */
  readonly every?: (intervalMs: number, run: () => void) => () => void;
}

/** How soon what another process did is in force. A look costs one `stat`. */
const LOOK_MS = 5_000;

/** Keeps the lists of `lists.urls` fresh while the service runs, and takes what a command has put in their place. */
export class ListRefresher {
  readonly #options: RefresherOptions;
  #end: () => void = () => undefined;
  #state: ListsState = NO_LISTS;
  #version: string | null | undefined;
  /** By address, when an update of which nothing is on record failed. */
  readonly #failedAt = new Map<string, number>();
  #looking: Promise<void> | undefined;
  readonly #stopping = new AbortController();

  constructor(options: RefresherOptions) {
    this.#options = options;
  }

  /** Looks now, and again every few seconds. */
  start(): void {
    void this.look();
    this.#end = (this.#options.every ?? unrefInterval)(LOOK_MS, () => void this.look());
  }

  /** Breaks off a download under way; resolves when nothing of it is left. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#end();
    await this.#looking;
  }

  /** Updates what is due and takes what is new, now; never rejects, and never runs twice at a time. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /**
   * Downloads one list now, one that was rolled back too; what came of it is in force when this resolves. `accepted`: what was refused for
   * its change, or for what it names, is taken. Rejects when the data directory cannot be used.
   */
  async updateNow(url: string, accepted: boolean): Promise<ListUpdate> {
    const update = await this.#options.update(url, this.#stopping.signal, accepted);
    this.#report(update);
    await this.#takeAtOnce();
    return update;
  }

  /** Puts the snapshot before back in force, which it is when this resolves. */
  async rollBack(url: string): Promise<RollBack> {
    const outcome = await rollBackList(url, this.#options.store);
    await this.#takeAtOnce();
    return outcome;
  }

  /** As far as is known: what another process does shows within seconds. */
  get statuses(): readonly ListStatus[] {
    const { urls, clock, staleAfterHours } = this.#options;
    return statusOf(urls, this.#state, { now: clock.now(), staleAfterHours });
  }

  /** Each list, and when its source was last seen to hold what is in force. */
  get ages(): readonly (readonly [list: string, confirmedMs: number | null])[] {
    return this.statuses.map(({ list, confirmed_at }) => [
      list,
      confirmed_at === null ? null : Date.parse(confirmed_at),
    ]);
  }

  /** What of the lists is not as it should be; undefined when all is well. */
  get complaint(): string | undefined {
    const complaints = this.statuses.flatMap((status) => complaintOf(status) ?? []);
    return complaints.length === 0 ? undefined : complaints.join('; ');
  }

  async #look(): Promise<void> {
    const { urls, clock, log } = this.#options;
    try {
      await this.#takeNews();
    } catch (err) {
      log.error({ err }, 'lists not refreshed: the data directory cannot be used');
      return;
    }
    for (const url of urls.filter((each) => this.#isDue(each, clock.now()))) await this.#refresh(url);
  }

  async #refresh(url: string): Promise<void> {
    const { update, clock, log } = this.#options;
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    try {
      this.#report(await update(url, signal));
      this.#failedAt.delete(url);
      await this.#takeNews();
    } catch (err) {
      if (signal.aborted) return;
      this.#failedAt.set(url, clock.now());
      log.error({ err, list: idOf(url) }, 'list not updated: it is tried again in half an hour');
    }
  }

  #isDue(url: string, now: number): boolean {
    const failedAt = this.#failedAt.get(url);
    if (failedAt !== undefined && Math.abs(now - failedAt) < RETRY_MS) return false;
    const list = this.#state.lists[url];
    if (!list) return true;
    if (list.rolled_back !== null) return false;
    const { next_attempt_at: next, last_attempt: last } = list;
    if (next === null || last === null || Date.parse(next) <= now) return true;
    return Math.abs(now - Date.parse(last.at)) > this.#options.longestWaitMs;
  }

  /** A look under way has read the state before. */
  async #takeAtOnce(): Promise<void> {
    await this.#looking;
    await this.#takeNews();
  }

  async #takeNews(): Promise<void> {
    const { store, isNews, takeNews } = this.#options;
    const version = await store.version();
    if (version === this.#version) return;
    this.#state = await store.read();
    this.#version = version;
    if (isNews(this.#state)) await takeNews();
  }

  #report({ id: list, result, reason, entries, added, removed }: ListUpdate): void {
    const { log, metrics } = this.#options;
    metrics.count('postern_list_refreshes_total', { list, result });
    if (result === 'taken') log.info({ list, entries, added, removed }, 'list updated');
    if (result === 'refused') log.warn({ list, reason }, 'list refused: what was in force stays');
    if (result === 'failed') log.warn({ list, reason }, 'list not downloaded: what was in force stays');
  }
}

interface RefresherParts {
  readonly config: Config;
  readonly downloads: DownloadedLists;
  readonly policies: ActivePolicy;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** The service's refresher of `lists.urls`, not started yet. */
export function createRefresher({ config, downloads, policies, ...parts }: RefresherParts): ListRefresher {
  const { dataDir, dns, lists } = config;
  return new ListRefresher({
    urls: lists.urls,
    staleAfterHours: lists.staleAfterHours,
    longestWaitMs: longestWaitMs(lists),
    store: new ListStore(dataDir),
    update: (url, signal, accepted = false) => {
      const allowed = policies.current.ruleSet.lists.allow;
      return updateInProcess({ url, allowed, accepted }, { dataDir, dns, lists }, signal);
    },
    isNews: (state) => downloads.isNews(state),
    takeNews: () => policies.reloadDownloads(),
    ...parts,
  });
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
