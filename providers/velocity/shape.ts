/** A local part of more words than these has no shape but its length. */
const MOST_WORDS = 4;

const ZERO = 0x30;
const NINE = 0x39;
const DOT = 0x2e;
const UNDERSCORE = 0x5f;
const HYPHEN = 0x2d;
const PLUS = 0x2b;

/**
 * The shape of a canonical local part, word by word between its separators: `a` for letters, however many, `4` for four
 * digits, `y` for four that are a year of 1900 to 2029, `~9` for nine characters in which letters and digits change more
 * than once. `jane.doe4821` is `a.a4`, `jane1987` is `ay`, `x7k2m9` is `~6`. What is longer than names are is `~` and
 * its length as a whole. One pass; of the text itself nothing is in it.
 */
export function shapeOf(localPart: string): string {
  const { length } = localPart;
  let shape = '';
  let words = 0;
  for (let from = 0; from <= length; ) {
    let to = from;
    let runs = 0;
    let wasDigit = false;
    // Where the second run begins.
    let turn = from;
    for (; to < length; to++) {
      const unit = localPart.charCodeAt(to);
      if (isSeparator(unit)) break;
      const digit = unit >= ZERO && unit <= NINE;
      if (to > from && digit === wasDigit) continue;
      if (++runs === 2) turn = to;
      wasDigit = digit;
    }
    if (to > from && ++words > MOST_WORDS) return `~${length}`;
    if (runs > 2) shape += `~${to - from}`;
    else if (runs === 2)
      shape += wasDigit ? `a${digits(localPart, turn, to)}` : `${digits(localPart, from, turn)}a`;
    else if (runs === 1) shape += wasDigit ? digits(localPart, from, to) : 'a';
    if (to < length) shape += localPart[to];
    from = to + 1;
  }
  return shape;
}

function isSeparator(unit: number): boolean {
  return unit === DOT || unit === UNDERSCORE || unit === HYPHEN || unit === PLUS;
}

function digits(text: string, from: number, to: number): string {
  return to - from === 4 && isYear(text, from) ? 'y' : String(to - from);
}

function isYear(text: string, at: number): boolean {
  return text.startsWith('19', at) || (text.startsWith('20', at) && text.charCodeAt(at + 2) <= ZERO + 2);
}
