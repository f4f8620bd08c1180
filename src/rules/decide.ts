import type { RuleSet } from './compile.ts';
import type { Decision, Facts, Outcome } from './decision.ts';
import { factValue } from './kleene.ts';
import { LedgerPlanner, writeLedger } from './ledger.ts';
import { reachVerdict, type Verdict } from './verdict.ts';

/**
 * Decides on facts with json-rules-engine alone. A function of its two arguments: no clock, no randomness,
 * no memory between calls. `MemoizedDecider` says the same, faster; this is what it is held to.
 */
export async function decide(ruleSet: RuleSet, facts: Facts): Promise<Decision> {
  return accountFor(ruleSet, await reachVerdict(ruleSet, facts), facts);
}

/** A verdict with the ledger of these facts. */
export function accountFor(ruleSet: RuleSet, verdict: Verdict, facts: Facts): Decision {
  const { forces, points, shadows, level, deciders } = verdict;
  const quoted = [...forces, ...points, ...shadows, ...(level ? [level] : []), ...deciders];
  const order = [...new Set(quoted.flatMap(({ reads }) => reads))].filter((id) => id in facts);
  const plan = new LedgerPlanner(ruleSet, order).plan(verdict);
  const row = order.map((id) => factValue(id, facts));
  return { ...outcomeOf(ruleSet, verdict), ledger: writeLedger(plan, row) };
}

/** A verdict without a ledger. */
export function outcomeOf({ hash }: RuleSet, { tally, level, action }: Verdict): Outcome {
  return { score: tally.score, level: level?.level ?? 'low', action, ruleset: hash };
}
