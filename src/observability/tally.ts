/**
 * The numbers themselves. prom-client hashes the labels of every update, at 200 to 350 ns; a check makes two
 * dozen. Here an update is two look-ups and an addition, and prom-client reads the result when it is asked.
 */

/** A counter's series: the values of its labels, of which there are at most two, and the count. */
export class Tallies {
  readonly #counts = new Map<string, Map<string, { count: number }>>();

  add(first = '', second = '', count = 1): void {
    const inner = this.#counts.get(first);
    const tally = inner?.get(second);
    if (tally) tally.count += count;
    else if (inner) inner.set(second, { count });
    else this.#counts.set(first, new Map([[second, { count }]]));
  }

  *series(): Iterable<readonly [labels: readonly string[], count: number]> {
    for (const [first, inner] of this.#counts) {
      for (const [second, { count }] of inner) yield [[first, second], count];
    }
  }
}

/** Upper bounds in seconds: a local provider takes one to twenty microseconds, a look-up up to its deadline. */
export const BUCKETS = [
  1e-6, 2.5e-6, 5e-6, 1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 1e-2, 2.5e-2, 5e-2, 0.1,
  0.25, 0.5, 1, 2.5,
] as const;

/** How often a duration fell below each bound and above the one before. */
export class Distribution {
  /** One more than there are bounds: the last has none. */
  readonly counts: number[] = new Array<number>(BUCKETS.length + 1).fill(0);
  sumSeconds = 0;

  observe(ms: number): void {
    const seconds = ms / 1000;
    this.sumSeconds += seconds;
    let at = 0;
    while (at < BUCKETS.length && seconds > (BUCKETS[at] ?? 0)) at++;
    this.counts[at] = (this.counts[at] ?? 0) + 1;
  }
}

/** A histogram's series by the value of its one label. */
export class Distributions {
  readonly series = new Map<string, Distribution>();

  observe(label: string, ms: number): void {
    let distribution = this.series.get(label);
    if (!distribution) {
      distribution = new Distribution();
      this.series.set(label, distribution);
    }
    distribution.observe(ms);
  }
}
