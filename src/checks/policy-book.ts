import { StartupError } from '../errors.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Clock, Setup } from '../provider-kit/index.ts';
import { compileRuleSet, type RuleSet } from '../rules/compile.ts';
import type { RuleDefinitions } from '../rules/definitions.ts';
import { lintRules } from '../rules/lint/lint-rules.ts';
import { MemoizedDecider } from '../rules/memoized-decider.ts';
import { formatProblem } from '../rules/problem.ts';
import { type RuleSources, readRuleSources } from '../rules/rule-sources.ts';
import type { PreparationInputs, PreparedProviders } from '../signals/prepare-providers.ts';
import type { SignalCollector } from '../signals/signal-collector.ts';
import type { VersionReason } from '../storage/ports.ts';

/** Rules that passed lint, and the texts that they were read from. */
export interface LoadedRules {
  readonly definitions: RuleDefinitions;
  readonly sources: RuleSources;
}

/** A rule set and the providers prepared from the same directory: they are swapped together or not at all. */
export interface Policy extends LoadedRules {
  readonly ruleSet: RuleSet;
  readonly decider: MemoizedDecider;
  readonly providers: PreparedProviders;
}

export interface PolicyBookOptions {
  readonly rulesDir: string;
  readonly providerOptions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly collector: SignalCollector;
  readonly downloads: Setup['downloads'];
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Told of a policy before it decides anything. When it rejects, the one before stays in force. */
export type BeforeActivation = (next: Policy, reason: VersionReason) => Promise<void>;

/** A day: node's timers cannot wait longer than 24.8 days, and a clock may be set meanwhile. */
const LONGEST_WAIT_MS = 86_400_000;
/** After a reload that failed, a passed expiry is tried again, but not in a tight loop. */
const RETRY_MS = 60_000;

/** Holds the policy in force and replaces it: at a reload, and when an expiry in it passes. */
export class PolicyBook {
  readonly #options: PolicyBookOptions;
  /** What the deciders of earlier sets had counted. */
  #retired = { hits: 0, misses: 0 };
  #current: Policy;
  #timer: NodeJS.Timeout | undefined;
  #beforeActivation: BeforeActivation = async () => undefined;
  /** The replacement under way: one at a time, or an older one that ends last would undo a newer one. */
  #replacing: Promise<unknown> = Promise.resolve();

  private constructor(options: PolicyBookOptions, first: Policy) {
    this.#options = options;
    this.#current = first;
    options.metrics.rulesLoaded(true, options.clock.now());
  }

  /** Throws a StartupError that lists every fault of the rules directory. */
  static async open(options: PolicyBookOptions): Promise<PolicyBook> {
    const book = new PolicyBook(options, await makePolicy(await readRules(options), options));
    book.#awaitExpiry();
    return book;
  }

  get current(): Policy {
    return this.#current;
  }

  /** Decisions of all sets since the start, by whether their truth vector was known. */
  get memoCounts(): { readonly hits: number; readonly misses: number } {
    const { hits, misses } = this.#current.decider.counts;
    return { hits: this.#retired.hits + hits, misses: this.#retired.misses + misses };
  }

  /** From now on; nothing is told of the policy in force. */
  tellBeforeActivation(listener: BeforeActivation): void {
    this.#beforeActivation = listener;
  }

  /**
   * Reads all files again, or takes what `load` has read. A bad set, or `load` rejecting with a StartupError, leaves the
   * old one in force and is returned, fault by fault. Providers are prepared anew at `sighup`, else where their part of
   * the rules has changed.
   */
  reload(
    load: () => Promise<LoadedRules> = () => readRules(this.#options),
    reason: VersionReason = 'sighup',
  ): Promise<readonly string[]> {
    return this.#replace(load, reason);
  }

  /**
   * Takes the downloaded lists as they are now. Rules stay as they are in force, and checks under way go on with the lists
   * that they began with. Returns what went wrong; the old lists stay in force then.
   */
  reloadDownloads(): Promise<readonly string[]> {
    return this.#inTurn(() => this.#replaceDownloads());
  }

  #replace(load: () => Promise<LoadedRules>, reason: VersionReason): Promise<readonly string[]> {
    return this.#inTurn(() => this.#replaceNow(load, reason));
  }

  #inTurn(replace: () => Promise<readonly string[]>): Promise<readonly string[]> {
    const replaced = this.#replacing.then(replace);
    this.#replacing = replaced;
    return replaced;
  }

  /** Never rejects. */
  async #replaceDownloads(): Promise<readonly string[]> {
    const { collector, log } = this.#options;
    const { ruleSet, providers } = this.#current;
    try {
      const next = await collector.prepareDownloads(preparationInputs(ruleSet, this.#options), providers);
      this.#current = { ...this.#current, providers: next };
      log.info({}, 'lists loaded');
      return [];
    } catch (error) {
      const faults = error instanceof StartupError ? error.faults : [String(error)];
      log.error({ faults }, 'lists not reloaded: the old ones stay in force');
      return faults;
    }
  }

  /** Never rejects. */
  async #replaceNow(load: () => Promise<LoadedRules>, reason: VersionReason): Promise<readonly string[]> {
    const { log, clock, metrics } = this.#options;
    let soonest = 0;
    try {
      const before = reason === 'sighup' ? undefined : this.#current.providers;
      const next = await makePolicy(await load(), this.#options, before);
      await this.#beforeActivation(next, reason);
      const previous = this.#current.ruleSet.hash;
      this.#retired = this.memoCounts;
      this.#current = next;
      metrics.rulesLoaded(true, clock.now());
      log.info({ ruleset: next.ruleSet.hash, previous }, 'rules loaded');
      return [];
    } catch (error) {
      const faults = error instanceof StartupError ? error.faults : [String(error)];
      metrics.rulesLoaded(false, clock.now());
      log.error(
        { faults, ruleset: this.#current.ruleSet.hash },
        'rules not reloaded: the old set stays in force',
      );
      soonest = RETRY_MS;
      return faults;
    } finally {
      this.#awaitExpiry(soonest);
    }
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  /**
   * A decision never reads a clock: an expiry makes a new set instead, of the definitions in force. The files
   * may be half edited, and are taken when the operator says so.
   */
  #awaitExpiry(soonestMs = 0): void {
    clearTimeout(this.#timer);
    const { nextExpiry } = this.#current.ruleSet;
    if (nextExpiry === null) return;
    const wait = Math.min(Math.max(nextExpiry - this.#options.clock.now(), soonestMs) + 1, LONGEST_WAIT_MS);
    this.#timer = setTimeout(() => {
      if (this.#options.clock.now() < nextExpiry) this.#awaitExpiry();
      else void this.#replace(async () => this.#current, 'expiry');
    }, wait).unref();
  }
}

async function readRules({ rulesDir, collector, clock }: PolicyBookOptions): Promise<LoadedRules> {
  const sources = await readRuleSources(rulesDir);
  const { problems, definitions } = lintRules(sources, collector.catalogue, { now: clock.now() });
  if (definitions) return { definitions, sources };
  throw new StartupError(problems.filter(({ severity }) => severity === 'error').map(formatProblem));
}

async function makePolicy(
  { definitions, sources }: LoadedRules,
  options: PolicyBookOptions,
  before?: PreparedProviders,
): Promise<Policy> {
  const { collector, clock, log, metrics } = options;
  const ruleSet = compileRuleSet(definitions, collector.catalogue, clock.now());
  const inputs = preparationInputs(ruleSet, options);
  const providers = await (before ? collector.prepareChanged(inputs, before) : collector.prepare(inputs));
  const decider = new MemoizedDecider(ruleSet, {
    onMismatch: ({ remembered, engine }) => {
      metrics.memoMismatched();
      // Scores alone: a ledger may quote a personal fact.
      log.error(
        { remembered: remembered.score, engine: engine.score, ruleset: ruleSet.hash },
        'a remembered decision differs from the engine',
      );
    },
  });
  return { definitions, sources, ruleSet, decider, providers };
}

function preparationInputs(
  { thresholds, lists }: RuleSet,
  { providerOptions, downloads }: PolicyBookOptions,
): PreparationInputs {
  return { options: providerOptions, thresholds, lists, downloads };
}
