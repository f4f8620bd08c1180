import type { SyntaxFault } from '../provider-kit/address.ts';
import { type Refusal, refuse, type UncleanCode } from './faults.ts';

const WHITE_SPACE = /^\p{White_Space}$/u;

/**
 * RFC 5322, 3.2.3: atext, and RFC 6532's UTF8-non-ascii less white space. The Greek question mark (U+037E) is canonically a
 * semicolon, the one character that NFC turns into ASCII which an unquoted local part cannot have.
 */
const ATEXT = String.raw`[\w!#$%&'*+/=?^\x60{|}~\-]|[^\p{ASCII}\p{White_Space}\u037e]`;
const IS_ATEXT = new RegExp(`^(?:${ATEXT})$`, 'u');
const ATOMS = new RegExp(`(?:${ATEXT})+`, 'gu');
/** Each character can match in one way only, so the time grows with the length alone. */
const DOT_ATOM = new RegExp(`^(?:${ATEXT})+(?:\\.(?:${ATEXT})+)*$`, 'u');

export function isAtext(character: string): boolean {
  return IS_ATEXT.test(character);
}

/** Whether a local part can stand without quotes (RFC 5322, 3.2.3). */
export function isDotAtom(local: string): boolean {
  return DOT_ATOM.test(local);
}

/** The runs of atext in a local part, in order: three words in `mary..ann smith`. */
export function atomsOf(local: string): readonly string[] {
  return local.match(ATOMS) ?? [];
}

/** Letters, digits and hyphen (RFC 1123, 2.1), the dot, and the underscore that DNS carries but hosts must not have. */
export function isAsciiDomainText(character: string): boolean {
  return /^[\w.-]$/.test(character);
}

export function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}

/**
 * Whether a character is invisible (UAX 44, Default_Ignorable_Code_Point): soft hyphen, joiners, marks of direction, fillers, variation
 * selectors, tags; also the blanks of Braille and of music, and the signs for objects and annotations. A person does not see it, so it
 * makes no other mailbox: it is skipped, and is a fault.
 */
export function isIgnorable(character: string): boolean {
  return /[\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffc\u{1d159}]/u.test(character);
}

/** The text without invisible characters; joiners stay, because some scripts are written with them. */
export function withoutHidden(text: string): string {
  return isAscii(text) ? text : [...text].filter((character) => !isHidden(character)).join('');
}

/** Whether a character is invisible and no joiner: no script is written with it. */
export function isHidden(character: string): boolean {
  return isIgnorable(character) && !/[\u200c\u200d]/.test(character);
}

/** What makes a character of a local part unsafe to show, to store or to type; null when nothing does. */
export function unsafety(character: string): UncleanCode | null {
  if (isAscii(character)) return null;
  if (/\p{Bidi_Control}/u.test(character)) return 'bidi_control';
  if (isIgnorable(character) || /[\p{Cf}\p{Z}]/u.test(character)) return 'invisible_character';
  if (/[\p{Co}\p{Cn}]/u.test(character)) return 'unassigned_character';
  return null;
}

/** A mark combines with the character before it: as the first character of an address, with text outside it. */
export function isCombiningMark(character: string): boolean {
  return /\p{M}/u.test(character);
}

/** A trimmed address by code points. The position of `characters[i]` in the submitted string is `i + offset`. */
export interface Source {
  readonly characters: readonly string[];
  readonly offset: number;
  /** The unclean faults found so far. */
  readonly faults: SyntaxFault[];
}

/**
 * Longer texts are not read. An address has at most 254 octets (RFC 5321, 4.5.3.1.3, erratum 1690); the rest is room for a name around it.
 * The limit bounds the work that one request can cause.
 */
export const MAX_OCTETS = 1024;

/**
 * Trims Unicode White_Space, which trim() does not (it takes U+FEFF and leaves U+0085), bounds the length, and refuses control characters
 * and lone surrogates, which no text of one line contains.
 */
export function readSource(raw: string): Source | Refusal {
  let start = 0;
  let end = raw.length;
  // White_Space lies within the Basic Multilingual Plane: here a UTF-16 unit is a code point.
  while (start < end && WHITE_SPACE.test(raw.charAt(start))) start++;
  while (end > start && WHITE_SPACE.test(raw.charAt(end - 1))) end--;
  if (start === end) return refuse('empty', 0);
  // The cheap test first: a UTF-16 unit takes at least one octet.
  if (end - start > MAX_OCTETS) return refuse('too_long', start);
  const text = raw.slice(start, end);
  if (Buffer.byteLength(text) > MAX_OCTETS) return refuse('too_long', start);

  const characters = [...text];
  const broken = characters.findIndex((character) => /[\p{Cc}\p{Cs}]/u.test(character));
  if (broken === -1) return { characters, offset: start, faults: [] };
  const isControl = /\p{Cc}/u.test(characters[broken] ?? '');
  return refuse(isControl ? 'control_character' : 'lone_surrogate', broken + start);
}

/**
 * The text without differences of case and of the width or style of letters: Unicode's full case folding (CaseFolding.txt, C and F) of
 * compatible letters and digits, in NFC, with ς for the σ at the end of a word, as Greek is written. Words that differ only in these have
 * one form, which folds to itself: `Νίκος` and `ΝΊΚΟΣ`, `Straße`, `STRASSE` and `strasse`, `ｆｉｎ`, `ﬁn` and `fin`.
 */
export function foldCase(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  // NFD first, as Unicode's canonical caseless match has it (section 3.13, D145).
  const folded = text
    .normalize('NFD')
    .replaceAll(/\P{ASCII}/gu, plainOf)
    .replaceAll(/\P{ASCII}|[A-Z]/gu, foldCharacter)
    .normalize('NFC');
  return folded.replaceAll(/(?<=\p{L}\p{M}*)σ(?![\p{L}\p{M}])/gu, 'ς');
}

/**
 * What a full-width, styled or ligated character is compatible with (NFKD), where that is letters, digits and marks alone: no other
 * character becomes `@`, a quotation mark or `+`.
 */
function plainOf(character: string): string {
  const plain = character.normalize('NFKD');
  return /^[\p{L}\p{N}\p{M}]+$/u.test(plain) ? plain : character;
}

/**
 * ECMAScript has no case folding. Lower, then upper, then lower case gives the folded form of each character but the two kinds below. One
 * character at a time: within a word toLowerCase() takes a dot for a letter. A test compares it with the data of node's ICU.
 */
function foldCharacter(character: string): string {
  // Outside Turkish, `I` is the capital of `i` alone.
  if (character === 'ı') return character;
  // Cherokee folds to its capitals: they came first, and a folded form never changes.
  if (/\p{Script=Cherokee}/u.test(character)) return character.toUpperCase();
  return character.toLowerCase().toUpperCase().toLowerCase();
}
