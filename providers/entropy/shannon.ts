/** How often each ASCII character stands in the text at hand; all zero between two calls. */
const ASCII_COUNTS = new Uint32Array(0x80);

/**
 * Shannon's entropy in bits per character, where a character is a code point (C. E. Shannon, "A Mathematical Theory
 * of Communication", 1948, section 6). Never above log2 of the length; 0 for an empty or uniform string.
 */
export function shannonEntropy(text: string): number {
  const bits = bitsOfAscii(text) ?? bitsOfAny(text);
  // Numbers that leave the process have at most 4 decimals; adding 0 turns -0 into 0.
  return Math.round(bits * 10_000) / 10_000 + 0;
}

/** The number of code points. */
export function lengthOf(text: string): number {
  let length = 0;
  // Of the two halves of a pair, the second is not counted.
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) !== 0xdc00) length += 1;
  return length;
}

/** Null where a character is beyond ASCII. Nearly no local part is, and counting in a map takes five times as long. */
function bitsOfAscii(text: string): number | null {
  let isAscii = true;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) ASCII_COUNTS[code] = (ASCII_COUNTS[code] ?? 0) + 1;
    else isAscii = false;
  }
  let bits = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const count = ASCII_COUNTS[code] ?? 0;
    // Seen before in this text, or beyond ASCII.
    if (count === 0) continue;
    ASCII_COUNTS[code] = 0;
    const share = count / text.length;
    bits -= share * Math.log2(share);
  }
  return isAscii ? bits : null;
}

function bitsOfAny(text: string): number {
  const counts = new Map<string, number>();
  let length = 0;
  for (const character of text) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
    length += 1;
  }
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / length;
    bits -= share * Math.log2(share);
  }
  return bits;
}
