import type { Place } from '../../rules/problem.ts';

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

/** What fits a terminal beside the line's number. */
const WIDTH = 110;

/**
 * The line of a text that a message is about, its number in front, and under it a caret for each character that is
 * meant. Of a long line the part around it. Empty where the text has no such line.
 */
export function renderSnippet(
  text: string | undefined,
  { line, column, endColumn }: Omit<Place, 'file'>,
): readonly string[] {
  const source = text?.split(/\r?\n/)[line - 1];
  if (source === undefined || source.trim() === '') return [];
  const from = Math.max(0, Math.min(column - 1 - WIDTH / 2, source.length - WIDTH));
  const part = source.slice(from, from + WIDTH);
  const shown = `${from > 0 ? '…' : ''}${printable(part)}${source.length > from + WIDTH ? '…' : ''}`;
  // What is printed may be longer than what is written: a tab, for example.
  const before = printable(part.slice(0, column - 1 - from)).length + (from > 0 ? 1 : 0);
  const meant = part.slice(column - 1 - from, (endColumn ?? column + 1) - 1 - from);
  const gutter = String(line);
  return [
    `  ${gutter} | ${shown}`,
    `  ${' '.repeat(gutter.length)} | ${' '.repeat(before)}${'^'.repeat(Math.max(1, printable(meant).length))}`,
  ];
}
