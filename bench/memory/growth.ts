/** Resident memory of a process over so many checks, in MB of 10⁶ octets. */
export interface Growth {
  readonly done: number;
  readonly before: number;
  readonly after: number;
  /** Of a process that goes on, when it has had nothing to do for `REST_SECONDS`. */
  readonly atRest?: number;
  readonly peak: number;
  readonly seconds: number;
}
