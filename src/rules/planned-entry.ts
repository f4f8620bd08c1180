import type { Facts, LedgerEntry } from './decision.ts';
import type { Quote, Row } from './quote.ts';

type Quoting = Extract<LedgerEntry, { saw: Facts }>;
/** An entry that quotes facts, without them; distributed over the kinds, so that each keeps its own members. */
export type Unquoted = Quoting extends infer Entry
  ? Entry extends Quoting
    ? Omit<Entry, 'saw'>
    : never
  : never;

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
