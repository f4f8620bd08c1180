import type { Facts, LedgerEntry } from './decision.ts';

/** The values of some facts, in an order that both sides know. */
export type Row = readonly Facts[string][];

/**
 * One entry of a ledger and the facts that it quotes. Most signals are true or false and most decisions see the same of them,
 * so the entry is made anew only where a quoted fact is another than last time: an object with names that are known
 * only at run time is the dearest part of a ledger.
 */
export class QuotedEntry {
  readonly #reads: readonly string[];
  readonly #places: readonly number[];
  /** What `#entry` quotes of `#reads`; undefined before the first time. */
  readonly #values: (Facts[string] | undefined)[];
  #entry: LedgerEntry;

  /**
   * `entry` has all but the values of `reads`, which stand in a row at `places`; its `saw` names them already, in order.
   */
  constructor(entry: LedgerEntry, reads: readonly string[] = [], places: readonly number[] = []) {
    this.#entry = entry;
    this.#reads = reads;
    this.#places = places;
    this.#values = reads.map(() => undefined);
  }

  of(row: Row): LedgerEntry {
    const [places, values] = [this.#places, this.#values];
    for (let n = 0; n < places.length; n += 1) {
      if (row[places[n] as number] !== values[n]) return this.#quote(row, n);
    }
    return this.#entry;
  }

  /** `from`: the first that is another than last time. */
  #quote(row: Row, from: number): LedgerEntry {
    const entry = this.#entry;
    if (!('saw' in entry)) return entry;
    const [reads, places, values] = [this.#reads, this.#places, this.#values];
    // Copied and written over: faster than to add the names one by one.
    const saw: Record<string, Facts[string]> = { ...entry.saw };
    for (let n = from; n < places.length; n += 1) {
      const value = row[places[n] as number] as Facts[string];
      if (value === values[n]) continue;
      values[n] = value;
      saw[reads[n] as string] = value;
    }
    this.#entry = { ...entry, saw };
    return this.#entry;
  }
}
