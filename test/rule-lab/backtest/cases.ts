import type { BySide, Case } from '../../../src/rule-lab/backtest/case.ts';
import type { BacktestReport } from '../../../src/rule-lab/backtest/run-backtest.ts';
import { type BacktestOrder, runBacktest } from '../../../src/rule-lab/backtest/run-backtest.ts';
import type { Facts } from '../../../src/rules/decision.ts';
import type { RuleDefinitions } from '../../../src/rules/definitions.ts';
import { ordinaryFacts } from '../../../src/rules/described-facts.ts';
import type { RuleSet } from '../../../src/rules/rule-set.ts';
import { catalogue } from '../../rules/catalogue.ts';

/** A case with these facts; the others are ordinary. */
export function caseOf(id: string, facts: Facts, fields: Partial<Case> = {}): Case {
  const all = { ...ordinaryFacts(catalogue), ...facts };
  return {
    id,
    createdAt: null,
    domain: null,
    addressHmac: null,
    label: null,
    facts: all,
    candidateFacts: all,
    recorded: null,
    ...fields,
  };
}

async function* oneByOne(cases: readonly Case[]): AsyncGenerator<Case> {
  yield* cases;
}

export function backtest(
  ruleSets: BySide<RuleSet>,
  cases: readonly Case[],
  options: Partial<BacktestOrder> = {},
): Promise<BacktestReport> {
  const setOf = (directory: string, ruleSet: RuleSet) => ({
    ...{ directory, ruleSet },
    definitions: {} as RuleDefinitions,
    toCome: [],
  });
  return runBacktest({
    sets: { base: setOf('rules', ruleSets.base), candidate: setOf('draft', ruleSets.candidate) },
    source: {
      kind: 'recorded',
      name: 'data/postern.db',
      cases: oneByOne(cases),
      caveats: () => [],
    },
    examples: 2,
    costRatio: 1,
    ...options,
  });
}
