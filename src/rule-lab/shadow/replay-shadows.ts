import { truthOf } from '../../rules/kleene.ts';
import { MemoizedDecider } from '../../rules/memoized-decider.ts';
import { isInside, triedRules } from '../../rules/rollout.ts';
import type { RuleSet } from '../../rules/rule-set.ts';
import type { FactCatalogue } from '../../signals/signals.ts';
import type { RecordedCheck } from '../../storage/ports.ts';
import { factsReader } from '../backtest/case.ts';
import type { PromotionCriteria } from './promotion.ts';
import { RuleTally } from './tallies.ts';

interface ReplayInputs {
  readonly pages: AsyncIterable<readonly RecordedCheck[]>;
  readonly ruleSet: RuleSet;
  readonly catalogue: Pick<FactCatalogue, 'facts'>;
  readonly criteria: PromotionCriteria;
  /** Flips shown whole, of each kind. */
  readonly examples: number;
}

/**
 * What each shadow rule, as it stands now, makes of checks on record, whether it was tried in them or not: so that a rule which was
 * added a minute ago has figures. Reads the records once, in constant memory. A check without a fact that the rule needs is left out; of a
 * rule that is rolled out those inside are, for whom it counts already.
 */
export async function replayShadows({ pages, ruleSet, catalogue, criteria, examples }: ReplayInputs) {
  const readFacts = factsReader(catalogue);
  const without = new MemoizedDecider(ruleSet);
  const tallies = triedRules(ruleSet).map((rule) => ({
    rule,
    tally: new RuleTally(rule, ruleSet, without, examples),
  }));
  for await (const page of pages) {
    for (const check of page) {
      const stored = readFacts(check, check.facts);
      const facts = { ...stored, ...ruleSet.constants };
      for (const { rule, tally } of tallies) {
        if (rule.reads.some((id) => facts[id] === undefined)) continue;
        if (ruleSet.rollouts[rule.id] !== undefined && isInside(rule.id, ruleSet, stored) !== false) continue;
        await tally.add(check, truthOf(rule.condition, facts) ? stored : null);
      }
    }
  }
  return tallies.map(({ tally }) => tally.report(criteria));
}
