import { TextDecoder } from 'node:util';

/** A line without its end; null where it is longer than anything that is a row. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string | null;
}

/** A row is an address and some columns. A file without line ends must not be read into memory whole. */
const LONGEST_LINE = 1_048_576;

/** Lines that end with LF or CRLF, in UTF-8, or in UTF-16 where the file begins with its mark as Excel's do. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let decoder: TextDecoder | undefined;
  let rest = '';
  let isTooLong = false;
  let number = 0;
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(encodingOf(chunk));
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      yield { number: ++number, text: isTooLong || part.length > LONGEST_LINE ? null : withoutReturn(part) };
      isTooLong = false;
    }
    if (rest.length > LONGEST_LINE) {
      isTooLong = true;
      rest = '';
    }
  }
  rest += decoder?.decode() ?? '';
  if (rest !== '' || isTooLong) yield { number: ++number, text: isTooLong ? null : withoutReturn(rest) };
}

function encodingOf([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | 'utf-8' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}
