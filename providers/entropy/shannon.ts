/**
 * Shannon's entropy in bits per character, where a character is a code point (C. E. Shannon, "A Mathematical Theory
 * of Communication", 1948, section 6). Never above log2 of the length; 0 for an empty or uniform string.
 */
export function shannonEntropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const length = lengthOf(text);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / length) * Math.log2(count / length);
  // Numbers that leave the process have at most 4 decimals; adding 0 turns -0 into 0.
  return Math.round(bits * 10_000) / 10_000 + 0;
}

/** The number of code points. */
export function lengthOf(text: string): number {
  return [...text].length;
}
