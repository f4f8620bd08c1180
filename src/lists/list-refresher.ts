import type { Config } from '../app/config/config.ts';
import type { InjectionToken } from '../di.ts';
import { AppError } from '../errors.ts';
import { unrefInterval } from '../lib/time.ts';
import type { Instruments } from '../observability/metrics.ts';
import type { JobLock } from '../storage/job-lock.ts';
import type { DownloadedLists } from './downloaded-lists.ts';
import { complaintOf, type ListStatus, statusOf } from './list-status.ts';
import { findBefore, idOf, type ListStore, type ListsState, NO_LISTS, rollBackList } from './list-store.ts';
import { type ListPreview, type ListUpdate, type LookedAt, longestWaitMs, RETRY_MS } from './update-list.ts';

export interface RefresherOptions extends Instruments {
  readonly config: Config['lists'];
  readonly store: ListStore;
  /** Rejects when it is aborted, when its process ends before it answers, or when the store cannot be used. */
  readonly update: (url: string, looked: LookedAt, signal: AbortSignal) => Promise<ListUpdate>;
  /** What an update would put in force. */
  readonly preview: (url: string, accepted: boolean, signal: AbortSignal) => Promise<ListPreview>;
  /** Ensures that only one of the instances that share a storage updates a list. */
  readonly jobLock: JobLock;
  /** The lists that checks are answered from. */
  readonly downloads: Pick<DownloadedLists, 'isNews'>;
  /** Puts the stored lists in force; never rejects. */
  readonly takeNews: () => Promise<unknown>;
  readonly every?: (intervalMs: number, run: () => void) => () => void;
}

/** How soon a change by another process is in force. A look costs one `stat`, or one query of PostgreSQL. */
const LOOK_MS = 5_000;

/** Keeps the lists of `lists.urls` fresh while the service runs, and loads the changes that a command has made. */
export class ListRefresher {
  #end: () => void = () => undefined;
  #state: ListsState = NO_LISTS;
  #version: string | null | undefined;
  /** By URL, when an update failed without a record in the store. */
  readonly #failedAt = new Map<string, number>();
  #looking: Promise<void> | undefined;
  readonly #stopping = new AbortController();

  constructor(private readonly options: RefresherOptions) {}

  /** Looks now, and again every few seconds. Resolves once the state of the lists is read, before any is downloaded. */
  async start(): Promise<void> {
    // If the store cannot be read, `look` logs it.
    await this.#takeNews().catch(() => undefined);
    if (this.#stopping.signal.aborted) return;
    void this.look();
    this.#end = (this.options.every ?? unrefInterval)(LOOK_MS, () => void this.look());
  }

  /** Aborts a download under way; resolves when it has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#end();
    await this.#looking;
  }

  /** Loads changes and updates the lists that are due, now; never rejects, and never runs twice at a time. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** The lists as stored, each with its snapshots: the snapshot in force comes first. */
  async read() {
    const state = await this.options.store.read();
    const snapshots = new Map(Object.entries(state.lists).map(([url, list]) => [idOf(url), list.snapshots]));
    return this.#statusesIn(state).map((status) => ({
      status,
      snapshots: snapshots.get(status.list) ?? [],
    }));
  }

  /**
   * Downloads one list now, even if it was rolled back; the result is in force when this resolves. `accepted`: a download that is refused
   * for its change, or for what it names, is taken. Throws AppError `not_found`, and `list_changed` where the source holds something else
   * than was expected; rejects when the store cannot be used.
   */
  async updateNow(id: string, looked: LookedAt): Promise<ListUpdate> {
    const url = this.#urlOf(id);
    const update = await this.#exclusively(url, () =>
      this.options.update(url, looked, this.#stopping.signal),
    );
    this.#report(update);
    await this.#takeAtOnce();
    return update;
  }

  /** What an update would put in force now; nothing is changed. Throws and rejects as `updateNow` does. */
  preview(id: string, accepted: boolean, signal: AbortSignal): Promise<ListPreview> {
    const either = AbortSignal.any([signal, this.#stopping.signal]);
    return this.options.preview(this.#urlOf(id), accepted, either);
  }

  /** The snapshot that a rollback would put in force. Throws AppError `not_found`. */
  async snapshotBefore(id: string) {
    const url = this.#urlOf(id);
    const { store } = this.options;
    const outcome = await findBefore((await store.read()).lists[url], store);
    if (!outcome.ok) return outcome;
    return { ok: true as const, snapshot: { url, ...outcome.before }, pin: outcome.pin };
  }

  /** Rolls a list back; the snapshot before is in force when this resolves. Throws AppError `not_found`, and as `rollBackList` does. */
  async rollBack(id: string, expected?: string) {
    const outcome = await rollBackList(this.#urlOf(id), this.options.store, expected);
    await this.#takeAtOnce();
    return outcome;
  }

  #urlOf(id: string): string {
    const url = this.options.config.urls.find((candidate) => idOf(candidate) === id);
    if (url === undefined) throw new AppError('not_found');
    return url;
  }

  #statusesIn(state: ListsState): readonly ListStatus[] {
    const { config, clock } = this.options;
    return statusOf(config.urls, state, { now: clock.now(), staleAfterHours: config.staleAfterHours });
  }

  #exclusively<Result>(url: string, job: () => Promise<Result>): Promise<Result> {
    return this.options.jobLock.runExclusive(`list ${idOf(url)}`, job, this.#stopping.signal);
  }

  /** Each list, and when its source was last seen to hold the snapshot in force. Changes by other processes show within seconds. */
  get ages(): readonly (readonly [list: string, confirmedMs: number | null])[] {
    return this.#statusesIn(this.#state).map(({ list, confirmed_at }) => [
      list,
      confirmed_at === null ? null : Date.parse(confirmed_at),
    ]);
  }

  /** What is wrong with the lists, a sentence for each. */
  get complaints(): readonly string[] {
    return this.#statusesIn(this.#state).flatMap((status) => complaintOf(status) ?? []);
  }

  async #look(): Promise<void> {
    const { config, log } = this.options;
    try {
      await this.#takeNews();
    } catch (err) {
      log.error({ err }, 'lists not refreshed: their store cannot be used');
      return;
    }
    for (const url of config.urls.filter((each) => this.#isDue(each))) await this.#refresh(url);
  }

  async #refresh(url: string): Promise<void> {
    const { update, clock, log } = this.options;
    const { signal } = this.#stopping;
    try {
      await this.#exclusively(url, async () => {
        // Another instance may have updated the list while this one waited.
        await this.#takeNews();
        if (signal.aborted || !this.#isDue(url)) return;
        this.#report(await update(url, {}, signal));
        this.#failedAt.delete(url);
        await this.#takeNews();
      });
    } catch (err) {
      if (signal.aborted) return;
      this.#failedAt.set(url, clock.now());
      log.error({ err, list: idOf(url) }, 'list not updated: it is tried again in half an hour');
    }
  }

  #isDue(url: string): boolean {
    const { config, clock } = this.options;
    const now = clock.now();
    const failedAt = this.#failedAt.get(url);
    if (failedAt !== undefined && Math.abs(now - failedAt) < RETRY_MS) return false;
    const list = this.#state.lists[url];
    if (!list) return true;
    if (list.rolled_back !== null) return false;
    const { next_attempt_at: next, last_attempt: last } = list;
    if (next === null || last === null || Date.parse(next) <= now) return true;
    // The record may be wrong: the configuration or the clock may have been changed since.
    return Math.abs(now - Date.parse(last.at)) > longestWaitMs(config);
  }

  /** Waits for a look under way first: it may have read the state before the change. */
  async #takeAtOnce(): Promise<void> {
    await this.#looking;
    await this.#takeNews();
  }

  async #takeNews(): Promise<void> {
    const { store, downloads, takeNews } = this.options;
    const version = await store.version();
    if (version === this.#version) return;
    this.#state = await store.read();
    this.#version = version;
    if (downloads.isNews(this.#state)) await takeNews();
  }

  #report({ id: list, result, reason, entries, added, removed }: ListUpdate): void {
    const { log, metrics } = this.options;
    metrics.count('postern_list_refreshes_total', { list, result });
    if (result === 'taken') log.info({ list, entries, added, removed }, 'list updated');
    if (result === 'refused') log.warn({ list, reason }, 'list refused: what was in force stays');
    if (result === 'failed') log.warn({ list, reason }, 'list not downloaded: what was in force stays');
  }
}

export type RefreshedList = Awaited<ReturnType<ListRefresher['read']>>[number];

/** For the dashboard's pages about the lists of `lists.urls`. */
export const LIST_REFRESHER: InjectionToken<ListRefresher> = Symbol('ListRefresher');
