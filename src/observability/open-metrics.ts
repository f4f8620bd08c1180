import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type OpenMetricsContentType,
  Registry,
} from 'prom-client';
import { ENVIRONMENTS, type Environment } from '../accounts/key.ts';
import { ERRORS, type ErrorCode } from '../errors.ts';
import { LIST_RESULTS, type ListResult } from '../lists/list-store.ts';
import { SMTP_OUTCOMES, type SmtpOutcome } from '../provider-kit/index.ts';
import { ACTIONS, type Action, LEVELS, type Level } from '../rules/decision.ts';
import { BUCKETS, METRICS, type MetricName } from './metric-table.ts';
import type { CacheResult, Exposition, Gauges, Limit, Metrics, Origin, Outcome, Stage } from './metrics.ts';
import { CHALLENGE_RESULTS, type ChallengeResult } from './metrics.ts';

const ORIGINS: readonly Origin[] = [...ENVIRONMENTS, 'none'];
const LIMITS: readonly Limit[] = ['key', 'account', 'failed_auth'];
const RESULTS = ['success', 'failure'] as const;

/** One series: the values of its labels by name, and its value. */
type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** Counts in this process, and shows it as OpenMetrics text with node's own metrics beside. */
export class OpenMetrics implements Metrics, Exposition {
  readonly #registry = new Registry<OpenMetricsContentType>();
  readonly #checks = this.#counter('postern_checks_total');
  readonly #stages = this.#histogram('postern_check_duration_seconds');
  readonly #decisions = this.#counter('postern_decisions_total');
  readonly #refusals = this.#counter('postern_refusals_total');
  readonly #limits = this.#counter('postern_limit_denials_total');
  readonly #answers = this.#counter('postern_provider_answers_total');
  readonly #providers = this.#histogram('postern_provider_duration_seconds');
  readonly #cacheReads = this.#counter('postern_answer_cache_reads_total');
  readonly #dnsServers = this.#counter('postern_dns_server_changes_total');
  readonly #mailHosts = this.#counter('postern_smtp_probes_total');
  readonly #mismatches = this.#counter('postern_memo_mismatches_total');
  readonly #challenges = this.#counter('postern_challenger_decisions_total');
  readonly #challengerLoads = this.#counter('postern_challenger_loads_total');
  readonly #loads = this.#counter('postern_rules_loads_total');
  readonly #lastLoads = this.#gauge('postern_rules_last_load_timestamp_seconds');
  readonly #refreshes = this.#counter('postern_list_refreshes_total');
  readonly #deleted = this.#counter('postern_records_deleted_total');

  constructor(version: string) {
    this.#registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
    this.#gauge('postern_build_info').set({ version }, 1);
    collectDefaultMetrics({ register: this.#registry });
    this.#beginAtZero();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  expose(): Promise<string> {
    return this.#registry.metrics();
  }

  /** Names what is read at each exposition. Once. */
  watch(gauges: Gauges): void {
    const { ruleset, rulesComplained, challenger, memo, lists, downloads, commitQueueDepth, counts } = gauges;
    for (const [list] of downloads()) {
      for (const result of LIST_RESULTS) this.#refreshes.inc({ list, result }, 0);
    }
    this.#gauge('postern_ruleset_info', () => [[{ ruleset: ruleset() }, 1]]);
    this.#gauge('postern_rules_complaint', () => [[{}, Number(rulesComplained())]]);
    this.#gauge('postern_challenger_info', () => {
      const hash = challenger();
      return hash === null ? [] : [[{ ruleset: hash }, 1]];
    });
    this.#gauge('postern_list_timestamp_seconds', () =>
      lists().flatMap(([provider, { name, date = '' }]): readonly Sample[] => {
        const time = Date.parse(date);
        return Number.isNaN(time) ? [] : [[{ provider, list: name }, time / 1000]];
      }),
    );
    this.#gauge('postern_list_entries', () =>
      lists().map(([provider, { name, entries }]): Sample => [{ provider, list: name }, entries]),
    );
    this.#gauge('postern_list_confirmed_timestamp_seconds', () =>
      downloads().flatMap(([list, confirmedMs]): readonly Sample[] =>
        confirmedMs === null ? [] : [[{ list }, confirmedMs / 1000]],
      ),
    );
    this.#gauge('postern_commit_queue_rows', () => [[{}, commitQueueDepth()]]);
    this.#gauge('postern_counts_bytes', () => [[{}, counts().octets]]);
    this.#counter('postern_counts_forgotten_total', () => [[{}, counts().forgotten]]);
    this.#counter('postern_memo_reads_total', () => {
      const { hits, misses } = memo();
      return [
        [{ result: 'hit' }, hits],
        [{ result: 'miss' }, misses],
      ];
    });
  }

  stageTook(stage: Stage, ms: number): void {
    this.#stages.observe({ stage }, ms / 1000);
  }

  checkAnswered(environment: Environment): void {
    this.#checks.inc({ environment });
  }

  decided(action: Action, level: Level): void {
    this.#decisions.inc({ action, level });
  }

  challenged(result: ChallengeResult): void {
    this.#challenges.inc({ result });
  }

  challengerLoaded(succeeded: boolean): void {
    this.#challengerLoads.inc({ result: succeeded ? 'success' : 'failure' });
  }

  refused(code: ErrorCode, environment: Origin): void {
    this.#refusals.inc({ code, environment });
  }

  limitReached(limit: Limit): void {
    this.#limits.inc({ limit });
  }

  providerAnswered(provider: string, outcome: Outcome): void {
    this.#answers.inc({ provider, outcome });
  }

  providerTook(provider: string, ms: number): void {
    this.#providers.observe({ provider }, ms / 1000);
  }

  answerCacheRead(provider: string, result: CacheResult): void {
    this.#cacheReads.inc({ provider, result });
  }

  dnsServerChanged(isOut: boolean): void {
    this.#dnsServers.inc({ state: isOut ? 'out' : 'back' });
  }

  mailHostAsked(outcome: SmtpOutcome): void {
    this.#mailHosts.inc({ outcome });
  }

  memoMismatched(): void {
    this.#mismatches.inc();
  }

  rulesLoaded(succeeded: boolean, atMs: number): void {
    const result = succeeded ? 'success' : 'failure';
    this.#loads.inc({ result });
    this.#lastLoads.set({ result }, atMs / 1000);
  }

  listRefreshed(list: string, result: ListResult): void {
    this.#refreshes.inc({ list, result });
  }

  recordsDeleted(count: number): void {
    this.#deleted.inc(count);
  }

  /** A series that appears with its first event hides that event from `increase()`. */
  #beginAtZero(): void {
    for (const environment of ENVIRONMENTS) this.#checks.inc({ environment }, 0);
    for (const action of ACTIONS) for (const level of LEVELS) this.#decisions.inc({ action, level }, 0);
    for (const code of Object.keys(ERRORS)) {
      for (const environment of ORIGINS) this.#refusals.inc({ code, environment }, 0);
    }
    for (const limit of LIMITS) this.#limits.inc({ limit }, 0);
    for (const result of RESULTS) {
      this.#loads.inc({ result }, 0);
      this.#challengerLoads.inc({ result }, 0);
    }
    for (const result of CHALLENGE_RESULTS) this.#challenges.inc({ result }, 0);
    for (const state of ['out', 'back']) this.#dnsServers.inc({ state }, 0);
    for (const outcome of SMTP_OUTCOMES) this.#mailHosts.inc({ outcome }, 0);
  }

  /** Counts what it is told, or shows what `read` answers at each exposition. */
  #counter(name: MetricName, read?: () => readonly Sample[]): Counter<string> {
    return new Counter<string>({
      ...this.#declarationOf(name),
      ...(read && {
        collect() {
          this.reset();
          for (const [labels, count] of read()) this.inc(labels, count);
        },
      }),
    });
  }

  #gauge(name: MetricName, read?: () => readonly Sample[]): Gauge<string> {
    return new Gauge<string>({
      ...this.#declarationOf(name),
      ...(read && {
        collect() {
          this.reset();
          for (const [labels, value] of read()) this.set(labels, value);
        },
      }),
    });
  }

  #histogram(name: MetricName): Histogram<string> {
    return new Histogram<string>({ ...this.#declarationOf(name), buckets: BUCKETS });
  }

  #declarationOf(name: MetricName) {
    const { labels: labelNames, help } = METRICS[name];
    return { name, help, labelNames, registers: [this.#registry] };
  }
}
