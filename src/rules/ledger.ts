import type { Action, Facts, LedgerEntry } from './decision.ts';
import { RISK_SCORE } from './definitions.ts';
import type { CompiledForce, CompiledLevel, CompiledPoints, CompiledRule, RuleSet } from './rule-set.ts';
import type { Tally } from './score.ts';

/** A rule that unknown facts left open, and which. */
export interface StoodAside {
  readonly id: string;
  readonly unknown: readonly string[];
}

/**
 * All of a decision but the values that its ledger quotes: a function of the rule set, of which comparisons
 * hold, and of which facts are unknown. Lists of rules are sorted by id.
 */
export interface Verdict {
  readonly forces: readonly CompiledForce[];
  readonly points: readonly CompiledPoints[];
  readonly shadows: readonly CompiledPoints[];
  readonly tally: Tally;
  readonly stoodAside: readonly StoodAside[];
  /** The rule that gave the level; undefined when none fired. */
  readonly level: CompiledLevel | undefined;
  /** The rules that gave the action; none when it is ALLOW because nothing fired. */
  readonly deciders: readonly CompiledRule[];
  readonly action: Action;
}

/** The values of some facts, in an order that both sides know. */
export type Row = readonly Facts[string][];

/**
 * The facts that some rules read, as their entries in a ledger quote them. Many rules read the same, most signals are true or
 * false, and most decisions see the same of them: so one object stands in all these entries, and is made anew only where
 * a fact is another than last time. An object with names that are known only at run time is the dearest part of a ledger.
 */
export class Quote {
  readonly #reads: readonly string[];
  readonly #places: readonly number[];
  /** What `#saw` has of `#reads`; undefined before the first time. */
  readonly #values: (Facts[string] | undefined)[];
  #saw: Facts;

  /** `saw` names all facts in order, those of `reads` too, whose values stand in a row at `places`. */
  constructor(saw: Facts, reads: readonly string[], places: readonly number[]) {
    this.#saw = saw;
    this.#reads = reads;
    this.#places = places;
    this.#values = reads.map(() => undefined);
  }

  /** What `of` gave the last time; before the first, names without values. */
  get last(): Facts {
    return this.#saw;
  }

  /** The same object as last time where the row has the same. */
  of(row: Row): Facts {
    const [places, values] = [this.#places, this.#values];
    for (let n = 0; n < places.length; n += 1) {
      if (row[places[n] as number] !== values[n]) return this.#anew(row, n);
    }
    return this.#saw;
  }

  /** `from`: the first that is another than last time. */
  #anew(row: Row, from: number): Facts {
    const [reads, places, values] = [this.#reads, this.#places, this.#values];
    // Copied and written over: faster than to add the names one by one; of many shapes, a spread takes twice as long.
    const saw: Record<string, Facts[string]> = Object.assign({}, this.#saw);
    for (let n = from; n < places.length; n += 1) {
      const value = row[places[n] as number] as Facts[string];
      if (value === values[n]) continue;
      values[n] = value;
      saw[reads[n] as string] = value;
    }
    this.#saw = saw;
    return saw;
  }
}

type Quoting = Extract<LedgerEntry, { saw: Facts }>;
/** An entry that quotes facts, without them; distributed over the kinds, so that each keeps its own members. */
type Unquoted = Quoting extends infer Entry ? (Entry extends Quoting ? Omit<Entry, 'saw'> : never) : never;

/** One entry of the ledgers that are written for a verdict. */
export class PlannedEntry {
  readonly #quote: Quote | null;
  #entry: LedgerEntry;

  private constructor(entry: LedgerEntry, quote: Quote | null) {
    this.#entry = entry;
    this.#quote = quote;
  }

  /** Says the same whatever the facts are. */
  static fixed(entry: LedgerEntry): PlannedEntry {
    return new PlannedEntry(entry, null);
  }

  static quoting(entry: Unquoted, quote: Quote): PlannedEntry {
    return new PlannedEntry({ ...entry, saw: quote.last }, quote);
  }

  /** The same object as last time where it says the same. */
  of(row: Row): LedgerEntry {
    if (this.#quote === null) return this.#entry;
    const saw = this.#quote.of(row);
    const entry = this.#entry as Quoting;
    if (saw !== entry.saw) this.#entry = { ...entry, saw };
    return this.#entry;
  }
}

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

/** What an entry of a ledger rests on, in the words of every account: `domain.has_mx=false`, `replaced by no_mail`. */
export function describeEntry(entry: LedgerEntry): string {
  switch (entry.kind) {
    case 'rule':
      return describeValues(entry.saw);
    case 'force':
    case 'action':
      return because(entry.action, entry.saw);
    case 'level':
      return because(entry.level, entry.saw);
    case 'absorbed':
      return `replaced by ${entry.by}`;
    case 'cap':
      return `the group counts up to ${entry.max_score}`;
    case 'bound':
      return `kept within ${entry.min} to ${entry.max}`;
    case 'stood_aside':
      return `unknown: ${entry.unknown.join(', ')}`;
    case 'shadow':
      return `would add ${entry.would_add > 0 ? '+' : ''}${entry.would_add}: ${describeValues(entry.saw)}`;
  }
}

function because(outcome: string, saw: Facts): string {
  const facts = describeValues(saw);
  return facts === '' ? outcome : `${outcome}: ${facts}`;
}

/** `domain.has_mx=false, mx.outcome=nxdomain` */
export function describeValues(facts: Facts): string {
  return Object.entries(facts)
    .map(([id, value]) => `${id}=${value ?? 'unknown'}`)
    .join(', ');
}
