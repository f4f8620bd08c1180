import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';

/** A line without its end; null where it is longer than anything that is a row. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string | null;
  /** Its octets are no UTF-8: the text has U+FFFD in place of some, and is for a person to recognise it by. */
  readonly isForeign?: true;
}

/** In octets. A row is an address and some columns. A file without line ends must not be read into memory whole. */
const LONGEST_LINE = 1_048_576;
const LINE_FEED = 0x0a;
const NOTHING = Buffer.alloc(0);

/** Lines that end with LF or CRLF, in UTF-8, or in UTF-16 where the file begins with its mark as Excel's do. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let rest: Buffer = NOTHING;
  let isTooLong = false;
  let number = 0;
  for await (const chunk of inUtf8(chunks)) {
    const octets = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = octets.lastIndexOf(LINE_FEED) + 1;
    for (const line of linesIn(octets.subarray(0, end))) {
      yield lineOf(++number, line, isTooLong);
      isTooLong = false;
    }
    rest = octets.subarray(end);
    if (rest.length > LONGEST_LINE) {
      isTooLong = true;
      rest = NOTHING;
    }
  }
  if (rest.length > 0 || isTooLong) yield lineOf(++number, rest, isTooLong);
}

async function* inUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | null | undefined;
  for await (const chunk of chunks) {
    if (decoder === undefined) {
      const encoding = utf16Of(chunk);
      decoder = encoding ? new TextDecoder(encoding) : null;
    }
    yield decoder
      ? Buffer.from(decoder.decode(chunk, { stream: true }))
      : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
  if (decoder) yield Buffer.from(decoder.decode());
}

function utf16Of([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** Each ends with a line feed. Decoded at once, unless there is one among them that cannot be. */
function* linesIn(octets: Buffer): Generator<string | Buffer> {
  if (isUtf8(octets)) {
    yield* octets.toString().split('\n').slice(0, -1);
    return;
  }
  for (let from = 0; from < octets.length; ) {
    const end = octets.indexOf(LINE_FEED, from);
    yield octets.subarray(from, end);
    from = end + 1;
  }
}

function lineOf(number: number, line: string | Buffer, isTooLong: boolean): Line {
  if (isTooLong || Buffer.byteLength(line) > LONGEST_LINE) return { number, text: null };
  const text = withoutReturn(number === 1 ? withoutMark(line.toString()) : line.toString());
  return typeof line === 'string' || isUtf8(line) ? { number, text } : { number, text, isForeign: true };
}

function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}
