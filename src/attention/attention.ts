import { keyState } from '../accounts/key.ts';
import type { InjectionToken } from '../di.ts';
import { reasonOf } from '../errors.ts';
import type { InsightsQueries } from '../insights/insights-queries.ts';
import type { Overview } from '../insights/overview.ts';
import { LastAnswer } from '../lib/concurrency.ts';
import { DAY_MS, HOUR_MS, isoTime, unrefInterval } from '../lib/time.ts';
import { presentData } from '../lists/list-status.ts';
import { METRICS } from '../observability/metric-table.ts';
import type { Instruments } from '../observability/metrics.ts';
import { monthOf } from '../shared-state/memory/monthly-quota.ts';
import { listsOf, type PreparedProviders } from '../signals/prepare-providers.ts';
import type { FactCatalogue } from '../signals/signals.ts';
import type { KeyStore, Storage, UsageStore } from '../storage/ports.ts';
import { type Finding, findingsIn, type ProviderTrend, type Watched } from './conditions.ts';

export interface AttentionParts extends Instruments {
  readonly keys: Pick<KeyStore, 'list'>;
  readonly usage: Pick<UsageStore, 'atLeast'>;
  readonly insights: Pick<InsightsQueries, 'ask'>;
  readonly storage: Pick<Storage, 'ping'>;
  /** The conditions that are known without a query. */
  readonly read: () => Omit<Watched, 'now' | 'storage' | 'keysInClear' | 'muchUsed' | 'providers'>;
}

const LOOK_MS = 60_000;
/** The share of the quota from which the page of keys warns, too. */
const NEARLY_USED = 0.8;

/** Looks at the conditions of `conditions.ts`: for the dashboard on demand, for `/metrics` once a minute. */
export class Attention {
  /** Cache: trends need the process that reads records, so one answer serves all callers within a minute. */
  readonly #trends = new LastAnswer<readonly ProviderTrend[]>(LOOK_MS);

  constructor(private readonly parts: AttentionParts) {}

  /** All conditions that hold now. Where the trends of providers cannot be read, providers are left out instead of rejecting. */
  async look(): Promise<readonly Finding[]> {
    const now = this.parts.clock.now();
    const trends = this.#trends.of('', now, () => this.#askForTrends(now).catch(() => []));
    return this.#findings(await trends);
  }

  /** Sets `postern_attention` at once and then each minute; returns a function that stops it. Providers are left out: they have metrics. */
  watch(every: (intervalMs: number, run: () => void) => () => void = unrefInterval): () => void {
    const { log } = this.parts;
    const look = () =>
      void this.#tellMetrics().catch((err: unknown) => log.warn({ err }, 'attention could not be looked at'));
    look();
    return every(LOOK_MS, look);
  }

  async #tellMetrics(): Promise<void> {
    const findings = new Map((await this.#findings([])).map(({ id, found }) => [id, found.length]));
    for (const condition of METRICS.postern_attention.labels.condition)
      this.parts.metrics.set('postern_attention', { condition }, findings.get(condition) ?? 0);
  }

  async #findings(providers: readonly ProviderTrend[]): Promise<readonly Finding[]> {
    const { read, keys, usage, clock } = this.parts;
    const storage = await this.parts.storage.ping().then(() => undefined, reasonOf);
    const now = clock.now();
    // That the database fails must be told although no more can be read then.
    const orNone = <Row>(rows: Promise<readonly Row[]>) =>
      storage === undefined ? rows : rows.catch((): readonly Row[] => []);
    const told = read();
    const muchUsed = Number.isFinite(told.quota)
      ? await orNone(usage.atLeast(Math.ceil(told.quota * NEARLY_USED), monthOf(now)))
      : [];
    const keysInClear = (await orNone(keys.list()))
      // A key that is `ending` was rotated already.
      .filter((key) => key.seenInClearAt !== null && keyState(key, now) === 'active')
      .map(({ name, prefix, accountId }) => ({ name: name ?? prefix, accountId }));
    return findingsIn({ ...told, now, storage, keysInClear, muchUsed, providers });
  }

  async #askForTrends(now: number): Promise<readonly ProviderTrend[]> {
    const ask = (from: number, to: number) =>
      this.parts.insights.ask(
        'overview',
        { since: isoTime(from), until: isoTime(to) },
        { asker: 'attention' },
      );
    const hourAgo = now - HOUR_MS;
    const lately = await ask(hourAgo, now);
    const before = await ask(hourAgo - 7 * DAY_MS, hourAgo);
    const usual = new Map(before.providers.map((figures) => [figures.id, failuresOf(figures)]));
    return lately.providers.map((figures) => ({
      id: figures.id,
      lately: failuresOf(figures),
      before: usual.get(figures.id) ?? { checks: 0, failed: 0 },
    }));
  }
}

/** A check may have several reasons: only the most frequent reason counts, so that no check counts twice. */
function failuresOf({ timing, reasons }: Overview['providers'][number]) {
  // `not_run` is no failure: there was nothing to ask.
  const failures = reasons.filter(({ reason }) => reason !== 'not_run').map(({ checks }) => checks);
  return { checks: timing.measured, failed: Math.max(0, ...failures) };
}

export const ATTENTION: InjectionToken<Attention> = Symbol('Attention');

/** The age in days of the youngest list of throw-away services that comes with Postern; null where no list says its day. */
export function youngestListDays(
  { facts }: Pick<FactCatalogue, 'facts'>,
  providers: PreparedProviders,
  now: number,
): number | null {
  const voter = facts.get('domain.is_known_disposable')?.provider;
  const ages = listsOf(providers)
    .filter(([provider]) => provider === voter)
    .flatMap((list) => presentData(list, now).age_days ?? []);
  return ages.length === 0 ? null : Math.min(...ages);
}
