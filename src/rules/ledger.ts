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

type Quoting = Extract<LedgerEntry, { saw: Facts }>;
/** An entry that quotes facts, without them; distributed over the kinds, so that each keeps its own members. */
type Unquoted = Quoting extends infer Entry ? (Entry extends Quoting ? Omit<Entry, 'saw'> : never) : never;

/**
 * One entry of the ledgers that are written for a verdict. Most decisions see what the one before saw, and an object with names
 * that are known only at run time is the dearest part of a ledger: so it is made anew only where a fact is another than last time.
 */
export class PlannedEntry {
  /** What was written last; before the first time, with names without values. */
  #entry: LedgerEntry;
  readonly #quoted: readonly string[];
  readonly #places: readonly number[];
  /** Of the facts quoted last; undefined before the first time. */
  readonly #values: (Facts[string] | undefined)[];

  /** `entry` names all that it saw, in order; the values of `quoted` stand in a row at `places`. */
  constructor(entry: LedgerEntry, quoted: readonly string[] = [], places: readonly number[] = []) {
    this.#entry = entry;
    this.#quoted = quoted;
    this.#places = places;
    this.#values = quoted.map(() => undefined);
  }

  /** The same object as last time where it says the same. */
  of(row: Row): LedgerEntry {
    const [places, values] = [this.#places, this.#values];
    for (let n = 0; n < places.length; n += 1) {
      if (row[places[n] as number] !== values[n]) return this.#anew(row);
    }
    return this.#entry;
  }

  #anew(row: Row): LedgerEntry {
    const entry = this.#entry as Quoting;
    // Copied and written over: faster than to add the names one by one; of many shapes, a spread takes twice as long.
    const saw: Record<string, Facts[string]> = Object.assign({}, entry.saw);
    this.#quoted.forEach((id, n) => {
      const value = row[this.#places[n] as number] as Facts[string];
      this.#values[n] = value;
      saw[id] = value;
    });
    this.#entry = { ...entry, saw };
    return this.#entry;
  }
}

/** How a verdict is accounted for: entries in the order of `LedgerEntry`, whose points sum to the score. */
export type LedgerPlan = readonly PlannedEntry[];

/** The account of a decision on the facts of a row. Its entries may be those of another decision that saw the same. */
export function writeLedger(plan: LedgerPlan, row: Row): readonly LedgerEntry[] {
  return plan.map((entry) => entry.of(row));
}

/** `order`: the facts in the rows that the ledgers will be written from, all that the rules read. */
export function planLedger(
  { thresholdFacts }: Pick<RuleSet, 'thresholdFacts'>,
  order: readonly string[],
  { forces, points, shadows, tally, stoodAside, level, deciders, action }: Verdict,
): LedgerPlan {
  const constants: Facts = { ...thresholdFacts, [RISK_SCORE]: tally.score };
  const fixed = (entry: LedgerEntry) => new PlannedEntry(entry);
  const quoting = ({ reads }: CompiledRule, entry: Unquoted) => {
    const saw = Object.fromEntries(reads.map((id) => [id, constants[id] ?? null]));
    const quoted = reads.filter((id) => !(id in constants));
    const places = quoted.map((id) => order.indexOf(id));
    return new PlannedEntry({ ...entry, saw }, quoted, places);
  };
  const scoreAlone = { [RISK_SCORE]: tally.score };
  return [
    ...forces.map((rule) => quoting(rule, { kind: 'force', points: 0, id: rule.id, action: rule.action })),
    ...points.map((rule) =>
      quoting(rule, { kind: 'rule', points: rule.points, id: rule.id, group: rule.group }),
    ),
    ...tally.absorbed.map(({ id, by, points }) => fixed({ kind: 'absorbed', points, id, by })),
    ...tally.caps.map(({ group, points, maxScore }) =>
      fixed({ kind: 'cap', points, group, max_score: maxScore }),
    ),
    ...(tally.bound === 0 ? [] : [fixed({ kind: 'bound', points: tally.bound, min: 0, max: 100 })]),
    ...stoodAside.map(({ id, unknown }) => fixed({ kind: 'stood_aside', points: 0, id, unknown })),
    ...shadows.map((rule) =>
      quoting(rule, { kind: 'shadow', points: 0, id: rule.id, would_add: rule.points }),
    ),
    level
      ? quoting(level, { kind: 'level', points: 0, id: level.id, level: level.level })
      : fixed({ kind: 'level', points: 0, id: null, level: 'low', saw: scoreAlone }),
    // Every entry states the action of the decision: the force that set it, or each rule that did.
    ...deciders.map((rule) => quoting(rule, { kind: 'action', points: 0, id: rule.id, action })),
    ...(deciders.length === 0
      ? [fixed({ kind: 'action', points: 0, id: null, action, saw: scoreAlone })]
      : []),
  ];
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
