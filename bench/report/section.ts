/** What the project promised itself, beside what was measured. */
export interface Goal {
  readonly what: string;
  readonly measured: number;
  readonly unit: string;
  /** At least this, or at most where `isCeiling`. */
  readonly floor: number;
  readonly aim?: number;
  readonly isCeiling?: true;
}

export interface Report {
  readonly markdown: string;
  readonly goals: readonly Goal[];
}

/** One part of the benchmarks. `note` tells what is going on; it is no result. */
export interface Section {
  readonly title: string;
  measure(note: (text: string) => void): Promise<Report>;
}
