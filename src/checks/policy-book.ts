import { StartupError } from '../errors.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Clock, Setup } from '../provider-kit/index.ts';
import { compileRuleSet, type RuleSet } from '../rules/compile.ts';
import type { RuleDefinitions } from '../rules/definitions.ts';
import { MemoizedDecider } from '../rules/memoized-decider.ts';
import type { PreparationInputs, PreparedProviders } from '../signals/prepare-providers.ts';
import type { SignalCollector } from '../signals/signal-collector.ts';
import { type Challenger, unseenFiles } from './challenger.ts';
import { ChallengerReader } from './challenger-reader.ts';
import { readDefinitions } from './read-definitions.ts';

/** A rule set and the providers prepared from the same directory: they are swapped together or not at all. */
export interface Policy {
  /** What the set was compiled from; an expiry compiles it again. */
  readonly definitions: RuleDefinitions;
  readonly ruleSet: RuleSet;
  readonly decider: MemoizedDecider;
  readonly providers: PreparedProviders;
  /** Null where none is configured. */
  readonly challenger: Challenger | null;
}

export interface PolicyBookOptions {
  readonly rulesDir: string;
  /** `rules.challenger_dir`; null for none, as in every command. */
  readonly challengerDir: string | null;
  readonly providerOptions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly collector: SignalCollector;
  readonly downloads: Setup['downloads'];
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** A day: node's timers cannot wait longer than 24.8 days, and a clock may be set meanwhile. */
const LONGEST_WAIT_MS = 86_400_000;
/** After a reload that failed, a passed expiry is tried again, but not in a tight loop. */
const RETRY_MS = 60_000;

/** What a policy is made of. */
interface Sources {
  readonly definitions: RuleDefinitions;
  readonly challenger: Challenger | null;
}

/** Holds the policy in force and replaces it: at a reload, and when an expiry in it passes. */
export class PolicyBook {
  readonly #options: PolicyBookOptions;
  readonly #challengers: ChallengerReader;
  /** What the deciders of earlier sets had counted. */
  #retired = { hits: 0, misses: 0 };
  #current: Policy;
  #timer: NodeJS.Timeout | undefined;
  /** The replacement under way: one at a time, or an older one that ends last would undo a newer one. */
  #replacing: Promise<unknown> = Promise.resolve();

  private constructor(options: PolicyBookOptions, challengers: ChallengerReader, first: Policy) {
    this.#options = options;
    this.#challengers = challengers;
    this.#current = first;
    options.metrics.rulesLoaded(true, options.clock.now());
  }

  /** Throws a StartupError that lists every fault of the rules directory and of the challenger's. */
  static async open(options: PolicyBookOptions): Promise<PolicyBook> {
    const challengers = new ChallengerReader(options);
    const [definitions, challenger] = await StartupError.gather([
      readDefinitions(options.rulesDir, options),
      challengers.open(),
    ]);
    const first = await makePolicy({ definitions, challenger }, options);
    const book = new PolicyBook(options, challengers, first);
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

  /**
   * Reads all files again. A bad set leaves the old one in force and is returned, fault by fault. A bad challenger is no
   * fault of the set: the one before goes on beside the new set.
   */
  reload(): Promise<readonly string[]> {
    return this.#replace(async () => ({
      definitions: await readDefinitions(this.#options.rulesDir, this.#options),
      challenger: await this.#challengers.reopen(this.#current.challenger),
    }));
  }

  /**
   * Takes the downloaded lists as they are now. Rules stay as they are in force, and checks under way go on with the lists
   * that they began with. Returns what went wrong; the old lists stay in force then.
   */
  reloadDownloads(): Promise<readonly string[]> {
    return this.#inTurn(() => this.#replaceDownloads());
  }

  #replace(define: () => Sources | Promise<Sources>): Promise<readonly string[]> {
    return this.#inTurn(() => this.#replaceNow(define));
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
  async #replaceNow(define: () => Sources | Promise<Sources>): Promise<readonly string[]> {
    const { log, clock, metrics } = this.#options;
    let soonest = 0;
    try {
      const next = await makePolicy(await define(), this.#options);
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

  #renewed(): Sources {
    const { definitions, challenger } = this.#current;
    return { definitions, challenger: this.#challengers.renew(challenger) };
  }

  /**
   * A decision never reads a clock: an expiry makes a new set instead, of the definitions in force. The files
   * may be half edited, and are taken when the operator says so.
   */
  #awaitExpiry(soonestMs = 0): void {
    clearTimeout(this.#timer);
    const nextExpiry = nextExpiryOf(this.#current);
    if (nextExpiry === null) return;
    const wait = Math.min(Math.max(nextExpiry - this.#options.clock.now(), soonestMs) + 1, LONGEST_WAIT_MS);
    this.#timer = setTimeout(() => {
      if (this.#options.clock.now() < nextExpiry) this.#awaitExpiry();
      else void this.#replace(() => this.#renewed());
    }, wait).unref();
  }
}

/** When something in the set or in its challenger expires. */
function nextExpiryOf({ ruleSet, challenger }: Policy): number | null {
  const [one, other] = [ruleSet.nextExpiry, challenger?.ruleSet.nextExpiry ?? null];
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

async function makePolicy({ definitions, challenger }: Sources, options: PolicyBookOptions): Promise<Policy> {
  const { collector, clock, log, metrics } = options;
  const ruleSet = compileRuleSet(definitions, collector.catalogue, clock.now());
  const providers = await collector.prepare(preparationInputs(ruleSet, options));
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
  const unseen = challenger ? unseenFiles(challenger.ruleSet, ruleSet) : [];
  if (unseen.length > 0) {
    log.warn(
      { files: unseen, challenger: challenger?.ruleSet.hash },
      "the challenger's thresholds and lists are not tried: its facts are made by those in force",
    );
  }
  return { definitions, ruleSet, decider, providers, challenger };
}

function preparationInputs(
  { thresholds, lists }: RuleSet,
  { providerOptions, downloads }: PolicyBookOptions,
): PreparationInputs {
  return { options: providerOptions, thresholds, lists, downloads };
}
