import { type Refusal, refuse, type UncleanCode } from './faults.ts';

// Code points that the grammar names.
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const OPEN_PAREN = 0x28;
export const CLOSE_PAREN = 0x29;
export const DOT = 0x2e;
export const OPEN_ANGLE = 0x3c;
export const CLOSE_ANGLE = 0x3e;
export const AT = 0x40;
export const OPEN_SQUARE = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_SQUARE = 0x5d;
export const UNDERSCORE = 0x5f;

/** Fullwidth and small commercial at: the @ of some input methods. */
export const LOOKALIKE_ATS: readonly number[] = [0xff20, 0xfe6b];

/** RFC 5322, 3.2.3: atext, in ASCII. */
const ATEXT = asciiSet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-/=?^_`{|}~");

/** Letters, digits and hyphen (RFC 1123, 2.1), the dot, and the underscore that DNS carries but hosts must not have. */
const DOMAIN_TEXT = asciiSet('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._');

/**
 * The Greek question mark is canonically a semicolon (Unicode Data, U+037E), the one character that NFC turns
 * into ASCII which an unquoted local part cannot have. Read as what it becomes, or normalizing would smuggle it in.
 */
const GREEK_QUESTION_MARK = 0x37e;

/** Whether a code point can stand unquoted in a local part: atext, or RFC 6532's UTF8-non-ascii less white space. */
export function isAtext(code: number): boolean {
  if (code < 0x80) return ATEXT[code] === 1;
  return code !== GREEK_QUESTION_MARK && !isWhiteSpace(code);
}

export function isAsciiDomainText(code: number): boolean {
  return DOMAIN_TEXT[code] === 1;
}

/** Unicode's general category Cc. */
export function isControl(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code <= 0x9f);
}

export function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

/** Unicode's property White_Space (PropList.txt). JavaScript's trim() differs: it takes U+FEFF and leaves U+0085. */
export function isWhiteSpace(code: number): boolean {
  if (code < 0x80) return code === SPACE || (code >= 0x09 && code <= 0x0d);
  return (
    code === 0x85 ||
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

/** What makes a code point of a local part unsafe to show, to store or to type; null when nothing does. */
export function unsafety(code: number): UncleanCode | null {
  if (code < 0x80) return null;
  const character = String.fromCodePoint(code);
  if (/\p{Bidi_Control}/u.test(character)) return 'bidi_control';
  if (/[\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(character)) return 'invisible_character';
  if (/[\p{Co}\p{Cn}]/u.test(character)) return 'unassigned_character';
  return null;
}

/** A mark combines with what stands before it, which is outside the address when it comes first. */
export function isCombiningMark(code: number): boolean {
  return code >= 0x300 && /\p{M}/u.test(String.fromCodePoint(code));
}

/** Unicode's normal form C, in which ASCII stands already: asking for it costs more than looking. */
export function toNfc(text: string): string {
  return isAscii(text) ? text : text.normalize('NFC');
}

export function isAscii(text: string): boolean {
  return !/[\x80-\uffff]/.test(text);
}

function asciiSet(characters: string): Uint8Array {
  const set = new Uint8Array(0x80);
  for (let i = 0; i < characters.length; i++) set[characters.charCodeAt(i)] = 1;
  return set;
}

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
