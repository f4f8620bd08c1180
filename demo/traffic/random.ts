import { createHash } from 'node:crypto';

/** Choices that are the same in every run of the same seed. Each stream is drawn from by one part alone. */
export class Random {
  readonly #seed: string;
  #state: number;

  constructor(seed: string) {
    this.#seed = seed;
    this.#state = createHash('sha256').update(seed).digest().readInt32LE();
  }

  /** A stream of its own: what is drawn from it changes nothing here. */
  stream(name: string): Random {
    return new Random(`${this.#seed} ${name}`);
  }

  /** From 0 to 1, 1 excluded (mulberry32, public domain). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  isOnce(chance: number): boolean {
    return this.next() < chance;
  }

  pick<T>(from: readonly T[]): T {
    const one = from[this.below(from.length)];
    if (one === undefined) throw new Error('there is nothing to pick from');
    return one;
  }

  /** Each choice is as likely as its weight says. */
  weigh<T>(choices: readonly (readonly [choice: T, weight: number])[]): T {
    let left = this.next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [choice, weight] of choices) {
      left -= weight;
      if (left < 0) return choice;
    }
    return this.pick(choices)[0];
  }

  /** A whole number that is on average `mean`, however small that is. */
  about(mean: number): number {
    const spread = mean * (0.85 + 0.3 * this.next());
    return Math.floor(spread) + (this.isOnce(spread % 1) ? 1 : 0);
  }

  /** Mostly near `median`, seldom many times as much: how long things take. */
  skewed(median: number, spread = 0.5): number {
    // Box and Muller: two even draws to one normal one.
    const normal = Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
    return median * Math.exp(spread * normal);
  }
}
