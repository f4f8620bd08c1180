import { faultsIn } from '../errors.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { compileRuleSet } from '../rules/compile.ts';
import type { RuleDefinitions } from '../rules/definitions.ts';
import { MemoizedDecider } from '../rules/memoized-decider.ts';
import { Challenger } from './challenger.ts';
import { type DefinitionsReader, readRules } from './read-rules.ts';

export interface ChallengerOptions extends DefinitionsReader {
  /** `rules.challenger_dir`; null for none, as in every command. */
  readonly challengerDir: string | null;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Makes challengers of `rules.challenger_dir`, by the code that makes the rules in force. */
export class ChallengerReader {
  readonly #options: ChallengerOptions;

  constructor(options: ChallengerOptions) {
    this.#options = options;
  }

  /** At the start. Throws a StartupError that lists every fault: who sets the key wants a challenger. */
  async open(): Promise<Challenger | null> {
    const { challengerDir, metrics } = this.#options;
    if (challengerDir === null) return null;
    const { definitions } = await readRules(challengerDir, this.#options);
    const challenger = this.#make(definitions);
    metrics.challengerLoaded(true);
    return challenger;
  }

  /** Later on, a bad directory hurts nobody: it is logged and counted, and `before` goes on. Never rejects. */
  async reopen(before: Challenger | null, read: () => Promise<RuleDefinitions>): Promise<Challenger | null> {
    const { log, metrics } = this.#options;
    try {
      const challenger = this.#make(await read());
      metrics.challengerLoaded(true);
      const previous = before?.ruleSet.hash ?? null;
      log.info({ challenger: challenger.ruleSet.hash, previous }, 'challenger read');
      return challenger;
    } catch (error) {
      const faults = faultsIn(error);
      metrics.challengerLoaded(false);
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
