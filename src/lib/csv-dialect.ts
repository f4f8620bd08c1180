import { RowFileFault } from '../errors.ts';
import type { RowSource } from './row-file.ts';

/**
 * Reads the first lines, up to about `most` octets. `text`: enough to tell the delimiter. `chunks`: the whole file, converted to UTF-8
 * where it begins with a UTF-16 byte order mark. Throws RowFileFault where the file is UTF-16 without the mark.
 */
export async function readBeginning(source: RowSource, most: number) {
  const { name, format, chunks } = source;
  const iterator = chunks[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  let text = '';
  // For JSON lines one line is enough: only the encoding must be told.
  while (!(format === 'csv' ? isEnough(text) : text.includes('\n')) && head.length <= most) {
    const next = await iterator.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
    text = new TextDecoder(encodingOf(head)).decode(head);
  }
  refuseUnmarked(head, name);
  const encoding = encodingOf(head);
  const all = prepend([head.subarray(head.indexOf(MARK) === 0 ? MARK.length : 0)], {
    [Symbol.asyncIterator]: () => iterator,
  });
  return { ...source, text, chunks: encoding === 'utf-8' ? all : inUtf8(all, encoding) };
}

/** The byte order mark in UTF-8. */
const MARK = Buffer.from('\ufeff');

function encodingOf(head: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8';
}

function inUtf8(chunks: AsyncIterable<Uint8Array>, encoding: string): AsyncIterable<Uint8Array> {
  const texts = ReadableStream.from(chunks).pipeThrough(new TextDecoderStream(encoding));
  return texts.pipeThrough(new TextEncoderStream());
}

/** Octets that are examined to tell the encoding. */
const TELLING = 1_024;

/** In UTF-16 one octet of each ASCII character is NUL. Over one NUL in twenty octets, most of them on one side, is no accident. */
function refuseUnmarked(head: Buffer, name: string): void {
  if (encodingOf(head) !== 'utf-8') return;
  const octets = [...head.subarray(0, TELLING)];
  const nuls = (side: number) => octets.filter((octet, index) => octet === 0 && index % 2 === side).length;
  const [big, little] = [nuls(0), nuls(1)];
  if (Math.max(big, little) <= octets.length / 20 || Math.min(big, little) * 4 > Math.max(big, little))
    return;
  const encoding = big > little ? 'UTF-16BE' : 'UTF-16LE';
  throw new RowFileFault(
    `${name}: it is ${encoding} without a byte order mark: save it as UTF-8, as "iconv -f ${encoding} -t UTF-8" does`,
  );
}

/** Puts the items that were taken out of `rest` back in front of it. */
export async function* prepend<T>(first: readonly T[], rest: AsyncIterable<T> | readonly T[]) {
  yield* first;
  yield* rest;
}

/** The delimiter of a line `sep=;`, which Excel reads and writes above the rows. */
export function namedDelimiter(text: string): string | undefined {
  return /^[\r\n]*"?sep=(.)"?(?![^\r\n])/i.exec(text)?.[1];
}

/** Programs in countries that write 1,5 separate by semicolons; spreadsheets copy with tabs; databases write pipes. */
const DELIMITERS = [',', ';', '\t', '|'] as const;
/** They also occur in names and addresses, so that the user is asked whether they separate. */
const DOUBTFUL = [':', '^', '~', ' '] as const;
/** Lines by which a choice is made: enough to tell a delimiter from a comma in a name. */
const LINES = 5;

/** A quoted cell. A quote that is never closed reaches to the end. */
const QUOTED = /(?<=^|[,;\t|])"(?:[^"]+|"")*(?:"|(?![\s\S]))/gm;
const ADDRESS = /^[^\s@,;|:^~"<>]+@[^\s@,;|:^~"<>]+$/;

/** Lines as they would be if no quoted cell held a delimiter or a line end. The last line may be incomplete. */
function splitLines(text: string): readonly string[] {
  return text
    .replace(QUOTED, (cell) => cell.replace(/[,;\t|:^~\s]/g, '_').replaceAll('"', ''))
    .split(/[\r\n]+/);
}

/** One line is enough where it leaves no choice of delimiter. */
function linesNeeded(first: string): number {
  const isIn = (delimiter: string) => first.includes(delimiter);
  const certain = DELIMITERS.filter(isIn).length;
  return certain > 1 || (certain === 0 && DOUBTFUL.some(isIn)) ? LINES : 1;
}

function isEnough(text: string): boolean {
  const [first, ...others] = splitLines(text).slice(0, -1).filter(Boolean);
  return first !== undefined && others.length + 1 >= linesNeeded(first);
}

function firstLines(text: string): readonly string[] {
  const lines = splitLines(text).filter(Boolean);
  return lines.slice(0, linesNeeded(lines[0] ?? ''));
}

const countIn = (line = '', delimiter: string) => line.split(delimiter).length - 1;

/** Whether the delimiter occurs equally often in each line, and at least once. */
function isSteady(lines: readonly string[], delimiter: string): boolean {
  const count = countIn(lines[0], delimiter);
  return count > 0 && lines.every((line) => countIn(line, delimiter) === count);
}

/** Lines with a cell that is an address and nothing else. */
function countAddresses(lines: readonly string[], delimiter: string): number {
  return lines.filter((line) => line.split(delimiter).some((cell) => ADDRESS.test(cell.trim()))).length;
}

/**
 * Takes a delimiter that occurs equally often in each of the first lines, outside of quotes: the one with the most lines that have an
 * address as a cell, then the most frequent one. If there is none, the most frequent one in the first line; a comma if none occurs.
 */
export function guessDelimiter(text: string): string {
  const lines = firstLines(text);
  const steady = DELIMITERS.filter((delimiter) => isSteady(lines, delimiter));
  const addresses = (delimiter: string) => (steady.length > 0 ? countAddresses(lines, delimiter) : 0);
  const [best = ','] = (steady.length > 0 ? steady : DELIMITERS).toSorted(
    (a, b) => addresses(b) - addresses(a) || countIn(lines[0], b) - countIn(lines[0], a),
  );
  return best;
}

/** For lines without a usual delimiter: another one that separates addresses from other cells. The first line may name the columns. */
export function doubtfulDelimiter(text: string): string | undefined {
  const lines = firstLines(text);
  if (DELIMITERS.some((delimiter) => lines[0]?.includes(delimiter))) return undefined;
  const least = Math.max(1, lines.length - 1);
  return DOUBTFUL.find(
    (delimiter) => isSteady(lines, delimiter) && countAddresses(lines, delimiter) >= least,
  );
}
