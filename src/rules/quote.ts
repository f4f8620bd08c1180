import type { Facts } from './decision.ts';

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
