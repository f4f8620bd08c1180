import { StartupError } from '../errors.ts';
import { isoTime } from '../lib/dates.ts';
import type { Logger } from '../observability/logger.ts';
import type { Clock } from '../provider-kit/index.ts';
import { digestOf, filesOf, readRuleSources } from '../rules/rule-files.ts';
import type { RuleComplaint, RuleVersionStore, VersionReason } from '../storage/rule-ports.ts';
import type { ActivePolicy, Policy } from './active-policy.ts';
import { faultsOf, type RuleJudge } from './rule-judge.ts';
import { type LoadedRules, type Reading, type ReadingTools, readWhole } from './rule-source.ts';
import { ownerOf } from './rules-directory.ts';

/** Brings what lies in `rules.challenger_dir` beside the rules in force when it is whole and good. */
class ChallengerReloader {
  readonly #dir: string;
  readonly #policies: Pick<ActivePolicy, 'takeChallenger'>;
  /** The files that were taken, or refused, last. */
  #seen: string | undefined;

  constructor(dir: string, policies: Pick<ActivePolicy, 'takeChallenger'>) {
    this.#dir = dir;
    this.#policies = policies;
  }

  /** The start has read them just now. */
  async begin(): Promise<void> {
    const sources = await readRuleSources(this.#dir).catch(() => undefined);
    this.#seen = sources && digestOf(filesOf(sources));
  }

  async load(tools: Omit<ReadingTools, 'isKnown'>, reason: 'change' | 'sighup'): Promise<void> {
    const isKnown = (digest: string) => reason === 'change' && digest === this.#seen;
    const reading = await readWhole(this.#dir, { ...tools, isKnown });
    if (reading.is === 'known' || tools.isClosed()) return;
    this.#seen = reading.digest ?? undefined;
    await this.#policies.takeChallenger(async () => {
      if (reading.is === 'bad') throw new StartupError(reading.faults);
      return reading.rules.definitions;
    });
  }
}

interface RulesReloaderOptions {
  readonly dir: string;
  /** Null where there is no challenger. */
  readonly challengerDir: string | null;
  readonly policies: ActivePolicy;
  readonly judge: RuleJudge;
  readonly versions: RuleVersionStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly pause: (ms: number) => Promise<void>;
}

/** What failed for another reason than the files is tried again after this, without anybody's doing. */
const RETRY_MS = 60_000;
/** The tests of the set that a start put in force are run when the first requests are through. */
const TEST_AFTER_MS = 5_000;

/**
 * Brings what lies in the rules directory in force when it is whole and good, and keeps account of it: every set that was
 * in force is stored before it decides anything, and what was refused is there to be seen until it is mended.
 */
export class RulesReloader {
  readonly #options: RulesReloaderOptions;
  readonly #challenger: ChallengerReloader | null;
  #complaint: RuleComplaint | undefined;
  /** What the tests of the set in force came to, which a refusal hides and the way back shows again. */
  #failing: RuleComplaint | undefined;
  /** The files that were refused last; the same files are not refused twice. */
  #refused: string | undefined;
  /** One reading at a time, in the order they were asked for. */
  #loading: Promise<unknown> = Promise.resolve();
  #isWaiting = false;
  #isClosed = false;
  readonly #timers: { test?: NodeJS.Timeout; retry?: NodeJS.Timeout } = {};

  constructor(options: RulesReloaderOptions) {
    this.#options = options;
    const { challengerDir, policies } = options;
    this.#challenger = challengerDir === null ? null : new ChallengerReloader(challengerDir, policies);
  }

  /** Why what lies in the directory is not, or should not be, in force; undefined when all is well. */
  get complaint(): RuleComplaint | undefined {
    return this.#complaint;
  }

  /** Stores the set of this start, unless it is the one that was in force before; before anything is answered. */
  async begin(): Promise<void> {
    const { policies, versions, log } = this.#options;
    try {
      await this.#store(policies.current, 'start');
      const before = await versions.complaint();
      // What was refused has been mended, or the start would have been.
      if (before?.kind === 'refused') await versions.complain(null);
      else {
        this.#complaint = before;
        this.#failing = before;
      }
    } catch (err) {
      // Who cannot write starts all the same, and answers 503 for want of records.
      log.error({ err }, 'the rule set in force is not stored as a version');
    }
    await this.#challenger?.begin();
    policies.tellBeforeActivation((next, reason) => this.#store(next, reason));
    this.#later('test', TEST_AFTER_MS, () => this.#inTurn(() => this.#testInForce()));
  }

  /** Something may have changed in the directory. */
  changed(): void {
    // One that waits will see it all.
    if (this.#isWaiting || this.#isClosed) return;
    this.#isWaiting = true;
    void this.#inTurn(() => {
      this.#isWaiting = false;
      return this.#load('change');
    });
  }

  /** Takes the directory as it is, changed or not, and the downloaded lists too. Returns what is at fault. */
  reload(): Promise<readonly string[]> {
    return this.#inTurn(() => this.#load('sighup'));
  }

  /** Resolves when all that was asked for has been done. */
  async idle(): Promise<void> {
    await this.#loading;
  }

  /** Ends with what is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    this.#options.judge.close();
    await this.#loading;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#loading.then(work);
    this.#loading = done.catch((err: unknown) => this.#options.log.error({ err }, 'bug: rules not reloaded'));
    return done;
  }

  async #load(reason: 'change' | 'sighup'): Promise<readonly string[]> {
    if (this.#isClosed) return [];
    const { dir, policies, judge, clock, pause } = this.#options;
    const tools = { judge, pause, now: () => clock.now(), isClosed: () => this.#isClosed };
    await this.#challenger?.load(tools, reason);
    if (this.#isClosed) return [];
    const reading = await readWhole(dir, {
      ...tools,
      isKnown: (digest) => reason === 'change' && (digest === this.#digest || digest === this.#refused),
    });
    if (this.#isClosed) return [];
    if (reading.is === 'known') {
      if (reading.digest === this.#digest) await this.#takeBack();
      return [];
    }
    const faults = await policies.take(() => accept(reading), reason);
    if (faults.length === 0) {
      this.#refused = undefined;
      this.#failing = undefined;
      await this.#complain(null);
      return [];
    }
    const digest = reading.is === 'bad' ? reading.digest : null;
    this.#refused = digest ?? undefined;
    await this.#complain({ kind: 'refused', at: this.#now(), digest, faults });
    // Neither lint nor a test: whatever it was may be over.
    if (digest === null) this.#later('retry', RETRY_MS, () => this.changed());
    return faults;
  }

  /** The directory is again what is in force. */
  async #takeBack(): Promise<void> {
    this.#refused = undefined;
    if (this.#complaint?.kind !== 'refused') return;
    await this.#complain(this.#failing ?? null);
    this.#options.log.info({}, 'the rules directory holds again what is in force');
  }

  /** Rejects where it cannot be written: what decides must be on record. */
  async #store({ ruleSet, sources }: Policy, reason: VersionReason): Promise<void> {
    const { dir, versions } = this.#options;
    const files = filesOf(sources);
    const digest = digestOf(files);
    const last = await versions.last();
    const isLast = last?.digest === digest && last.hash === ruleSet.hash;
    // An entry of a list may have expired, which no hash tells; or something of the challenger's, which is no matter here.
    if (isLast && !(reason === 'expiry' && this.#hasExpired())) return;
    const author = reason === 'expiry' ? null : await ownerOf(dir, Object.keys(files));
    const { hash } = ruleSet;
    try {
      await versions.add({ hash, digest, reason, author, at: this.#now(), restores: null }, files);
    } catch (error) {
      throw new StartupError([`the rule set ${hash} cannot be stored as a version: ${causeOf(error)}`]);
    }
  }

  #hasExpired(): boolean {
    const { nextExpiry } = this.#options.policies.current.ruleSet;
    return nextExpiry !== null && nextExpiry <= this.#options.clock.now();
  }

  /** A start refuses no rules for a failing test: whoever must restart must be able to. It says so instead. */
  async #testInForce(): Promise<void> {
    const { policies, judge, clock, log } = this.#options;
    const { current } = policies;
    try {
      const faults = faultsOf(await judge.judge(current.sources, clock.now()));
      // Another set has been judged, and told of, meanwhile.
      if (this.#isClosed || policies.current.sources !== current.sources) return;
      if (faults.length > 0) {
        log.warn({ faults, ruleset: current.ruleSet.hash }, 'the tests of the rules in force fail');
        this.#failing = { kind: 'failing', at: this.#now(), digest: this.#digest, faults };
      } else this.#failing = undefined;
      // What was refused meanwhile stays to be seen.
      if (this.#complaint?.kind !== 'refused') await this.#complain(this.#failing ?? null);
    } catch (err) {
      if (!this.#isClosed) log.warn({ err }, 'the rules in force could not be tested');
    }
  }

  async #complain(complaint: RuleComplaint | null): Promise<void> {
    if (complaint === null && this.#complaint === undefined) return;
    this.#complaint = complaint ?? undefined;
    try {
      await this.#options.versions.complain(complaint);
    } catch (err) {
      this.#options.log.warn({ err }, 'what is wrong with the rules is not stored for `rules status`');
    }
  }

  /** One of each: a reading that failed must not keep the start's test from being run. */
  #later(what: 'test' | 'retry', ms: number, work: () => unknown): void {
    clearTimeout(this.#timers[what]);
    if (!this.#isClosed) this.#timers[what] = setTimeout(work, ms).unref();
  }

  get #digest(): string {
    return digestOf(filesOf(this.#options.policies.current.sources));
  }

  #now(): string {
    return isoTime(this.#options.clock.now());
  }
}

/** One line, for who asks whether the service is ready. */
export function describeComplaint({ kind, at, faults }: RuleComplaint): string {
  const what =
    kind === 'refused' ? 'what lies in rules.dir is not in force' : 'the tests of the rules in force fail';
  return `${what} (${at}, ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}): ${faults[0]}`;
}

/** What the policy book takes: rules, or why there are none. */
async function accept(reading: Exclude<Reading, { is: 'known' }>): Promise<LoadedRules> {
  if (reading.is === 'bad') throw new StartupError(reading.faults);
  return reading.rules;
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
