import type { CataloguedFacts } from '../../signals/fact-catalogue.ts';
import type { RuleSet } from '../compile.ts';
import { decide } from '../decide.ts';
import type { Decision, Facts } from '../decision.ts';
import { findFlips, type Outlook } from './find-flips.ts';

/** What rules make of facts, and what would turn it. */
export interface ExplainedDecision {
  readonly decision: Decision;
  readonly outlook: Outlook;
}

/** Takes some milliseconds for each fact that the rules read. */
export async function explainDecision(
  ruleSet: RuleSet,
  known: CataloguedFacts,
  facts: Facts,
): Promise<ExplainedDecision> {
  return { decision: await decide(ruleSet, facts), outlook: await findFlips(ruleSet, known, facts) };
}
