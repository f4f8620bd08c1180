import type { CompiledRule, RuleSet } from './compile.ts';
import type { Facts, LedgerEntry } from './decision.ts';
import { RISK_SCORE } from './definitions.ts';
import { PlannedEntry, type Unquoted } from './planned-entry.ts';
import { Quote, type Row } from './quote.ts';
import type { Verdict } from './verdict.ts';

/** How a verdict is accounted for: entries in the order of `LedgerEntry`, whose points sum to the score. */
export type LedgerPlan = readonly PlannedEntry[];

/** The account of a decision on the facts of a row. Its entries may be those of another decision that saw the same. */
export function writeLedger(plan: LedgerPlan, row: Row): readonly LedgerEntry[] {
  const ledger = new Array<LedgerEntry>(plan.length);
  for (let place = 0; place < plan.length; place += 1) {
    ledger[place] = (plan[place] as PlannedEntry).of(row);
  }
  return ledger;
}

/** Plans the ledgers of one rule set; what a rule says is planned once, for all verdicts that it is part of. */
export class LedgerPlanner {
  readonly #thresholds: Facts;
  readonly #order: readonly string[];
  readonly #byRule = new Map<CompiledRule, PlannedEntry>();
  /** By the names of the facts and the constants among them. */
  readonly #byFacts = new Map<string, Quote>();

  /** `order`: the facts in the rows that the ledgers will be written from, all that the rules read. */
  constructor({ thresholdFacts }: Pick<RuleSet, 'thresholdFacts'>, order: readonly string[]) {
    this.#thresholds = thresholdFacts;
    this.#order = order;
  }

  plan(verdict: Verdict): LedgerPlan {
    const { tally, action, level } = verdict;
    const scoreAlone = { [RISK_SCORE]: tally.score };
    return [
      ...verdict.forces.map((rule) =>
        this.#once(rule, { kind: 'force', points: 0, id: rule.id, action: rule.action }),
      ),
      ...verdict.points.map((rule) =>
        this.#once(rule, { kind: 'rule', points: rule.points, id: rule.id, group: rule.group }),
      ),
      ...tally.absorbed.map(({ id, by, points }) => PlannedEntry.fixed({ kind: 'absorbed', points, id, by })),
      ...tally.caps.map(({ group, points, maxScore }) =>
        PlannedEntry.fixed({ kind: 'cap', points, group, max_score: maxScore }),
      ),
      ...(tally.bound === 0
        ? []
        : [PlannedEntry.fixed({ kind: 'bound', points: tally.bound, min: 0, max: 100 })]),
      ...verdict.stoodAside.map(({ id, unknown }) =>
        PlannedEntry.fixed({ kind: 'stood_aside', points: 0, id, unknown }),
      ),
      ...verdict.shadows.map((rule) =>
        this.#once(rule, { kind: 'shadow', points: 0, id: rule.id, would_add: rule.points }),
      ),
      level
        ? this.#quoting(level, { kind: 'level', points: 0, id: level.id, level: level.level }, tally.score)
        : PlannedEntry.fixed({ kind: 'level', points: 0, id: null, level: 'low', saw: scoreAlone }),
      // Every entry states the action of the decision: the force that set it, or each rule that did.
      ...verdict.deciders.map((rule) =>
        this.#quoting(rule, { kind: 'action', points: 0, id: rule.id, action }, tally.score),
      ),
      ...(verdict.deciders.length === 0
        ? [PlannedEntry.fixed({ kind: 'action', points: 0, id: null, action, saw: scoreAlone })]
        : []),
    ];
  }

  /** For rules that cannot read the score: their entry is the same in all verdicts. */
  #once(rule: CompiledRule, entry: Unquoted): PlannedEntry {
    const planned = this.#byRule.get(rule) ?? this.#quoting(rule, entry, null);
    this.#byRule.set(rule, planned);
    return planned;
  }

  #quoting({ reads }: CompiledRule, entry: Unquoted, score: number | null): PlannedEntry {
    return PlannedEntry.quoting(entry, this.#quote(reads, score));
  }

  #quote(reads: readonly string[], score: number | null): Quote {
    const constants: Facts = { ...this.#thresholds, [RISK_SCORE]: score };
    const saw = Object.fromEntries(reads.map((id) => [id, constants[id] ?? null]));
    const key = JSON.stringify(saw);
    const known = this.#byFacts.get(key);
    if (known !== undefined) return known;
    const quoted = reads.filter((id) => !(id in constants));
    const places = quoted.map((id) => this.#order.indexOf(id));
    const quote = new Quote(saw, quoted, places);
    this.#byFacts.set(key, quote);
    return quote;
  }
}
