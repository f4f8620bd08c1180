import { isAscii } from './characters.ts';

/**
 * The text without differences of case and of the width or style of letters: Unicode's full case folding (CaseFolding.txt, C and F) of
 * compatible letters and digits, in NFC, with ς for the σ at the end of a word, as Greek is written. Words that differ in these alone
 * have one form, and it is its own: `Νίκος` and `ΝΊΚΟΣ`, `Straße`, `STRASSE` and `strasse`, `ｆｉｎ`, `ﬁn` and `fin`.
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
 * What a full-width, styled or ligated character is compatible with (NFKD), where that is letters, digits and marks alone: no `@`,
 * quotation mark or `+` comes of another character.
 */
function plainOf(character: string): string {
  const plain = character.normalize('NFKD');
  return /^[\p{L}\p{N}\p{M}]+$/u.test(plain) ? plain : character;
}

/**
 * ECMAScript has no case folding. Lower, upper and lower case again come to the same for each character but the two kinds below,
 * one character at a time: in words toLowerCase() takes a dot for a letter. A test holds it to the data of node's ICU.
 */
function foldCharacter(character: string): string {
  // Outside Turkish I is the capital of i alone.
  if (character === 'ı') return character;
  // Its capitals came first, and a folded form never changes.
  if (/\p{Script=Cherokee}/u.test(character)) return character.toUpperCase();
  return character.toLowerCase().toUpperCase().toLowerCase();
}
