import { isControl, isSurrogate, isWhiteSpace } from './characters.ts';
import { type Refusal, refuse } from './faults.ts';

/** A trimmed address as code points. The position of `codes[i]` in the submitted string is `i + offset`. */
export interface Source {
  readonly codes: readonly number[];
  readonly offset: number;
}

/**
 * Octets after which no reading is tried. An address has at most 254 (RFC 5321, 4.5.3.1.3, erratum 1690); the
 * rest is room for a name around it. It bounds the work that one request can cause.
 */
export const MAX_OCTETS = 1024;

/** Trims Unicode White_Space, bounds the length, and refuses what no text of one line contains. */
export function readSource(raw: string): Source | Refusal {
  let start = 0;
  let end = raw.length;
  // White_Space lies within the Basic Multilingual Plane: here a UTF-16 unit is a code point.
  while (start < end && isWhiteSpace(raw.charCodeAt(start))) start++;
  while (end > start && isWhiteSpace(raw.charCodeAt(end - 1))) end--;
  if (start === end) return refuse('empty', 0);
  // The cheap test first: a UTF-16 unit takes at least one octet.
  if (end - start > MAX_OCTETS) return refuse('too_long', start);
  const text = raw.slice(start, end);
  if (Buffer.byteLength(text) > MAX_OCTETS) return refuse('too_long', start);

  const codes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (isControl(code)) return refuse('control_character', codes.length + start);
    if (isSurrogate(code)) return refuse('lone_surrogate', codes.length + start);
    codes.push(code);
  }
  return { codes, offset: start };
}
