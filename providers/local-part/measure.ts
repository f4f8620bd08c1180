export interface Shape {
  /** In code points. */
  readonly length: number;
  readonly digits: number;
  readonly trailingDigits: number;
}

/** Only the digits 0 to 9 are digits here. */
export function measure(text: string): Shape {
  return {
    length: [...text].length,
    digits: text.match(/[0-9]/g)?.length ?? 0,
    // Begins at the first digit of a run alone: else the time would grow with the square of the length.
    trailingDigits: /(?<![0-9])[0-9]*$/.exec(text)?.[0].length ?? 0,
  };
}

export function countSeparators(written: string): number {
  return written.match(/[._+-]/g)?.length ?? 0;
}
