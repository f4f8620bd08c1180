/** Resident memory of a process over so many checks, in MB of 10⁶ octets. */
export interface Growth {
  readonly done: number;
  readonly before: number;
  readonly after: number;
  readonly peak: number;
  readonly seconds: number;
}
