import { DIGIT, EDGE, PER_NAT, SEPARATOR, SYMBOL_BITS, SYMBOL_OF } from './model.ts';
import { Part, type PartPattern, SHORTEST_EVIDENCE } from './part.ts';

/** How a program may have made the local part: the likeliest way. */
export type Pattern = PartPattern | 'digits';

export interface Judgement {
  /** Natural logarithm of how much likelier a program made it than a person. */
  readonly logOdds: number;
  readonly pattern: Pattern;
}

/** Fewer letters and digits are no evidence of anything: initials look random, and are not. */
const FEWEST = 5;
/** RFC 5321, 4.5.3.1.1: no longer local part is in use; bounds the work. */
const LONGEST = 64;

/** What it costs a program to choose a length: one of ten. */
const LENGTH = 2.3 * PER_NAT;
/** What it costs a program to set a separator, which few do: one in twenty characters. */
const BETWEEN = 3 * PER_NAT;
/** What it costs a program to make one part alone, the rest being words or names, as in `swift-bee-x7k2q9`. */
const PART_ALONE = 5.3 * PER_NAT;
/** Shorter parts are abbreviations, such as `js2x`. */
const SHORTEST_PART = 6;

/** No telephone number is longer: 15 digits (E.164), and one for what stands before it. */
const LONGEST_NUMBER = 16;
/** The log-odds of a longer number, in nats; each digit beyond adds one. */
const TOO_LONG = 10;

/** The two symbols before the next. */
const CONTEXT = (1 << (2 * SYMBOL_BITS)) - 1;

/**
 * Weighs a local part of ASCII characters: what its trigrams cost a person (`costs`) against what its characters cost a
 * program. Null where there is too little of it. One pass.
 */
export function judge(text: string, costs: Uint8Array): Judgement | null {
  const end = Math.min(text.length, LONGEST);
  const part = new Part();
  let context = EDGE;
  let counted = 0;
  let digitRun = 0;
  let longestDigitRun = 0;
  let whole = -LENGTH;
  let besideWords = 0;
  let hasWord = false;
  let wholePattern: Pattern = 'random';
  let best = Number.NEGATIVE_INFINITY;
  let bestPattern: Pattern = 'random';

  for (let at = 0; at <= end; at++) {
    const code = at < end ? text.charCodeAt(at) : 0;
    const symbol = at < end ? (SYMBOL_OF[code] ?? SEPARATOR) : EDGE;
    const cost = costs[(context << SYMBOL_BITS) | symbol] ?? 0;
    context = ((context << SYMBOL_BITS) | symbol) & CONTEXT;
    if (symbol === DIGIT) {
      part.addDigit(code, cost);
      if (++digitRun > longestDigitRun) longestDigitRun = digitRun;
      continue;
    }
    digitRun = 0;
    if (symbol !== EDGE && symbol !== SEPARATOR) {
      part.addLetter(code, cost);
      continue;
    }
    let gain = part.gain(part.length === text.length) + cost;
    if (part.letters > 0 && part.length >= SHORTEST_EVIDENCE) hasWord = true;
    // Few initials and numbers stand apart, so that the separator after them, or the end, costs a person much: no evidence of a program.
    else if (part.length > 0 && gain > 0) {
      besideWords += gain;
      gain = 0;
    }
    whole += symbol === EDGE ? gain : gain - BETWEEN;
    counted += part.length;
    if (part.letters > 0) {
      if (part.pattern !== 'random') wholePattern = part.pattern;
      if (part.length >= SHORTEST_PART && gain - PART_ALONE > best) {
        best = gain - PART_ALONE;
        bestPattern = part.pattern;
      }
    }
    part.clear();
  }

  if (counted < FEWEST) return null;
  // In `x7.k2.q9` they stand beside no word.
  if (!hasWord) whole += besideWords;
  const beyond = longestDigitRun - LONGEST_NUMBER;
  const logOdds = Math.max(whole, best) / PER_NAT / (saysItTwice(text) ? 2 : 1);
  if (beyond > 0 && TOO_LONG + beyond > logOdds) return { logOdds: TOO_LONG + beyond, pattern: 'digits' };
  return { logOdds, pattern: best > whole ? bestPattern : wholePattern };
}

/** Whether both halves are equal. People repeat themselves (`dodo`, `xyzxyz`), programs do not: the second half is no evidence. */
function saysItTwice(text: string): boolean {
  const half = text.length >> 1;
  if (text.length % 2 !== 0 || text.charCodeAt(0) !== text.charCodeAt(half)) return false;
  return text.endsWith(text.slice(0, half));
}
