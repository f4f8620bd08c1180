/** RFC 5321, 4.5.3.1.1: no longer local part is in use. Up to this length the logarithms are computed once, at load. */
const MAX_LENGTH = 64;
/** At `length * (MAX_LENGTH + 1) + count`: the term of a character that stands `count` times in a text of that length. */
const TERMS = Float64Array.from({ length: (MAX_LENGTH + 1) ** 2 }, (_, i) =>
  term(i % (MAX_LENGTH + 1), Math.floor(i / (MAX_LENGTH + 1))),
);
/** How often each ASCII character stands in the text at hand; all zero between two calls. */
const ASCII_COUNTS = new Uint8Array(0x80);

/**
 * Shannon's entropy in bits per character, where a character is a code point (C. E. Shannon, "A Mathematical Theory
 * of Communication", 1948, section 6). Never above log2 of the length; 0 for an empty or uniform string.
 */
export function shannonEntropy(text: string): number {
  const bits = bitsOfShortAscii(text) ?? bitsOfAny(text);
  // Numbers that leave the process have at most 4 decimals; adding 0 turns -0 into 0.
  return Math.round(bits * 10_000) / 10_000 + 0;
}

/** The number of code points. */
export function lengthOf(text: string): number {
  let length = 0;
  // Skips the second half of a surrogate pair.
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) !== 0xdc00) length += 1;
  return length;
}

/** Handles short ASCII, as nearly every local part is, in a tenth of the time; null for any other text. */
function bitsOfShortAscii(text: string): number | null {
  const { length } = text;
  if (length > MAX_LENGTH || /[\x80-\uffff]/.test(text)) return null;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    ASCII_COUNTS[code] = (ASCII_COUNTS[code] ?? 0) + 1;
  }
  let bits = 0;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    const count = ASCII_COUNTS[code] ?? 0;
    // Each character once, in the order of its first place, as the Map in `bitsOfAny`: sums of floats depend on the order.
    if (count === 0) continue;
    ASCII_COUNTS[code] = 0;
    bits -= TERMS[length * (MAX_LENGTH + 1) + count] ?? 0;
  }
  return bits;
}

function bitsOfAny(text: string): number {
  const counts = new Map<string, number>();
  let length = 0;
  for (const character of text) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
    length += 1;
  }
  let bits = 0;
  for (const count of counts.values()) bits -= term(count, length);
  return bits;
}

function term(count: number, length: number): number {
  const share = count / length;
  return share * Math.log2(share);
}
