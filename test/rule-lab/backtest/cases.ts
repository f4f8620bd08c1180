import type { Case } from '../../../src/rule-lab/backtest/case.ts';
import {
  type BacktestFindings,
  type BacktestInputs,
  runBacktest,
} from '../../../src/rule-lab/backtest/run-backtest.ts';
import type { Facts } from '../../../src/rules/decision.ts';
import { ordinaryFacts } from '../../../src/rules/described-facts.ts';
import { catalogue } from '../../rules/catalogue.ts';

/** A case with these facts; the others are ordinary. */
export function caseOf(id: string, facts: Facts, fields: Partial<Case> = {}): Case {
  const all = { ...ordinaryFacts(catalogue), ...facts };
  return {
    id,
    createdAt: null,
    domain: null,
    label: null,
    facts: all,
    candidateFacts: all,
    recorded: null,
    ...fields,
  };
}

/** In batches of three, so that there is more than one. */
export async function* inBatches(cases: readonly Case[]): AsyncGenerator<readonly Case[]> {
  for (let from = 0; from < cases.length; from += 3) yield cases.slice(from, from + 3);
}

export function backtest(
  ruleSets: BacktestInputs['ruleSets'],
  cases: readonly Case[],
  options: Partial<BacktestInputs> = {},
): Promise<BacktestFindings> {
  return runBacktest({ ruleSets, cases: inBatches(cases), examples: 2, costRatio: 1, ...options });
}
