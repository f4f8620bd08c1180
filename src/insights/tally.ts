/**
 * What is counted of checks. Each series counts by a key; of those with two words the words are parted by a space, which no
 * id, level or reason has in it.
 */
export const SERIES = [
  /** `BLOCK high`. This and all below, up to `keys`, are of live checks. */
  'decisions',
  /** `75 BLOCK` */
  'scores',
  /** Microseconds, rounded; of checks whose record says how long they took. */
  'durations',
  /** `mx timeout`: checks in which the provider left a fact unknown for that reason. */
  'unknown',
  /** By provider: checks in which it left any fact unknown. */
  'unknown_checks',
  /** By rule: checks in which it fired. */
  'fires',
  /** By rule: of those, the ones that were answered BLOCK. */
  'blocks',
  /** By rule: the points it added, less what another rule absorbed; may be below 0. */
  'points',
  /** By rule: checks in which unknown facts made it stand aside. */
  'stood_aside',
  'domains',
  /** By domain: checks that were answered BLOCK. */
  'blocked_domains',
  /** By key, live or test: its checks. */
  'keys',
  /** `checks`: those of test keys. */
  'test',
] as const;
export type Series = (typeof SERIES)[number];

type Counts = Readonly<Record<string, number>>;

/** A tally as it is stored: by series, by key. */
export type WrittenTally = Partial<Record<Series, Counts>> & {
  /** By provider: how often it took how many microseconds, rounded. Each check that asked it counts once. */
  readonly timings?: Readonly<Record<string, Counts>>;
  readonly last_used?: Readonly<Record<string, string>>;
};

/** Counters of some checks. Two tallies of different checks add up to the tally of both: there is nothing else in it. */
export class Tally {
  readonly #series = new Map<Series, Map<string, number>>(SERIES.map((name) => [name, new Map()]));
  readonly #timings = new Map<string, Map<number, number>>();
  readonly #lastUsed = new Map<string, string>();

  /** By provider: how often it took how many microseconds, rounded. */
  get timings(): ReadonlyMap<string, ReadonlyMap<number, number>> {
    return this.#timings;
  }

  /** By key: when its last check was, in ISO 8601. */
  get lastUsed(): ReadonlyMap<string, string> {
    return this.#lastUsed;
  }

  of(series: Series): ReadonlyMap<string, number> {
    return this.#counters(series);
  }

  add(series: Series, key: string, count = 1): void {
    const counters = this.#counters(series);
    counters.set(key, (counters.get(key) ?? 0) + count);
  }

  /** Hot: a check has twenty of them. */
  time(provider: string, us: number, count = 1): void {
    let counters = this.#timings.get(provider);
    if (counters === undefined) {
      counters = new Map();
      this.#timings.set(provider, counters);
    }
    counters.set(us, (counters.get(us) ?? 0) + count);
  }

  use(key: string, at: string): void {
    const before = this.#lastUsed.get(key);
    if (before === undefined || before < at) this.#lastUsed.set(key, at);
  }

  merge(written: WrittenTally): void {
    this.mergeSeries(written, SERIES);
    for (const [provider, counts] of Object.entries(written.timings ?? {})) {
      for (const us of Object.keys(counts)) this.time(provider, Number(us), counts[us]);
    }
    for (const [key, at] of Object.entries(written.last_used ?? {})) this.use(key, at);
  }

  mergeSeries(written: WrittenTally, wanted: readonly Series[]): void {
    for (const series of wanted) {
      const more = written[series];
      if (more === undefined) continue;
      for (const key of Object.keys(more)) this.add(series, key, more[key] ?? 0);
    }
  }

  /** Only what was counted. */
  write(): WrittenTally {
    const counted = [...this.#series].filter(([, counters]) => counters.size > 0);
    return {
      ...Object.fromEntries(counted.map(([series, counters]) => [series, Object.fromEntries(counters)])),
      ...(this.#timings.size > 0 && {
        timings: Object.fromEntries(
          [...this.#timings].map(([provider, counters]) => [provider, Object.fromEntries(counters)]),
        ),
      }),
      ...(this.#lastUsed.size > 0 && { last_used: Object.fromEntries(this.#lastUsed) }),
    };
  }

  #counters(series: Series): Map<string, number> {
    // Each series was made with the tally.
    return this.#series.get(series) as Map<string, number>;
  }
}
