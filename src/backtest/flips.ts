import type { RuleSet } from '../rules/compile.ts';
import { accountFor } from '../rules/decide.ts';
import type { Action, Facts, LedgerEntry } from '../rules/decision.ts';
import { reachVerdict } from '../rules/verdict.ts';
import type { Case } from './case.ts';
import type { BySide, FlipExample, FlipGroup, Flips } from './report.ts';
import { type Cell, countWhere, totalOf } from './tally.ts';

/** The cases whose action becomes this one, in groups that flip for the same reason, with the ledgers of some. */
export async function findFlips(
  cells: readonly Cell[],
  action: Action,
  ruleSets: BySide<RuleSet>,
): Promise<Flips> {
  const flipped = cells.filter(
    ({ base, candidate }) => base.action !== action && candidate.action === action,
  );
  // A stable sort: groups of one size stay in the order in which they were met.
  const bySize = flipped.toSorted((a, b) => totalOf(b.counts) - totalOf(a.counts));
  return {
    counts: countWhere(flipped, () => true),
    groups: await Promise.all(bySize.map((cell) => describeGroup(cell, ruleSets))),
  };
}

async function describeGroup(
  { base, candidate, counts, examples }: Cell,
  ruleSets: BySide<RuleSet>,
): Promise<FlipGroup> {
  return {
    counts,
    score: { base: base.score, candidate: candidate.score },
    fired: {
      only_base: base.fired.filter((id) => !candidate.fired.includes(id)),
      only_candidate: candidate.fired.filter((id) => !base.fired.includes(id)),
    },
    examples: await Promise.all(examples.map((example) => describeExample(example, ruleSets))),
  };
}

async function describeExample(example: Case, ruleSets: BySide<RuleSet>): Promise<FlipExample> {
  const { id, createdAt, domain, label, facts, candidateFacts } = example;
  return {
    id,
    created_at: createdAt,
    domain,
    label,
    ledger: {
      base: await ledgerOf(ruleSets.base, facts),
      candidate: await ledgerOf(ruleSets.candidate, candidateFacts),
    },
  };
}

async function ledgerOf(ruleSet: RuleSet, facts: Facts): Promise<readonly LedgerEntry[]> {
  return accountFor(ruleSet, await reachVerdict(ruleSet, facts), facts).ledger;
}
