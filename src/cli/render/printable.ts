/**
 * Text from outside with everything in it that could steer a terminal made visible: control characters,
 * direction marks, line ends, lone surrogates.
 */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
