import { parse } from 'csv-parse/sync';
import { codeOf } from '../thrown.ts';
import type { Line } from './read-lines.ts';

/** A line, or several where a quoted cell spans them. */
export interface CsvRecord {
  /** Of the line that it begins with. */
  readonly line: number;
  /** Of a broken line what lies between delimiters, for a person to recognise it by. */
  readonly cells: readonly string[];
  /** Why the line could not be read; null when it could. */
  readonly broken: string | null;
}

/** How far a quoted cell may reach, so that one stray quote costs its own line and not the rest of the file. */
const LONGEST_RECORD = { lines: 100, characters: 65_536 };

/** Records of RFC 4180, and what people have instead of it: a line that cannot be read spoils no other. */
export async function* readCsvRecords(
  lines: AsyncIterator<Line>,
  delimiter: string,
): AsyncGenerator<CsvRecord> {
  /** Lines that were looked at in vain, to be read again on their own. */
  const ahead: Line[] = [];
  const next = async () => ahead.shift() ?? (await lines.next()).value;
  let width: number | undefined;

  for (let line: Line | undefined = await next(); line; line = await next()) {
    if (line.text === '') continue;
    let reading = readCells(line.text, delimiter);
    if (reading.isOpen && !line.isForeign) {
      const joined = await joinLines(line, next, delimiter);
      const isWhole = joined.cells !== undefined && (width === undefined || joined.cells.length === width);
      if (isWhole) reading = { cells: joined.cells, isOpen: false };
      else ahead.unshift(...joined.lines);
    }
    const { cells } = reading;
    width ??= cells?.length;
    yield line.isForeign || cells === undefined || cells.length !== width
      ? {
          line: line.number,
          cells: cells ?? line.text?.split(delimiter) ?? [],
          broken: reasonOf(line, cells, width),
        }
      : { line: line.number, cells, broken: null };
  }
}

interface Reading {
  readonly cells: readonly string[] | undefined;
  /** A quote was opened and not closed. */
  readonly isOpen: boolean;
}

function readCells(text: string | null, delimiter: string): Reading {
  if (text === null) return { cells: undefined, isOpen: false };
  // Without a quote there is nothing to parse, and most lines have none.
  if (!text.includes('"')) return { cells: text.split(delimiter), isOpen: false };
  // `"jane doe"@x.org` and `5" disk`, written by programs that never heard of quoting.
  return parseRecord(text, delimiter, true);
}

function parseRecord(text: string, delimiter: string, relaxed: boolean): Reading {
  try {
    const records: readonly string[][] = parse(text, {
      delimiter,
      relax_quotes: relaxed,
      relax_column_count: true,
      // No line end inside of a record ends it here: lines were joined on purpose.
      record_delimiter: '\0',
    });
    return { cells: records.length === 1 ? records[0] : undefined, isOpen: false };
  } catch (error) {
    const isOpen = codeOf(error) === 'CSV_QUOTE_NOT_CLOSED';
    return { cells: undefined, isOpen };
  }
}

/** Adds lines until the quote is closed. `lines` are those that were taken. */
async function joinLines(
  first: Line,
  next: () => Promise<Line | undefined>,
  delimiter: string,
): Promise<{ readonly cells: readonly string[] | undefined; readonly lines: readonly Line[] }> {
  const lines: Line[] = [];
  let text = first.text ?? '';
  while (lines.length < LONGEST_RECORD.lines && text.length < LONGEST_RECORD.characters) {
    const line = await next();
    if (!line) break;
    lines.push(line);
    if (line.text === null || line.isForeign) break;
    text += `\n${line.text}`;
    if (!line.text.includes('"')) continue;
    const { cells, isOpen } = parseRecord(text, delimiter, false);
    if (cells) return { cells, lines };
    if (!isOpen) break;
  }
  return { cells: undefined, lines };
}

function reasonOf(line: Line, cells: readonly string[] | undefined, width: number | undefined): string {
  if (line.text === null) return 'the line is too long';
  if (line.isForeign) return 'the line is not UTF-8';
  if (cells === undefined) return 'a quote is not closed';
  return `${cells.length} cells where the first line has ${width}`;
}
