import { collectDefaultMetrics } from 'prom-client';
import { ENVIRONMENTS, type Environment } from '../accounts/key.ts';
import { CHALLENGE_RESULTS, type ChallengeResult } from '../checks/challenger.ts';
import { ERRORS, type ErrorCode } from '../errors.ts';
import { LIST_RESULTS, type ListResult } from '../lists/list-store.ts';
import { SMTP_OUTCOMES, type SmtpOutcome } from '../provider-kit/index.ts';
import { ACTIONS, type Action, LEVELS, type Level } from '../rules/decision.ts';
import {
  createRegistry,
  distribute,
  exposeCounter,
  exposeGauge,
  type Sample,
  tally,
} from './expose-series.ts';
import type { CacheResult, Exposition, Gauges, Limit, Metrics, Origin, Outcome, Stage } from './metrics.ts';

const ORIGINS: readonly Origin[] = [...ENVIRONMENTS, 'none'];
const LIMITS: readonly Limit[] = ['key', 'account', 'failed_auth'];
const RESULTS = ['success', 'failure'] as const;

/** Counts in this process, and shows it as OpenMetrics text with node's own metrics beside. */
export class OpenMetrics implements Metrics, Exposition {
  readonly #registry = createRegistry();
  readonly #checks = tally(this.#registry, 'postern_checks_total');
  readonly #stages = distribute(this.#registry, 'postern_check_duration_seconds');
  readonly #decisions = tally(this.#registry, 'postern_decisions_total');
  readonly #refusals = tally(this.#registry, 'postern_refusals_total');
  readonly #limits = tally(this.#registry, 'postern_limit_denials_total');
  readonly #answers = tally(this.#registry, 'postern_provider_answers_total');
  readonly #providers = distribute(this.#registry, 'postern_provider_duration_seconds');
  readonly #cacheReads = tally(this.#registry, 'postern_answer_cache_reads_total');
  readonly #dnsServers = tally(this.#registry, 'postern_dns_server_changes_total');
  readonly #mailHosts = tally(this.#registry, 'postern_smtp_probes_total');
  readonly #mismatches = tally(this.#registry, 'postern_memo_mismatches_total');
  readonly #challenges = tally(this.#registry, 'postern_challenger_decisions_total');
  readonly #challengerLoads = tally(this.#registry, 'postern_challenger_loads_total');
  readonly #loads = tally(this.#registry, 'postern_rules_loads_total');
  readonly #refreshes = tally(this.#registry, 'postern_list_refreshes_total');
  readonly #deleted = tally(this.#registry, 'postern_records_deleted_total');
  /** By result, in seconds since the epoch. */
  readonly #lastLoads = new Map<string, number>();

  constructor(version: string) {
    exposeGauge(this.#registry, 'postern_build_info', () => [[[version], 1]]);
    exposeGauge(this.#registry, 'postern_rules_last_load_timestamp_seconds', () =>
      [...this.#lastLoads].map(([result, at]): Sample => [[result], at]),
    );
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
      for (const result of LIST_RESULTS) this.#refreshes.add(list, result, 0);
    }
    exposeGauge(this.#registry, 'postern_ruleset_info', () => [[[ruleset()], 1]]);
    exposeGauge(this.#registry, 'postern_rules_complaint', () => [[[], Number(rulesComplained())]]);
    exposeGauge(this.#registry, 'postern_challenger_info', () => {
      const hash = challenger();
      return hash === null ? [] : [[[hash], 1]];
    });
    exposeGauge(this.#registry, 'postern_list_timestamp_seconds', () =>
      lists().flatMap(([provider, { name, date = '' }]): readonly Sample[] => {
        const time = Date.parse(date);
        return Number.isNaN(time) ? [] : [[[provider, name], time / 1000]];
      }),
    );
    exposeGauge(this.#registry, 'postern_list_entries', () =>
      lists().map(([provider, { name, entries }]): Sample => [[provider, name], entries]),
    );
    exposeGauge(this.#registry, 'postern_list_confirmed_timestamp_seconds', () =>
      downloads().flatMap(([list, confirmedMs]): readonly Sample[] =>
        confirmedMs === null ? [] : [[[list], confirmedMs / 1000]],
      ),
    );
    exposeGauge(this.#registry, 'postern_commit_queue_rows', () => [[[], commitQueueDepth()]]);
    exposeGauge(this.#registry, 'postern_counts_bytes', () => [[[], counts().octets]]);
    exposeCounter(this.#registry, 'postern_counts_forgotten_total', () => [[[], counts().forgotten]]);
    exposeCounter(this.#registry, 'postern_memo_reads_total', () => {
      const { hits, misses } = memo();
      return [
        [['hit'], hits],
        [['miss'], misses],
      ];
    });
  }

  stageTook(stage: Stage, ms: number): void {
    this.#stages.observe(stage, ms);
  }

  checkAnswered(environment: Environment): void {
    this.#checks.add(environment);
  }

  decided(action: Action, level: Level): void {
    this.#decisions.add(action, level);
  }

  challenged(result: ChallengeResult): void {
    this.#challenges.add(result);
  }

  challengerLoaded(succeeded: boolean): void {
    this.#challengerLoads.add(succeeded ? 'success' : 'failure');
  }

  refused(code: ErrorCode, origin: Origin): void {
    this.#refusals.add(code, origin);
  }

  limitReached(limit: Limit): void {
    this.#limits.add(limit);
  }

  providerAnswered(provider: string, outcome: Outcome): void {
    this.#answers.add(provider, outcome);
  }

  providerTook(provider: string, ms: number): void {
    this.#providers.observe(provider, ms);
  }

  answerCacheRead(provider: string, result: CacheResult): void {
    this.#cacheReads.add(provider, result);
  }

  dnsServerChanged(isOut: boolean): void {
    this.#dnsServers.add(isOut ? 'out' : 'back');
  }

  mailHostAsked(outcome: SmtpOutcome): void {
    this.#mailHosts.add(outcome);
  }

  memoMismatched(): void {
    this.#mismatches.add();
  }

  rulesLoaded(succeeded: boolean, atMs: number): void {
    const result = succeeded ? 'success' : 'failure';
    this.#loads.add(result);
    this.#lastLoads.set(result, atMs / 1000);
  }

  listRefreshed(list: string, result: ListResult): void {
    this.#refreshes.add(list, result);
  }

  recordsDeleted(count: number): void {
    this.#deleted.add('', '', count);
  }

  /** A series that appears with its first event hides that event from `increase()`. */
  #beginAtZero(): void {
    for (const environment of ENVIRONMENTS) this.#checks.add(environment, '', 0);
    for (const action of ACTIONS) for (const level of LEVELS) this.#decisions.add(action, level, 0);
    for (const code of Object.keys(ERRORS)) {
      for (const origin of ORIGINS) this.#refusals.add(code, origin, 0);
    }
    for (const limit of LIMITS) this.#limits.add(limit, '', 0);
    for (const result of RESULTS) {
      this.#loads.add(result, '', 0);
      this.#challengerLoads.add(result, '', 0);
    }
    for (const result of CHALLENGE_RESULTS) this.#challenges.add(result, '', 0);
    for (const state of ['out', 'back']) this.#dnsServers.add(state, '', 0);
    for (const outcome of SMTP_OUTCOMES) this.#mailHosts.add(outcome, '', 0);
    this.#mismatches.add('', '', 0);
    this.#deleted.add('', '', 0);
  }
}
