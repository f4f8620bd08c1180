import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { RuleSet } from '../rules/compile.ts';
import type { Facts, Outcome } from '../rules/decision.ts';
import type { RuleDefinitions } from '../rules/definitions.ts';
import type { MemoizedDecider } from '../rules/memoized-decider.ts';

/** What a challenger made of a check, beside what was answered: the same, an action that would have changed, or nothing. */
export const CHALLENGE_RESULTS = ['agree', 'would_block', 'would_allow', 'failed'] as const;
export type ChallengeResult = (typeof CHALLENGE_RESULTS)[number];

export interface ChallengerParts {
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
    this.#metrics.challenged('failed');
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
export function compareWithChallenge(answered: Outcome, challenge: Outcome): ChallengeResult {
  if (answered.action === challenge.action) return 'agree';
  return challenge.action === 'BLOCK' ? 'would_block' : 'would_allow';
}
