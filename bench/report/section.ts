/** What the project promised itself, beside what was measured: the less, the better. */
export interface Goal {
  readonly what: string;
  readonly measured: number;
  readonly unit: string;
  readonly goal?: number;
  /** More than this is a fault. */
  readonly limit: number;
}

export interface Report {
  readonly markdown: string;
  readonly goals: readonly Goal[];
}

/** Of the sections that know them: how many rounds, and which rates of arrivals. */
export interface Options {
  readonly rounds?: number | undefined;
  readonly rates?: readonly number[] | undefined;
}

/** One part of the benchmarks. `note` tells what is going on; it is no result. */
export interface Section {
  readonly title: string;
  measure(note: (text: string) => void, options: Options): Promise<Report>;
}
