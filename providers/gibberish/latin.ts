/** Letters that Unicode does not decompose into a basic letter and a mark. */
const WHOLE: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ŋ: 'n',
  ħ: 'h',
  ə: 'a',
};

/**
 * The text in ASCII: Latin letters without their marks (`josé` is `jose`). Null where it has letters or digits of
 * another script, of which the model knows nothing.
 */
export function inLatin(text: string): string | null {
  if (!/[^\x00-\x7f]/.test(text)) return text;
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x00-\x7f]/gu, (letter) => WHOLE[letter.toLowerCase()] ?? letter);
  if (/[^\x00-\x7f]/.test(plain) && /[\p{L}\p{N}]/u.test(plain.replace(/[\x00-\x7f]/g, ''))) return null;
  return plain;
}
