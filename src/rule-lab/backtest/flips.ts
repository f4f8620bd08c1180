import type { RuleSet } from '../../rules/compile.ts';
import { accountFor } from '../../rules/decide.ts';
import type { Action, Facts, LedgerEntry } from '../../rules/decision.ts';
import { reachVerdict } from '../../rules/verdict.ts';
import type { Case } from './case.ts';
import type { BySide, FlipExample, FlipGroup, Flips, Side } from './report.ts';
import { type Cell, countWhere, totalOf } from './tally.ts';

/** The cases whose action becomes this one, in groups that flip for the same reason, with the ledgers of some. */
export async function findFlips(cells: readonly Cell[], action: Action, ledgers: Ledgers): Promise<Flips> {
  const flipped = cells.filter(
    ({ base, candidate }) => base.action !== action && candidate.action === action,
  );
  // A stable sort: groups of one size stay in the order in which they were met.
  const bySize = flipped.toSorted((a, b) => totalOf(b.counts) - totalOf(a.counts));
  return {
    counts: countWhere(flipped, () => true),
    groups: await Promise.all(bySize.map((cell) => describeGroup(cell, ledgers))),
  };
}

async function describeGroup(
  { base, candidate, counts, examples }: Cell,
  ledgers: Ledgers,
): Promise<FlipGroup> {
  return {
    counts,
    score: { base: base.score, candidate: candidate.score },
    fired: {
      only_base: base.fired.filter((id) => !candidate.fired.includes(id)),
      only_candidate: candidate.fired.filter((id) => !base.fired.includes(id)),
    },
    examples: await Promise.all(examples.map((example) => describeExample(example, ledgers))),
  };
}

async function describeExample(example: Case, ledgers: Ledgers): Promise<FlipExample> {
  const { id, createdAt, domain, label, facts, candidateFacts } = example;
  return {
    id,
    created_at: createdAt,
    domain,
    label,
    ledger: {
      base: await ledgers.of('base', facts),
      candidate: await ledgers.of('candidate', candidateFacts),
    },
  };
}

/** Writes the ledgers of single cases, as either set would have. */
export class Ledgers {
  readonly #ruleSets: BySide<RuleSet>;
  readonly #complete: (facts: Facts) => Facts;

  /** `complete` makes unknown what is missing. */
  constructor(ruleSets: BySide<RuleSet>, complete: (facts: Facts) => Facts) {
    this.#ruleSets = ruleSets;
    this.#complete = complete;
  }

  async of(side: Side, given: Facts): Promise<readonly LedgerEntry[]> {
    const [ruleSet, facts] = [this.#ruleSets[side], this.#complete(given)];
    return accountFor(ruleSet, await reachVerdict(ruleSet, facts), facts).ledger;
  }
}
