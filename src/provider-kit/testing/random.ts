/**
 * A seeded random generator: the same seed and stream give the same draws on every machine. SplitMix32
 * (the 32-bit form of Steele, Lea and Flood's SplitMix, OOPSLA 2014): one addition and two multiplications a draw.
 */
export class Random {
  #state: number;

  /** One stream for each case: a case can be drawn again without drawing all cases before it. */
  constructor(seed: number, stream: number) {
    this.#state = Math.imul(seed ^ 0x5eed_5eed, 0x9e37_79b1) ^ Math.imul(stream + 1, 0x85eb_ca6b);
    this.#next();
  }

  #next(): number {
    this.#state = (this.#state + 0x9e37_79b9) | 0;
    let mixed = this.#state ^ (this.#state >>> 16);
    mixed = Math.imul(mixed, 0x21f0_aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a_2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  }

  /** From 0 to below `end`. */
  below(end: number): number {
    return Math.floor((this.#next() / 2 ** 32) * end);
  }

  /** Both ends included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  pick<T>(list: readonly T[]): T {
    const chosen = list[this.below(list.length)];
    if (chosen === undefined) throw new RangeError('nothing to pick from');
    return chosen;
  }

  /** Each entry as often as its weight says. */
  weigh<T>(entries: readonly (readonly [weight: number, value: T])[]): T {
    let rest = this.below(entries.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, value] of entries) {
      if (rest < weight) return value;
      rest -= weight;
    }
    throw new RangeError('nothing to pick from');
  }

  /** `least` to `most` pieces, joined. */
  some(least: number, most: number, piece: () => string): string {
    let text = '';
    for (let left = this.between(least, most); left > 0; left--) text += piece();
    return text;
  }
}
