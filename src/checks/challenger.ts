import type { Instruments } from '../observability/metrics.ts';
import type { Facts, Outcome } from '../rules/decision.ts';
import type { MemoizedDecider } from '../rules/memoized-decider.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import type { LoadedRules } from './rule-source.ts';

/** A second whole rule set that judges live checks on the same facts. Its decisions are recorded and never acted on. */
export class Challenger {
  #hasFailed = false;

  /** `loaded`: what the set was compiled from; an expiry compiles it again, and a promotion makes a draft of its files. */
  constructor(
    readonly loaded: LoadedRules,
    readonly ruleSet: RuleSet,
    private readonly decider: Pick<MemoizedDecider, 'judge'>,
    private readonly instruments: Pick<Instruments, 'log' | 'metrics'>,
  ) {}

  /** Never rejects. Null where the challenger failed: no answer may depend on it. Each failure is counted; the first is logged. */
  async judge(facts: Facts): Promise<Outcome | null> {
    const { log, metrics } = this.instruments;
    try {
      return await this.decider.judge(facts);
    } catch (err) {
      metrics.count('postern_challenger_decisions_total', { result: 'failed' });
      if (!this.#hasFailed) {
        log.error({ err, challenger: this.ruleSet.hash }, 'the challenger failed; no answer depends on it');
      }
      this.#hasFailed = true;
      return null;
    }
  }
}

export function compareWithChallenge(answered: Outcome, challenge: Outcome) {
  if (answered.action === challenge.action) return 'agree';
  return challenge.action === 'BLOCK' ? 'would_block' : 'would_allow';
}
