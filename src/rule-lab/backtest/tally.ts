import type { Case } from './case.ts';
import type { Outcome, OutcomePair } from './judge.ts';

/** The cases with one outcome under the rules in force and one, the same or another, under the candidate. */
export interface Cell {
  readonly base: Outcome;
  readonly candidate: Outcome;
  readonly counts: Counts;
  /** The first few cases, where the cell is a flip; else none. */
  readonly examples: readonly Case[];
  /** ISO 8601, UTC: when the latest of them was; null where it is not known. */
  last: string | null;
}

/**
 * All that a report is computed from. Only a few flipped cases are kept, so memory grows with the number of different outcomes, not with
 * the number of cases. Every figure is a function of the outcomes of a case under both sets and of its label.
 */
export class Tally {
  readonly #cells = new Map<OutcomePair, Cell & { readonly examples: Case[] }>();
  readonly all: Counts = noCounts();
  /** Answered BLOCK then, and unlabelled: a signup that was turned away has no outcome. */
  censored = 0;
  /** Cases that the rules in force had decided already: how many come out the same now, and how many otherwise. */
  readonly replayed = { same: 0, differing: 0 };
  first: string | null = null;
  last: string | null = null;

  constructor(private readonly examplesPerCell: number) {}

  /** `ruleset` is the hash of the rules in force. */
  add(one: Case, pair: OutcomePair, ruleset: string): void {
    const { label, createdAt, recorded } = one;
    const { base } = pair;
    const cell = this.#cells.get(pair) ?? { ...pair, counts: noCounts(), examples: [], last: null };
    this.#cells.set(pair, cell);
    cell.counts[label ?? 'unlabelled'] += 1;
    this.all[label ?? 'unlabelled'] += 1;
    const isFlip = base.action !== pair.candidate.action;
    if (isFlip && cell.examples.length < this.examplesPerCell) cell.examples.push(one);
    if (createdAt !== null) {
      extend(this, createdAt);
      if (cell.last === null || createdAt > cell.last) cell.last = createdAt;
    }
    if (recorded === null) return;
    if (recorded.action === 'BLOCK' && label === null) this.censored += 1;
    if (recorded.ruleset !== ruleset) return;
    const isSame =
      recorded.score === base.score && recorded.action === base.action && recorded.level === base.level;
    this.replayed[isSame ? 'same' : 'differing'] += 1;
  }

  get total(): number {
    return totalOf(this.all);
  }

  /** In the order in which they were first met. */
  get cells(): readonly Cell[] {
    return [...this.#cells.values()];
  }
}

/** ISO 8601, UTC: of the earliest and the latest case; null where none has a time. */
export interface Span {
  first: string | null;
  last: string | null;
}

export function extend(span: Span, instant: string): void {
  if (span.first === null || instant < span.first) span.first = instant;
  if (span.last === null || instant > span.last) span.last = instant;
}

export interface Counts {
  good: number;
  bad: number;
  unlabelled: number;
}

export function noCounts(): Counts {
  return { good: 0, bad: 0, unlabelled: 0 };
}

export function totalOf({ good, bad, unlabelled }: Counts): number {
  return good + bad + unlabelled;
}

export function countWhere(cells: readonly Cell[], isMeant: (cell: Cell) => boolean): Counts {
  const sum = noCounts();
  for (const cell of cells) if (isMeant(cell)) addCounts(sum, cell.counts);
  return sum;
}

export function addCounts(to: Counts, more: Counts): void {
  to.good += more.good;
  to.bad += more.bad;
  to.unlabelled += more.unlabelled;
}
