import type { Label } from '../../labels/label.ts';
import type { Case, Counts } from './case.ts';
import type { Outcome, OutcomePair } from './judge.ts';

/** The cases of which the rules in force made one thing and the candidate another (or the same). */
export interface Cell {
  readonly base: Outcome;
  readonly candidate: Outcome;
  readonly counts: Counts;
  /** Of those that flip the first few, as they came. */
  readonly examples: readonly Case[];
  /** ISO 8601, UTC: when the latest of them was; null where it is not known. */
  last: string | null;
}

/**
 * What a report is made of: no case is kept but a few that flip, so a million take no more memory than a thousand that come to as
 * many different outcomes. Every figure is a function of what both sets made of a case and of its label.
 */
export class Tally {
  readonly #examplesPerCell: number;
  readonly #cells = new Map<OutcomePair, Cell & { readonly examples: Case[] }>();
  readonly all: Counts = noCounts();
  /** Answered BLOCK then, and unlabelled: a signup that was turned away has no outcome. */
  censored = 0;
  /** Of the cases that the rules in force had decided already, how many come out otherwise now. */
  readonly replayed = { same: 0, differing: 0 };
  first: string | null = null;
  last: string | null = null;

  constructor(examplesPerCell: number) {
    this.#examplesPerCell = examplesPerCell;
  }

  /** `ruleset` is the hash of the rules in force. */
  add(one: Case, pair: OutcomePair, ruleset: string): void {
    const { label, createdAt, recorded } = one;
    const { base } = pair;
    const cell = this.#cellOf(pair);
    count(cell.counts, label);
    count(this.all, label);
    const isFlip = base.action !== pair.candidate.action;
    if (isFlip && cell.examples.length < this.#examplesPerCell) cell.examples.push(one);
    if (createdAt !== null) {
      this.#extend(createdAt);
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

  #cellOf(pair: OutcomePair): Cell & { readonly examples: Case[] } {
    let cell = this.#cells.get(pair);
    if (cell === undefined) {
      cell = { ...pair, counts: noCounts(), examples: [], last: null };
      this.#cells.set(pair, cell);
    }
    return cell;
  }

  #extend(instant: string): void {
    if (this.first === null || instant < this.first) this.first = instant;
    if (this.last === null || instant > this.last) this.last = instant;
  }
}

export function noCounts(): Counts {
  return { good: 0, bad: 0, unlabelled: 0 };
}

export function totalOf({ good, bad, unlabelled }: Counts): number {
  return good + bad + unlabelled;
}

/** The sum of what the cells hold of which something is true. */
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

function count(counts: Counts, label: Label | null): void {
  counts[label ?? 'unlabelled'] += 1;
}
