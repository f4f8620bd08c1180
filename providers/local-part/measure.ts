export interface Shape {
  /** In code points. */
  readonly length: number;
  readonly digits: number;
  readonly trailingDigits: number;
}

const ZERO = 0x30;
const NINE = 0x39;
const DOT = 0x2e;
const UNDERSCORE = 0x5f;
const HYPHEN = 0x2d;
const PLUS = 0x2b;

/** One pass; an iterator over code points would make a string of each. Only the digits 0 to 9 are digits here. */
export function measure(text: string): Shape {
  let length = 0;
  let digits = 0;
  let trailingDigits = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    // The second half of a surrogate pair ends the code point that the first half began.
    if (unit >= 0xdc00 && unit <= 0xdfff) continue;
    length++;
    if (unit >= ZERO && unit <= NINE) {
      digits++;
      trailingDigits++;
    } else trailingDigits = 0;
  }
  return { length, digits, trailingDigits };
}

export function countSeparators(written: string): number {
  let count = 0;
  for (let at = 0; at < written.length; at++) {
    const unit = written.charCodeAt(at);
    if (unit === DOT || unit === UNDERSCORE || unit === HYPHEN || unit === PLUS) count++;
  }
  return count;
}
