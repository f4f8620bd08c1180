import type { ProviderOptions } from '../app/config/config.ts';
import type { InjectionToken } from '../di.ts';
import { faultsIn, StartupError } from '../errors.ts';
import { Mutex } from '../lib/concurrency.ts';
import { DAY_MS } from '../lib/time.ts';
import type { Logger } from '../observability/logger.ts';
import type { Instruments } from '../observability/metrics.ts';
import type { Setup } from '../provider-kit/index.ts';
import { compileRuleSet, otherFactMakers } from '../rules/compile.ts';
import { lintRules } from '../rules/lint/lint-rules.ts';
import { MemoizedDecider } from '../rules/memoized-decider.ts';
import type { RuleSources } from '../rules/rule-files.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import type { PreparationInputs, PreparedProviders } from '../signals/prepare-providers.ts';
import type { SignalCollector } from '../signals/signal-collector.ts';
import type { VersionReason } from '../storage/rule-ports.ts';
import { Challenger } from './challenger.ts';
import { type LoadedRules, type RuleSource, readRules } from './rule-source.ts';

/** A rule set and the providers prepared from the same directory: they are swapped together or not at all. */
export interface Policy extends LoadedRules {
  readonly ruleSet: RuleSet;
  readonly decider: MemoizedDecider;
  readonly providers: PreparedProviders;
  /** Null where none is configured. */
  readonly challenger: Challenger | null;
}

interface ActivePolicyOptions extends Instruments {
  readonly source: RuleSource;
  /** Where the challenger's rules are read; null where none is configured, and in every command. */
  readonly challengerSource: RuleSource | null;
  readonly providerOptions: ProviderOptions;
  readonly collector: SignalCollector;
  readonly downloads: Setup['downloads'];
}

/** The rules that decide now, as texts; `hash` is `Postern-Ruleset`, `digest` that of the texts. */
export type RulesInForce = ReturnType<typeof rulesInForce>;

export function rulesInForce({ current }: Pick<ActivePolicy, 'current'>) {
  const { digest, files } = current.sources;
  return { hash: current.ruleSet.hash, digest, files };
}

/** The challenger's rules, as texts; null where there is no challenger. */
export function challengingRules({ current }: Pick<ActivePolicy, 'current'>): RulesInForce | null {
  if (current.challenger === null) return null;
  const { loaded, ruleSet } = current.challenger;
  return { hash: ruleSet.hash, digest: loaded.sources.digest, files: loaded.sources.files };
}

type Ingredients = Pick<Policy, keyof LoadedRules | 'challenger'>;

/** Compiles the rules and prepares the providers: all, or, given `before`, only those that a change of thresholds or lists concerns. */
async function makePolicy(
  { definitions, sources, challenger }: Ingredients,
  options: ActivePolicyOptions,
  before?: PreparedProviders,
): Promise<Policy> {
  const { collector, clock, log, metrics } = options;
  const ruleSet = compileRuleSet(definitions, clock.now());
  const inputs = preparationInputs(ruleSet, options);
  const providers = await collector.prepare(inputs, before);
  const decider = new MemoizedDecider(ruleSet, {
    onMismatch: ({ remembered, engine }) => {
      metrics.count('postern_memo_mismatches_total', {});
      // Scores alone: a ledger may quote a personal fact.
      log.error(
        { remembered: remembered.score, engine: engine.score, ruleset: ruleSet.hash },
        'a remembered decision differs from the engine',
      );
    },
  });
  const policy = { definitions, sources, ruleSet, decider, providers, challenger };
  warnOfUnseen(policy, log);
  return policy;
}

function countLoad(result: 'success' | 'failure', { metrics, clock }: ActivePolicyOptions): void {
  metrics.count('postern_rules_loads_total', { result });
  metrics.set('postern_rules_last_load_timestamp_seconds', { result }, clock.now() / 1000);
}

function warnOfUnseen({ ruleSet, challenger }: Policy, log: Logger): void {
  const unseen = challenger ? otherFactMakers(challenger.ruleSet, ruleSet) : [];
  if (unseen.length === 0) return;
  log.warn(
    { files: unseen, challenger: challenger?.ruleSet.hash },
    "the challenger's thresholds and lists are not tried: its facts are made by those in force",
  );
}

function preparationInputs(
  { signals: thresholds, lists }: RuleSet,
  { providerOptions, downloads }: ActivePolicyOptions,
): PreparationInputs {
  return { options: providerOptions, thresholds, lists, downloads };
}

function makeChallenger(loaded: LoadedRules, options: ActivePolicyOptions): Challenger {
  const ruleSet = compileRuleSet(loaded.definitions, options.clock.now());
  return new Challenger(loaded, ruleSet, new MemoizedDecider(ruleSet), options);
}

/** Throws a StartupError that lists every fault: an operator who sets `rules.challenger_dir` wants a challenger. */
async function openChallenger(options: ActivePolicyOptions): Promise<Challenger | null> {
  if (options.challengerSource === null) return null;
  const challenger = makeChallenger(await readRules(options.challengerSource, options), options);
  options.metrics.count('postern_challenger_loads_total', { result: 'success' });
  return challenger;
}

/** Called with the next policy before it decides anything. When the call rejects, the old policy stays in force. */
type BeforeActivation = (next: Policy, reason: VersionReason) => Promise<void>;

/** A day: node's timers cannot wait longer than 24.8 days, and a clock may be set meanwhile. */
const LONGEST_WAIT_MS = DAY_MS;
/** How long after a failed reload a date that has passed is tried again: not in a tight loop. */
const RETRY_MS = 60_000;

/** Holds the policy in force and replaces it: at a reload, and when a date in it passes. */
export class ActivePolicy {
  /** Memo hits and misses of the deciders of earlier rule sets. */
  #retired = { hits: 0, misses: 0 };
  #current: Policy;
  #timer: NodeJS.Timeout | undefined;
  #beforeActivation: BeforeActivation = async () => undefined;
  /** Runs one replacement at a time: an older replacement that ended last would undo a newer one. */
  readonly #mutex = new Mutex();

  private constructor(
    private readonly options: ActivePolicyOptions,
    first: Policy,
  ) {
    this.#current = first;
    countLoad('success', options);
  }

  /** Throws a StartupError that lists every fault of the rules directory and of the challenger's. */
  static async open(options: ActivePolicyOptions): Promise<ActivePolicy> {
    const [rules, challenger] = await StartupError.gather([
      readRules(options.source, options),
      openChallenger(options),
    ]);
    const policy = new ActivePolicy(options, await makePolicy({ ...rules, challenger }, options));
    policy.#awaitChange();
    return policy;
  }

  get source(): RuleSource {
    return this.options.source;
  }

  get challengerSource(): RuleSource | null {
    return this.options.challengerSource;
  }

  /** Lints in this process, for errors only. */
  lint(sources: RuleSources) {
    const { collector, clock } = this.options;
    return lintRules(sources, collector.catalogue, { now: clock.now(), onlyErrors: true });
  }

  get current(): Policy {
    return this.#current;
  }

  /** Decisions of all rule sets since the start: hits, whose verdict the memo had, and misses. */
  get memoCounts(): { readonly hits: number; readonly misses: number } {
    const { hits, misses } = this.#current.decider.counts;
    return { hits: this.#retired.hits + hits, misses: this.#retired.misses + misses };
  }

  /** Calls `listener` before every later activation, not for the policy that is in force now. */
  tellBeforeActivation(listener: BeforeActivation): void {
    this.#beforeActivation = listener;
  }

  /**
   * Puts the rules that `read` returns in force. When `read` rejects with a StartupError, or its rules cannot be put in force, the old
   * rules stay and the faults are returned. Prepares all providers anew at `sighup`, else those whose part of the rules has changed. Leaves
   * the challenger alone.
   */
  take(read: () => Promise<LoadedRules>, reason: 'change' | 'sighup'): Promise<readonly string[]> {
    return this.#replace(async () => ({ ...(await read()), challenger: this.#current.challenger }), reason);
  }

  /** Replaces the challenger. Bad rules are logged and counted, and the old challenger goes on. Never rejects. */
  takeChallenger(read: () => Promise<LoadedRules>): Promise<void> {
    return this.#mutex.run(async () => {
      const { log, metrics } = this.options;
      const before = this.#current.challenger?.ruleSet.hash ?? null;
      try {
        const challenger = makeChallenger(await read(), this.options);
        this.#current = { ...this.#current, challenger };
        metrics.count('postern_challenger_loads_total', { result: 'success' });
        log.info({ challenger: challenger.ruleSet.hash, previous: before }, 'challenger read');
        warnOfUnseen(this.#current, log);
        this.#awaitChange();
      } catch (error) {
        metrics.count('postern_challenger_loads_total', { result: 'failure' });
        const told = { faults: faultsIn(error), challenger: before };
        log.error(told, 'challenger not reloaded: the old one goes on');
      }
    });
  }

  /**
   * Prepares providers with the downloaded lists as they are now. The rules in force stay, and checks under way keep the lists that they
   * began with. Returns the faults, with which the old lists stay in force. Never rejects.
   */
  reloadDownloads(): Promise<readonly string[]> {
    return this.#mutex.run(async () => {
      const { collector, log } = this.options;
      const { ruleSet, providers: before } = this.#current;
      try {
        const inputs = preparationInputs(ruleSet, this.options);
        const providers = await collector.prepare(inputs, before, { downloads: true });
        this.#current = { ...this.#current, providers };
        log.info({}, 'lists loaded');
        return [];
      } catch (error) {
        const faults = faultsIn(error);
        log.error({ faults }, 'lists not reloaded: the old ones stay in force');
        return faults;
      }
    });
  }

  /** Never rejects. */
  #replace(find: () => Promise<Ingredients>, reason: VersionReason): Promise<readonly string[]> {
    return this.#mutex.run(async () => {
      const { log } = this.options;
      let soonest = 0;
      const { hash: previous } = this.#current.ruleSet;
      try {
        const before = reason === 'sighup' ? undefined : this.#current.providers;
        const next = await makePolicy(await find(), this.options, before);
        await this.#beforeActivation(next, reason);
        this.#retired = this.memoCounts;
        this.#current = next;
        countLoad('success', this.options);
        log.info({ ruleset: next.ruleSet.hash, previous }, 'rules loaded');
        return [];
      } catch (error) {
        const faults = faultsIn(error);
        countLoad('failure', this.options);
        log.error({ faults, ruleset: previous }, 'rules not reloaded: the old set stays in force');
        soonest = RETRY_MS;
        return faults;
      } finally {
        this.#awaitChange(soonest);
      }
    });
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  /** What is in force, to be compiled again for the present time; the challenger is compiled here, once a date in it has passed. */
  #renewed(): Ingredients {
    const { definitions, sources, challenger } = this.#current;
    if (!challenger || this.options.clock.now() < (challenger.ruleSet.nextChange ?? Infinity)) {
      return this.#current;
    }
    return { definitions, sources, challenger: makeChallenger(challenger.loaded, this.options) };
  }

  /**
   * Sets the timer for the next start or expiry, at which the definitions in force are compiled again: a decision never reads a clock. The
   * files are not read then. They may be half edited, and are taken when the operator says so.
   */
  #awaitChange(soonestMs = 0): void {
    clearTimeout(this.#timer);
    const { ruleSet, challenger } = this.#current;
    const nextChange = Math.min(ruleSet.nextChange ?? Infinity, challenger?.ruleSet.nextChange ?? Infinity);
    if (nextChange === Infinity) return;
    const wait = Math.min(Math.max(nextChange - this.options.clock.now(), soonestMs) + 1, LONGEST_WAIT_MS);
    this.#timer = setTimeout(() => {
      if (this.options.clock.now() < nextChange) this.#awaitChange();
      else void this.#replace(async () => this.#renewed(), 'expiry');
    }, wait).unref();
  }
}

/** The rule set in force, with the providers prepared from the same files. */
export const ACTIVE_POLICY: InjectionToken<ActivePolicy> = Symbol('ActivePolicy');
