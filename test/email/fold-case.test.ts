import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldCase } from '../../src/email/characters.ts';
import { readAddress } from '../../src/email/read-address.ts';
import { listKey } from '../../src/provider-kit/index.ts';

const ALL = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));
/** By the data of Node's own ICU, as the tables below. */
const CASED = ALL.filter((character) => /\p{Changes_When_Casefolded}/u.test(character));

/** The compatible form of a character, where that is only letters, digits and marks; else the character. */
const plain = (character: string) =>
  /^[\p{L}\p{N}\p{M}]+$/u.test(character.normalize('NFKC')) ? character.normalize('NFKC') : character;
const COMPATIBLE = ALL.filter(
  (character) => plain(character).normalize('NFC') !== character.normalize('NFC'),
);
const compatible = new Set(COMPATIBLE);
const CASED_ALONE = CASED.filter((character) => !compatible.has(character));

const isOne = (text: string) => [...text].length === 1;
const codesOf = (text: string) =>
  [...text].map((character) => character.codePointAt(0)?.toString(16)).join(' ');
const wrong = (characters: readonly string[], isWrong: (character: string) => boolean) =>
  characters.filter(isWrong).map((character) => `${codesOf(character)} → ${codesOf(foldCase(character))}`);

function canonicalOf(typed: string): string {
  const reading = readAddress(typed);
  if (!reading.ok) throw new Error(`${typed}: ${reading.refusal.code}`);
  return reading.address.canonical.address;
}

describe('foldCase, over all of Unicode', () => {
  const FOLDED = new Map(ALL.map((character) => [character, foldCase(character)]));

  it('changes exactly what case folding changes, and composes the rest', () => {
    expect(CASED.length).toBeGreaterThan(1_500);
    expect(wrong(CASED, (character) => foldCase(character) === character)).toEqual([]);
    const cased = new Set(CASED);
    const others = ALL.filter((character) => !cased.has(character) && !compatible.has(character));
    expect(wrong(others, (character) => FOLDED.get(character) !== character.normalize('NFC'))).toEqual([]);
  });

  it('maps letters alike that a case-insensitive regular expression treats as equal', () => {
    const single = CASED_ALONE.filter(
      (character) => isOne(foldCase(character)) && isOne(character.normalize('NFC')),
    );
    expect(single.length).toBeGreaterThan(1_300);
    // Case-insensitive matching in Unicode mode is simple case folding (ECMA-262, Canonicalize).
    const isSame = (character: string) => {
      const pattern = `^\\u{${codesOf(character.normalize('NFC'))}}$`;
      return new RegExp(pattern, 'iu').test(foldCase(character));
    };
    expect(wrong(single, (character) => !isSame(character))).toEqual([]);
  });

  it('maps to several letters only where the upper case has several too', () => {
    const several = CASED_ALONE.filter((character) => !isOne(foldCase(character)));
    const upper = (text: string) => text.toLowerCase().toUpperCase().normalize('NFC');
    expect(wrong(several, (character) => upper(character) !== upper(foldCase(character)))).toEqual([]);
  });

  it('maps a character to the letters and digits that it is compatible with', () => {
    expect(COMPATIBLE.length).toBeGreaterThan(3_000);
    expect(wrong(COMPATIBLE, (character) => foldCase(character) !== foldCase(plain(character)))).toEqual([]);
  });

  it('never makes a character with a meaning in an address', () => {
    const special = (text: string) => /[^\p{L}\p{N}\p{M}]/u.test(text);
    const made = ALL.filter((character) => special(FOLDED.get(character) ?? ''));
    expect(wrong(made, (character) => foldCase(character) !== character.normalize('NFC'))).toEqual([]);
  });

  it('is idempotent', () => {
    const folded = ALL.filter((character) => FOLDED.get(character) !== character);
    expect(wrong(folded, (character) => foldCase(foldCase(character)) !== foldCase(character))).toEqual([]);
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.constantFrom(...CASED, ...COMPATIBLE), fc.constantFrom('\u0345', '\u0301', 'σ', 'a')),
        ),
        (parts) => {
          const folded = foldCase(parts.join(''));
          expect(foldCase(folded)).toBe(folded);
          expect(folded).toBe(folded.normalize('NFC'));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

/** Words that differ only in case, of scripts and letters where lower-casing is not enough. */
const SAME = [
  ['ΝΙΚΟΣ', 'νικος', 'νικοσ', 'Νικος', 'ΝΙΚΟς'],
  ['ΣΟΦΙΑ.ΣΑΣ', 'σοφια.σας', 'ςοφια.σασ'],
  ['STRASSE', 'straße', 'STRAẞE', 'Strasse', 'ſtraße'],
  ['OFFICE', 'oﬃce', 'office', 'oﬀice'],
  ['İPEK', 'i\u0307pek', 'I\u0307PEK'],
  ['ᏣᎳᎩ', 'ꮳꮃꭹ', 'Ꮳꮃꭹ'],
  ['ᏸᏻ', 'Ᏸᏻ', 'ᏰᏳ'],
  ['ǅ', 'Ǆ', 'ǆ'],
  ['ᾼ', 'ᾳ', 'ΑΙ', 'αι', 'α\u0345'],
  ['ՄԵՒ', 'մեւ', 'մև'],
  ['K\u212aΩ\u2126', 'kkωω'],
  ['ÅNGSTRÖM', '\u212bngstro\u0308m', 'ångström'],
  ['𐐐𐐑', '𐐸𐐹'],
  ['jane', 'ｊａｎｅ', '𝐣𝐚𝐧𝐞', 'ＪＡＮＥ', '𝕵𝖆𝖓𝖊', 'ʲᵃⁿᵉ', 'ⓙⓐⓝⓔ', 'jａｎe'],
  ['henry8', 'ʰenry８', 'ℋ𝓮𝔫𝕣𝚢⑧', 'HENRY⁸'],
  ['ivviii', 'ⅳⅷ', 'ⅣⅧ'],
  ['ガ', 'ｶﾞ', 'カ\u3099'],
  ['لا', 'ﻼ', 'ﻻ'],
  ['σας', 'σα𝛓', '𝚺𝚨𝚺'],
];

describe('a canonical form', () => {
  it.each(SAME)('is the same for %s and its variants', (...words) => {
    expect(new Set(words.map((word) => canonicalOf(`${word}@firm.gr`))).size).toBe(1);
    expect(new Set(words.map((word) => listKey(`${word}@firm.gr`))).size).toBe(1);
  });

  it.each([
    ['ΝΙΚΟΣ.ΣΑΣ7@firm.gr', 'νικος.σας7@firm.gr'],
    ['ΝΊΚΟΣ+ΣΑΣ@firm.gr', 'νίκος@firm.gr'],
    ['Σ@firm.gr', 'σ@firm.gr'],
    ['νικος.σας@gmail.com', 'νικοσσας@gmail.com'],
    ['ΝΙΚΟΣ..ΣΑΣ@firm.gr', '"νικος..σας"@firm.gr'],
  ])('is spelled as in Greek: %s is %s', (typed, canonical) => {
    expect(canonicalOf(typed)).toBe(canonical);
    expect(canonicalOf(canonical)).toBe(canonical);
    expect(listKey(canonical)).toBe(canonical);
  });

  it.each([
    ['ışık', 'işik'],
    ['νίκος', 'νικος'],
    ['fullwidth＠at', 'fullwidth'],
    ['jane＋x', 'jane'],
    ['⑴', '1'],
  ])('differs for %s and %s, which differ in more than case', (one, other) => {
    expect(canonicalOf(`${one}@firm.gr`)).not.toBe(canonicalOf(`${other}@firm.gr`));
  });

  it('is its own canonical form, for each letter that has case or a compatible form', () => {
    const own = (character: string) => canonicalOf(`a.${character}b@firm.gr`);
    expect(
      wrong([...CASED, ...COMPATIBLE], (character) => canonicalOf(own(character)) !== own(character)),
    ).toEqual([]);
  });
});
