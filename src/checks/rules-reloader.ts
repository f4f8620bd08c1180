import { setTimeout as wait } from 'node:timers/promises';
import { StartupError } from '../errors.ts';
import { counted } from '../lib/statistics.ts';
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
  /** Waits between two readings of files that may be half written. */
  readonly pause?: (ms: number) => Promise<void>;
}

/** A reading that failed for another reason than the files is tried again after this. */
const RETRY_MS = 60_000;
/** A database that is away is read again after this. */
const RETRY_READING_MS = 1_000;
/** The tests of the rules of a start run so long after it, when the first requests are through. */
const TEST_AFTER_MS = 5_000;

/**
 * Puts published rules, and the challenger's, in force once they are whole and pass lint and tests. Every set is stored as a version before
 * it decides anything. The reason for a refusal stays visible until the rules are mended.
 */
export class RulesReloader {
  /** Why the published files are not in force; files of the same digest are not judged again. */
  #refusal: RuleComplaint | undefined;
  /** Failing tests of the rules in force; shown only where nothing was refused. */
  #failing: RuleComplaint | undefined;
  /** Digest of the challenger's files that were taken, or refused, last. */
  #challengerSeen: string | undefined;
  #watches: readonly (() => void)[] = [];
  /** One reading at a time, in the order they were asked for. */
  #loading: Promise<unknown> = Promise.resolve();
  #testing: Promise<void> | undefined;
  #isWaiting = false;
  #isClosed = false;
  readonly #timers: { test?: NodeJS.Timeout; retry?: NodeJS.Timeout } = {};

  constructor(private readonly options: RulesReloaderOptions) {}

  /** Why the published rules are not, or should not be, in force; undefined when all is well. */
  get complaint(): RuleComplaint | undefined {
    return this.#refusal ?? this.#failing;
  }

  /** `complaint` in one line, for `/readyz`. */
  get complaintText(): string | undefined {
    if (this.complaint === undefined) return undefined;
    const { kind, at, faults } = this.complaint;
    const { isTransactional } = this.options.policies.source;
    const refused = isTransactional ? 'what is published' : 'what lies in rules.dir';
    const what = kind === 'refused' ? `${refused} is not in force` : 'the tests of the rules in force fail';
    return `${what} (${at}, ${counted(faults.length, 'fault')}): ${faults[0]}`;
  }

  /** Stores the rule set of this start as a version, unless it was the last in force. Called before anything is answered. */
  async begin(): Promise<void> {
    const { policies, versions, log } = this.options;
    try {
      await this.#store(policies.current, 'start');
      const before = await versions.complaint();
      if (before?.kind === 'failing') this.#failing = before;
      // The refused rules have been mended: with them this start would have failed.
      else if (before) await versions.complain(null);
    } catch (err) {
      // A read-only data directory still starts; checks get 503.
      log.error({ err }, 'the rule set in force is not stored as a version');
    }
    // The start has just read the challenger's files.
    const challenger = await policies.challengerSource?.read();
    this.#challengerSeen = challenger?.files ? challenger.digest : undefined;
    policies.tellBeforeActivation((next, reason) => this.#store(next, reason));
    this.#setTimer('test', TEST_AFTER_MS, () => {
      const test = () => this.#testInForce();
      // Not queued: published rules must come in force within two seconds, and tests of many rules may take that long alone.
      if (policies.source.isTransactional) this.#testing = test();
      else void this.#enqueue(test);
    });
  }

  /** Takes changes as they happen from now on, and those since the start. */
  async watch(): Promise<void> {
    const { source, challengerSource } = this.options.policies;
    const sources = challengerSource === null ? [source] : [source, challengerSource];
    this.#watches = await Promise.all(sources.map((one) => one.watch(() => this.changed())));
  }

  /** To be called when other rules may have been published. */
  changed(): void {
    // A reading that already waits will see every change.
    if (this.#isWaiting || this.#isClosed) return;
    this.#isWaiting = true;
    void this.#enqueue(() => {
      this.#isWaiting = false;
      return this.#load('change');
    });
  }

  /** Reads the rules, changed or not, and the downloaded lists. Returns the faults of the rules. */
  reload(): Promise<readonly string[]> {
    return this.#enqueue(() => this.#load('sighup'));
  }

  /** Resolves when all readings that were asked for are done. */
  async idle(): Promise<void> {
    await this.#loading;
  }

  /** Resolves once the work under way has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const end of this.#watches) end();
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    this.options.judge.close();
    await this.#loading;
    await this.#testing;
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#loading.then(work);
    this.#loading = done.catch((err: unknown) => this.options.log.error({ err }, 'bug: rules not reloaded'));
    return done;
  }

  async #load(reason: 'change' | 'sighup'): Promise<readonly string[]> {
    if (this.#isClosed) return [];
    const { judge, clock, pause = wait } = this.options;
    const tools = { judge, pause, now: () => clock.now(), isClosed: () => this.#isClosed };
    // Rules first: they must not wait until a challenger's directory is whole.
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
      // No complaint: readiness already reports a database that is away.
      this.#setTimer('retry', RETRY_READING_MS, () => this.changed());
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
    // Neither lint nor a test refused the files: the cause may pass.
    if (digest === null) this.#setTimer('retry', RETRY_MS, () => this.changed());
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

  /** Rejects where the version cannot be written: rules that decide must be on record. */
  async #store({ ruleSet, sources }: Policy, reason: VersionReason): Promise<void> {
    const { policies, versions, clock, log } = this.options;
    const { digest, files } = sources;
    const last = await versions.last();
    const isLast = last?.digest === digest && last.hash === ruleSet.hash;
    if (policies.source.isTransactional) {
      // Published rules are on record. A date that passes, or another release of the program, changes their hash: one instance stores that.
      const isMadeHere = reason === 'expiry' || reason === 'start';
      if (!isMadeHere || isLast || last?.digest !== digest) return;
      const made = { hash: ruleSet.hash, digest, reason, author: null, at: this.#now(), restores: null };
      await versions.publish(made, files, last.version);
      return;
    }
    // An expired list entry changes no hash but makes a version; an expiry in the challenger alone makes none.
    const { nextChange } = policies.current.ruleSet;
    if (isLast && !(reason === 'expiry' && clock.now() >= (nextChange ?? Infinity))) return;
    if (reason === 'start' && last && last.digest !== digest) {
      // The files were edited, or replaced together with the program's tree.
      log.warn({ version: last.version }, 'the rules are others than before this start');
    }
    const author = reason === 'expiry' ? null : ((await policies.source.authorOf?.(files)) ?? null);
    const { hash } = ruleSet;
    try {
      await versions.add({ hash, digest, reason, author, at: this.#now(), restores: null }, files);
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      throw new StartupError([`the rule set ${hash} cannot be stored as a version: ${messageOf(cause)}`]);
    }
  }

  /** Tests the rules of a start. Failing tests are reported but refuse nothing: an operator must always be able to restart. */
  async #testInForce(): Promise<void> {
    const { policies, judge, clock, log } = this.options;
    const { current } = policies;
    try {
      const faults = faultsOf(await judge.judge(current.sources, clock.now()));
      // Another rule set has been judged and reported meanwhile.
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

  /** Sets both complaints and stores the one that is shown, for `rules status`. */
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

  /** One timer of each kind: a retry must not cancel the test of the start. */
  #setTimer(what: 'test' | 'retry', ms: number, work: () => unknown): void {
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

/** The rules. Rejects with a StartupError that says why there are none. */
async function accept(reading: Extract<Reading, { is: 'good' | 'bad' }>): Promise<LoadedRules> {
  if (reading.is === 'bad') throw new StartupError(reading.faults);
  return reading.rules;
}
