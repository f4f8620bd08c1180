/** A goal of the project and the measured value; less is better. */
export interface Goal {
  readonly what: string;
  readonly measured: number;
  readonly unit: string;
  readonly goal?: number;
  /** A higher value is a fault. */
  readonly limit: number;
}

export interface Report {
  readonly markdown: string;
  readonly goals: readonly Goal[];
}

/** Number of rounds and rates of arrivals; sections without rounds or rates ignore them. */
export interface Options {
  readonly rounds?: number | undefined;
  readonly rates?: readonly number[] | undefined;
}

/** One part of the benchmarks. `note` reports progress; its texts are not part of the result. */
export interface Section {
  readonly title: string;
  measure(note: (text: string) => void, options: Options): Promise<Report>;
}
