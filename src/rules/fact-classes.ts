import type { Facts } from './decision.ts';
import type { RightSide } from './operators.ts';

type Value = Facts[string];

/** Null, false and true. */
const PLAIN = 3;

/**
 * Sorts the values of one fact into classes that no comparison with these constants tells apart: unknown, false and true, each
 * constant by itself, the words that are none, and the numbers between two neighbours. Exact for every operator, since all
 * that an operator does is compare.
 */
export class FactClasses {
  /** How many there are; they are numbered from 0. */
  readonly size: number;
  /** Ascending. */
  readonly #numbers: readonly number[];
  readonly #words: ReadonlyMap<string, number>;
  readonly #otherWord: number;
  /** A number that is none compares with nothing. */
  readonly #notANumber: number;

  /** `constants`: what stands on the right of the fact's comparisons. */
  constructor(constants: readonly RightSide[]) {
    const all = constants.flatMap((constant) => (Array.isArray(constant) ? constant : [constant]));
    this.#numbers = [...new Set(all.filter((constant) => typeof constant === 'number'))].sort(
      (a, b) => a - b,
    );
    const words = [...new Set(all.filter((constant) => typeof constant === 'string'))];
    // Below, at and above each: one more than twice as many.
    this.#notANumber = PLAIN + 2 * this.#numbers.length + 1;
    this.#otherWord = this.#notANumber + 1;
    this.#words = new Map(words.map((word, index) => [word, this.#otherWord + 1 + index]));
    this.size = this.#otherWord + 1 + words.length;
  }

  classOf(value: Value): number {
    if (value === null) return 0;
    if (typeof value === 'boolean') return value ? 2 : 1;
    if (typeof value === 'string') return this.#words.get(value) ?? this.#otherWord;
    return this.#classOfNumber(value);
  }

  #classOfNumber(value: number): number {
    const numbers = this.#numbers;
    let place = 0;
    // A fact is compared with a few numbers: halving would cost more than looking at each.
    for (; place < numbers.length; place += 1) {
      const constant = numbers[place] as number;
      if (value < constant) return PLAIN + 2 * place;
      if (value === constant) return PLAIN + 2 * place + 1;
    }
    return Number.isNaN(value) ? this.#notANumber : PLAIN + 2 * place;
  }
}
