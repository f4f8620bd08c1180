import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { type CsvError, type InfoRecord, type Options, parse } from 'csv-parse';
import { RowFileFault } from '../errors.ts';
import { doubtfulDelimiter, guessDelimiter, namedDelimiter, prepend, readBeginning } from './csv-dialect.ts';
import { readHeader } from './row-columns.ts';
import type { ReadingOptions, Row, RowSource, RowTable } from './row-file.ts';
import { codeOf } from './thrown.ts';

/** In octets. A row holds an address and some columns; a file without line ends must not be read into memory whole. */
const LONGEST_RECORD = 1_048_576;

/** Lines that are no objects before the file is taken for something else. */
const MOST_BROKEN_AT_FIRST = 1_000;

/**
 * Reads as far as the names of the columns, then each row on request. A row that cannot be read is marked as broken, and the next rows are
 * read; only a quote that is never closed, or a row longer than a mebibyte, ends the reading there. Throws RowFileFault.
 */
export async function readRows(source: RowSource, options: ReadingOptions): Promise<RowTable> {
  const beginning = await readBeginning(source, LONGEST_RECORD);
  return source.format === 'csv' ? await readCsv(beginning, options) : await readJsonl(beginning, options);
}

type BegunSource = Awaited<ReturnType<typeof readBeginning>>;

/** A record of csv-parse: one line, or several where a quoted cell spans them. */
interface CsvRecord {
  /** The line that it begins with, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Why it could not be read; null when it could. */
  readonly broken: string | null;
  /** The rows after it cannot be read either. */
  readonly isLast?: true;
}

/** Records without the blank lines. Octets that are no UTF-8 become U+FFFD, which may stand in the file itself too. */
async function* recordsOf(chunks: AsyncIterable<Uint8Array>, options: Options): AsyncGenerator<CsvRecord> {
  const parser = parse({
    // One character for each octet, so that a U+FFFD of the file is not mistaken for octets that are no UTF-8.
    encoding: 'latin1',
    info: true,
    max_record_size: LONGEST_RECORD,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    // Otherwise an error would drop the records that were read before it and not yet requested.
    autoDestroy: false,
    // One chunk at a time: the writer of the answer may be slower than the file.
    writableHighWaterMark: 1,
    ...options,
  } as Options);
  const source = Readable.from(chunks, { highWaterMark: 1 });
  // `emit`, not `destroy()`: the records that were read before the error can still be requested.
  source.on('error', (error) => parser.emit('error', error));
  source.pipe(parser);
  let line = 1;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: InfoRecord }>) {
      const isBlank = record.length === 1 && record[0] === '';
      const cells = record.map((cell) => Buffer.from(cell, 'latin1'));
      const broken = cells.every(isUtf8) ? null : 'the line is not UTF-8';
      if (!isBlank) yield { line, cells: cells.map(String), broken };
      line = info.lines + 1;
    }
  } catch (error) {
    const reason = END_OF_READING.get(codeOf(error) as CsvError['code']);
    if (reason === undefined) throw error;
    yield { line, cells: [], broken: reason, isLast: true };
  } finally {
    source.destroy();
  }
}

const END_OF_READING: ReadonlyMap<CsvError['code'], string> = new Map([
  ['CSV_QUOTE_NOT_CLOSED', 'a quote is not closed'],
  ['CSV_MAX_RECORD_SIZE', 'the line is too long'],
]);

/** Reads CSV as in RFC 4180, and its common variants. Throws RowFileFault when the line that names the columns cannot be read. */
async function readCsv(source: BegunSource, { wanted }: ReadingOptions): Promise<RowTable> {
  const { name, text, chunks } = source;
  const named = namedDelimiter(text);
  const delimiter = source.delimiter ?? named ?? findDelimiter(text, name);
  const records = recordsOf(chunks, { delimiter: Buffer.from(delimiter) });
  if (named !== undefined) await records.next();
  const head = (await records.next()).value;
  if (head === undefined) return { names: null, wanted, delimiter, rows: prepend([], []) };
  const header = readHeader(head.cells, wanted);
  if (head.broken && header.isThere) {
    throw new RowFileFault(`${name}:${head.line} ${head.broken}, and names the columns`);
  }
  const rows = header.isThere ? records : prepend([head], records);
  return { names: header.names, wanted: header.wanted, delimiter, rows: rowsOf(rows, header.names) };
}

function findDelimiter(text: string, name: string): string {
  const doubtful = doubtfulDelimiter(text);
  if (doubtful === undefined) return guessDelimiter(text);
  throw new RowFileFault(
    `${name}: does "${doubtful}" stand between its cells? --delimiter "${doubtful}" says so, --delimiter , that each line is one cell`,
  );
}

async function* rowsOf(records: AsyncIterable<CsvRecord>, names: readonly string[]): AsyncGenerator<Row> {
  for await (const record of records) {
    const { line, cells } = record;
    const values = Object.fromEntries(names.map((name, place) => [name, cells[place] ?? '']));
    const isWhole = cells.length === names.length;
    const misfit = isWhole ? null : `${cells.length} cells where the first line has ${names.length}`;
    yield { line, values, broken: reasonOf(record) ?? misfit };
  }
}

function reasonOf({ broken, isLast }: CsvRecord): string | null {
  return isLast ? `${broken}: nothing from here on is read` : broken;
}

/** One JSON object on each line. Throws RowFileFault where the first thousand lines hold none. */
async function readJsonl(
  { name, chunks }: BegunSource,
  { wanted, exactNumbers = false }: ReadingOptions,
): Promise<RowTable> {
  const rows = objectsOf(chunks, exactNumbers ? parseExactly : JSON.parse);
  const ahead: Row[] = [];
  for (let next = await rows.next(); !next.done; next = await rows.next()) {
    ahead.push(next.value);
    if (next.value.broken === null) {
      return { names: Object.keys(next.value.values), wanted, delimiter: null, rows: prepend(ahead, rows) };
    }
    if (ahead.length === MOST_BROKEN_AT_FIRST) {
      throw new RowFileFault(
        `${name}: the first ${ahead.length} lines are no JSON objects; is it of another format?`,
      );
    }
  }
  return { names: null, wanted, delimiter: null, rows: prepend(ahead, rows) };
}

/** Each line is one cell: JSON has no NUL. A line with NULs is joined again. */
const LINES: Options = { delimiter: '\0', quote: false, escape: false, record_delimiter: ['\r\n', '\n'] };

async function* objectsOf(chunks: AsyncIterable<Uint8Array>, parseJson: (text: string) => unknown) {
  for await (const record of recordsOf(chunks, LINES)) {
    const { line, cells } = record;
    const broken = reasonOf(record);
    const text = cells.join('\0');
    if (broken === null && text.trim() === '') continue;
    const values = broken === null ? objectOf(text, parseJson) : undefined;
    yield { line, values: values ?? {}, broken: values ? null : (broken ?? 'the line is no JSON object') };
  }
}

function objectOf(text: string, parseJson: (text: string) => unknown): Row['values'] | undefined {
  try {
    const value = parseJson(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Row['values']) : undefined;
  } catch {
    return undefined;
  }
}

// ECMA-262's "JSON.parse source text access"; the compiler's library does not know it yet.
interface JsonOfSource {
  parse(
    text: string,
    reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  /** Written by JSON.stringify as this text. Throws SyntaxError when it is no JSON, or no primitive. */
  rawJSON(text: string): unknown;
}

const { parse: parseWithSource, rawJSON } = JSON as unknown as JsonOfSource;

/**
 * Parses JSON so that JSON.stringify writes its numbers as they were, digit by digit: it would make 12345678901234567000 of
 * 12345678901234567890 and null of 1e400. Such a number is an object here, not a number. Throws SyntaxError.
 */
function parseExactly(text: string): unknown {
  return parseWithSource(text, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? rawJSON(source) : value,
  );
}
