/** Resident memory of a process over `done` checks, in MB of 10⁶ octets. */
export interface Growth {
  readonly done: number;
  readonly before: number;
  readonly after: number;
  /** For a process that keeps running: after `REST_SECONDS` without work. */
  readonly atRest?: number;
  readonly peak: number;
  readonly seconds: number;
}
