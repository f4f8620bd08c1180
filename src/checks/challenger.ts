import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Facts, Outcome } from '../rules/decision.ts';
import type { RuleDefinitions } from '../rules/definitions.ts';
import type { MemoizedDecider } from '../rules/memoized-decider.ts';
import type { RuleSet } from '../rules/rule-set.ts';

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
  readonly #parts: ChallengerParts;
  #hasFailed = false;

  constructor(parts: ChallengerParts) {
    this.#parts = parts;
  }

  get definitions(): RuleDefinitions {
    return this.#parts.definitions;
  }

  get ruleSet(): RuleSet {
    return this.#parts.ruleSet;
  }

  /** Never rejects: null where it failed, which no answer may depend on. Counted each time, and logged once. */
  async judge(facts: Facts): Promise<Outcome | null> {
    const { decider, ruleSet, log, metrics } = this.#parts;
    try {
      return await decider.judge(facts);
    } catch (err) {
      metrics.count('postern_challenger_decisions_total', { result: 'failed' });
      if (!this.#hasFailed) {
        log.error({ err, challenger: ruleSet.hash }, 'the challenger failed; no answer depends on it');
      }
      this.#hasFailed = true;
      return null;
    }
  }
}

/** What an answer would have become. */
export function compareWithChallenge(answered: Outcome, challenge: Outcome) {
  if (answered.action === challenge.action) return 'agree';
  return challenge.action === 'BLOCK' ? 'would_block' : 'would_allow';
}
