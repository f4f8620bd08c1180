import { faultsIn } from '../errors.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { compileRuleSet } from '../rules/compile.ts';
import type { Facts, Outcome } from '../rules/decision.ts';
import type { RuleDefinitions } from '../rules/definitions.ts';
import { MemoizedDecider } from '../rules/memoized-decider.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import { type RuleSource, type RulesReader, readRules } from './rule-source.ts';

interface ChallengerParts {
  /** What the set was compiled from; an expiry compiles it again. */
  readonly definitions: RuleDefinitions;
  readonly ruleSet: RuleSet;
  readonly decider: Pick<MemoizedDecider, 'judge'>;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** A whole rule set that judges live checks by the same facts. What it says is recorded, and never acted on. */
export class Challenger {
  readonly definitions: RuleDefinitions;
  readonly ruleSet: RuleSet;
  readonly #decider: ChallengerParts['decider'];
  readonly #log: Logger;
  readonly #metrics: Metrics;
  #hasFailed = false;

  constructor({ definitions, ruleSet, decider, log, metrics }: ChallengerParts) {
    this.definitions = definitions;
    this.ruleSet = ruleSet;
    this.#decider = decider;
    this.#log = log;
    this.#metrics = metrics;
  }

  /** Never throws and never rejects: null where it failed, which no answer may depend on. */
  judge(facts: Facts): Outcome | null | Promise<Outcome | null> {
    try {
      const judging = this.#decider.judge(facts);
      return judging instanceof Promise ? judging.catch((error) => this.#fail(error)) : judging;
    } catch (error) {
      return this.#fail(error);
    }
  }

  /** Counted each time, logged once: a challenger that fails at every check would fill the log. */
  #fail(error: unknown): null {
    this.#metrics.count('postern_challenger_decisions_total', { result: 'failed' });
    if (!this.#hasFailed) {
      this.#log.error(
        { err: error, challenger: this.ruleSet.hash },
        'the challenger failed; no answer depends on it',
      );
    }
    this.#hasFailed = true;
    return null;
  }
}

/** What an answer would have become. */
export function compareWithChallenge(answered: Outcome, challenge: Outcome) {
  if (answered.action === challenge.action) return 'agree';
  return challenge.action === 'BLOCK' ? 'would_block' : 'would_allow';
}

interface ChallengerOptions extends RulesReader {
  /** Null for none, as in every command. */
  readonly challengerSource: RuleSource | null;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Makes challengers of `rules.challenger_dir`, by the code that makes the rules in force. */
export class ChallengerReader {
  readonly #options: ChallengerOptions;

  constructor(options: ChallengerOptions) {
    this.#options = options;
  }

  /** At the start. Throws a StartupError that lists every fault: an operator who sets the key wants a challenger. */
  async open(): Promise<Challenger | null> {
    const { challengerSource, metrics } = this.#options;
    if (challengerSource === null) return null;
    const { definitions } = await readRules(challengerSource, this.#options);
    const challenger = this.#make(definitions);
    metrics.count('postern_challenger_loads_total', { result: 'success' });
    return challenger;
  }

  /** Later on, bad rules are logged and counted, and `before` goes on. Never rejects. */
  async reopen(before: Challenger | null, read: () => Promise<RuleDefinitions>): Promise<Challenger | null> {
    const { log, metrics } = this.#options;
    try {
      const challenger = this.#make(await read());
      metrics.count('postern_challenger_loads_total', { result: 'success' });
      const previous = before?.ruleSet.hash ?? null;
      log.info({ challenger: challenger.ruleSet.hash, previous }, 'challenger read');
      return challenger;
    } catch (error) {
      const faults = faultsIn(error);
      metrics.count('postern_challenger_loads_total', { result: 'failure' });
      log.error(
        { faults, challenger: before?.ruleSet.hash ?? null },
        'challenger not reloaded: the old one goes on',
      );
      return before;
    }
  }

  /** The same definitions after an expiry has passed in them. */
  renew(before: Challenger | null): Challenger | null {
    const nextExpiry = before?.ruleSet.nextExpiry ?? null;
    if (before === null || nextExpiry === null || this.#options.clock.now() < nextExpiry) return before;
    return this.#make(before.definitions);
  }

  #make(definitions: RuleDefinitions): Challenger {
    const { collector, clock, log, metrics } = this.#options;
    const ruleSet = compileRuleSet(definitions, collector.catalogue, clock.now());
    return new Challenger({ definitions, ruleSet, decider: new MemoizedDecider(ruleSet), log, metrics });
  }
}
