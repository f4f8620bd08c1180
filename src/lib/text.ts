/** Compares by code units: the same everywhere, whatever the locale. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Entries by their keys, in the order of `compareTexts`. */
export function compareKeys([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]) {
  return compareTexts(a, b);
}

/** The line end of a text that is to be changed: that of Windows where the text has one. */
export function lineEndOf(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/**
 * Text by one person that others will see: no bidirectional, invisible or control characters, which could disguise it or steer a
 * terminal. Unassigned characters and those of private use are refused as well: what they show is undefined. The two joiners stay, which
 * Persian and Indic names are spelt with (unicode.org/reports/tr31, 2.3), beside something to be seen: letters that are
 * ignored by default (unicode.org/reports/tr44, DI) and the empty pattern of Braille are not.
 */
export const WORDS_PATTERN =
  '^(?=.*[^\\p{C}\\p{DI}\\s\\u2800])(?:[^\\p{C}\\p{Zl}\\p{Zp}]|[\\u200C\\u200D])*$';

/** The longest name of a person or an account, in characters. */
export const LONGEST_NAME = 100;

export function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return compareTexts(a.id, b.id);
}

/** The texts that remain when each of `others` has been taken away once. */
export function without(texts: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const other of others) left.set(other, (left.get(other) ?? 0) + 1);
  return texts.filter((text) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}

/** JSON with sorted keys and no spaces, in the manner of RFC 8785. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(compareKeys)
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
