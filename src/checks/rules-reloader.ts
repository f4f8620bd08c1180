import { setTimeout as wait } from 'node:timers/promises';
import { StartupError } from '../errors.ts';
import { messageOf } from '../lib/thrown.ts';
import { isoTime } from '../lib/time.ts';
import type { Instruments } from '../observability/metrics.ts';
import type { RuleComplaint, RuleVersionStore, VersionReason } from '../storage/rule-ports.ts';
import type { ActivePolicy, Policy } from './active-policy.ts';
import { faultsOf, type RuleJudge } from './rule-judge.ts';
import {
  type LoadedRules,
  type Reading,
  type ReadingTools,
  readPublished,
  readSettled,
} from './rule-source.ts';

interface RulesReloaderOptions extends Pick<Instruments, 'clock' | 'log'> {
  /** What is in force, and where it and its challenger were read. */
  readonly policies: ActivePolicy;
  readonly judge: RuleJudge;
  readonly versions: RuleVersionStore;
  /** Between two looks at what may be half written. */
  readonly pause?: (ms: number) => Promise<void>;
}

/** What failed for another reason than the files is tried again after this by itself. */
const RETRY_MS = 60_000;
/** A database that is away is looked at again after this. */
const RETRY_READING_MS = 1_000;
/** The tests of the set that a start put in force are run when the first requests are through. */
const TEST_AFTER_MS = 5_000;

/**
 * Puts published rules in force, and those of the challenger beside them, once they are whole and pass lint and tests. Every set is stored
 * as a version before it decides anything, and why one was refused stays to be seen until it is mended.
 */
export class RulesReloader {
  /** Why the files that lie there are not in force; the same files are not refused twice. */
  #refusal: RuleComplaint | undefined;
  /** What fails of the tests of the set in force; told of where nothing was refused. */
  #failing: RuleComplaint | undefined;
  /** The challenger's files that were taken, or refused, last. */
  #challengerSeen: string | undefined;
  #watches: readonly (() => void)[] = [];
  /** One reading at a time, in the order they were asked for. */
  #loading: Promise<unknown> = Promise.resolve();
  #testing: Promise<void> | undefined;
  #isWaiting = false;
  #isClosed = false;
  readonly #timers: { test?: NodeJS.Timeout; retry?: NodeJS.Timeout } = {};

  constructor(private readonly options: RulesReloaderOptions) {}

  /** Why what lies in the directory is not, or should not be, in force; undefined when all is well. */
  get complaint(): RuleComplaint | undefined {
    return this.#refusal ?? this.#failing;
  }

  /** The same in one line, for `/readyz`. */
  get complaintText(): string | undefined {
    return this.complaint && describeComplaint(this.complaint, this.options.policies.source.isTransactional);
  }

  /** Stores the set of this start, unless it is the one that was in force before; before anything is answered. */
  async begin(): Promise<void> {
    const { policies, versions, log } = this.options;
    try {
      await this.#store(policies.current, 'start');
      const before = await versions.complaint();
      if (before?.kind === 'failing') this.#failing = before;
      // What was refused has been mended, or the start would have been refused.
      else if (before) await versions.complain(null);
    } catch (err) {
      // A read-only data directory still starts; checks get 503.
      log.error({ err }, 'the rule set in force is not stored as a version');
    }
    // The start has read them just now.
    const challenger = await policies.challengerSource?.read();
    this.#challengerSeen = challenger?.files ? challenger.digest : undefined;
    policies.tellBeforeActivation((next, reason) => this.#store(next, reason));
    this.#later('test', TEST_AFTER_MS, () => {
      const test = () => this.#testInForce();
      // What is published comes in force within two seconds, which tests of many rules on a busy machine may take alone.
      if (policies.source.isTransactional) this.#testing = test();
      else void this.#inTurn(test);
    });
  }

  /** From now on takes changes when they happen, those since the start too. */
  async watch(): Promise<void> {
    const { source, challengerSource } = this.options.policies;
    const sources = challengerSource === null ? [source] : [source, challengerSource];
    this.#watches = await Promise.all(sources.map((one) => one.watch(() => this.changed())));
  }

  /** Other rules may have been published. */
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
    for (const end of this.#watches) end();
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    this.options.judge.close();
    await this.#loading;
    await this.#testing;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#loading.then(work);
    this.#loading = done.catch((err: unknown) => this.options.log.error({ err }, 'bug: rules not reloaded'));
    return done;
  }

  async #load(reason: 'change' | 'sighup'): Promise<readonly string[]> {
    if (this.#isClosed) return [];
    const { judge, clock, pause = wait } = this.options;
    const tools = { judge, pause, now: () => clock.now(), isClosed: () => this.#isClosed };
    // What is published for all instances does not wait for a challenger's directory to be whole.
    const faults = await this.#loadRules(tools, reason);
    await this.#loadChallenger(tools, reason);
    return faults;
  }

  async #loadRules(
    tools: Omit<ReadingTools, 'isKnown'>,
    reason: 'change' | 'sighup',
  ): Promise<readonly string[]> {
    if (this.#isClosed) return [];
    const { policies, log } = this.options;
    const isKnown = (digest: string) =>
      reason === 'change' && (digest === this.#digest || digest === this.#refusal?.digest);
    const { source } = policies;
    const reading = source.isTransactional
      ? await readPublished(source, { ...tools, isKnown, lint: (sources) => policies.lint(sources) })
      : await readSettled(source, { ...tools, isKnown });
    if (this.#isClosed) return [];
    if (reading.is === 'away') {
      // Readiness tells of a database that is away.
      this.#later('retry', RETRY_READING_MS, () => this.changed());
      return reading.faults;
    }
    if (reading.is === 'known') {
      if (reading.digest !== this.#digest || !this.#refusal) return [];
      await this.#complain(undefined, this.#failing);
      const again = 'again what is in force';
      log.info({}, source.isTransactional ? `published is ${again}` : `the rules directory holds ${again}`);
      return [];
    }
    const faults = await policies.take(() => accept(reading), reason);
    if (faults.length === 0) {
      await this.#complain(undefined, undefined);
      return [];
    }
    const digest = reading.is === 'bad' ? reading.digest : null;
    await this.#complain({ kind: 'refused', at: this.#now(), digest, faults }, this.#failing);
    // Neither lint nor a test: whatever it was may be over.
    if (digest === null) this.#later('retry', RETRY_MS, () => this.changed());
    return faults;
  }

  async #loadChallenger(tools: Omit<ReadingTools, 'isKnown'>, reason: 'change' | 'sighup'): Promise<void> {
    const { policies } = this.options;
    if (policies.challengerSource === null || this.#isClosed) return;
    const isKnown = (digest: string) => reason === 'change' && digest === this.#challengerSeen;
    const reading = await readSettled(policies.challengerSource, { ...tools, isKnown });
    if (reading.is === 'known' || tools.isClosed()) return;
    this.#challengerSeen = reading.digest ?? undefined;
    await policies.takeChallenger(() => accept(reading));
  }

  /** Rejects where it cannot be written: what decides must be on record. */
  async #store({ ruleSet, sources }: Policy, reason: VersionReason): Promise<void> {
    const { policies, versions, clock, log } = this.options;
    const { digest, files } = sources;
    const last = await versions.last();
    const isLast = last?.digest === digest && last.hash === ruleSet.hash;
    if (policies.source.isTransactional) {
      // Published is on record. A date that passes, or another release of the program, gives it another hash: one instance says which.
      const isMadeHere = reason === 'expiry' || reason === 'start';
      if (!isMadeHere || isLast || last?.digest !== digest) return;
      const made = { hash: ruleSet.hash, digest, reason, author: null, at: this.#now(), restores: null };
      await versions.publish(made, files, last.version);
      return;
    }
    // An entry of a list may have expired, which no hash tells; or something of the challenger's, which is no matter here.
    const { nextChange } = policies.current.ruleSet;
    if (isLast && !(reason === 'expiry' && clock.now() >= (nextChange ?? Infinity))) return;
    if (reason === 'start' && last && last.digest !== digest) {
      // An edit, or a program's tree that was replaced together with its rules.
      log.warn({ version: last.version }, 'the rules are others than before this start');
    }
    const author = reason === 'expiry' ? null : await policies.source.authorOf(files);
    const { hash } = ruleSet;
    try {
      await versions.add({ hash, digest, reason, author, at: this.#now(), restores: null }, files);
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      throw new StartupError([`the rule set ${hash} cannot be stored as a version: ${messageOf(cause)}`]);
    }
  }

  /** A start refuses no rules for a failing test: an operator who must restart must be able to. It says so instead. */
  async #testInForce(): Promise<void> {
    const { policies, judge, clock, log } = this.options;
    const { current } = policies;
    try {
      const faults = faultsOf(await judge.judge(current.sources, clock.now()));
      // Another set has been judged, and told of, meanwhile.
      if (this.#isClosed || policies.current.sources !== current.sources) return;
      let failing: RuleComplaint | undefined;
      if (faults.length > 0) {
        log.warn({ faults, ruleset: current.ruleSet.hash }, 'the tests of the rules in force fail');
        failing = { kind: 'failing', at: this.#now(), digest: this.#digest, faults };
      }
      await this.#complain(this.#refusal, failing);
    } catch (err) {
      if (!this.#isClosed) log.warn({ err }, 'the rules in force could not be tested');
    }
  }

  /** What is said of the rules is stored too, for `rules status`. */
  async #complain(refusal: RuleComplaint | undefined, failing: RuleComplaint | undefined): Promise<void> {
    const { complaint: before } = this;
    this.#refusal = refusal;
    this.#failing = failing;
    if (this.complaint === before) return;
    try {
      await this.options.versions.complain(this.complaint ?? null);
    } catch (err) {
      this.options.log.warn({ err }, 'what is wrong with the rules is not stored for `rules status`');
    }
  }

  /** One of each: a reading that failed must not keep the start's test from being run. */
  #later(what: 'test' | 'retry', ms: number, work: () => unknown): void {
    clearTimeout(this.#timers[what]);
    if (!this.#isClosed) this.#timers[what] = setTimeout(work, ms).unref();
  }

  get #digest(): string {
    return this.options.policies.current.sources.digest;
  }

  #now(): string {
    return isoTime(this.options.clock.now());
  }
}

export function describeComplaint({ kind, at, faults }: RuleComplaint, isTransactional = false): string {
  const refused = isTransactional ? 'what is published' : 'what lies in rules.dir';
  const what = kind === 'refused' ? `${refused} is not in force` : 'the tests of the rules in force fail';
  return `${what} (${at}, ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}): ${faults[0]}`;
}

/** Rules, or a StartupError that says why there are none. */
async function accept(reading: Extract<Reading, { is: 'good' | 'bad' }>): Promise<LoadedRules> {
  if (reading.is === 'bad') throw new StartupError(reading.faults);
  return reading.rules;
}
