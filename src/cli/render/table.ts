import Table from 'cli-table3';
import { printable, type Shell, type Style } from '../shell.ts';

/** The items of a list stand in a line each. */
export type Cell =
  | string
  | number
  | null
  | readonly string[]
  | { readonly text: string; readonly style?: Style | undefined };

/** A table before it is printed, for a terminal or as Markdown. */
export interface TableContent {
  /** With `>` before it the column is aligned to the right. */
  readonly headings: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Nothing between rows and around the table, two blanks between columns. */
const NO_RULES = {
  ...Object.fromEntries(Object.keys(new Table().options.chars).map((name) => [name, ''])),
  middle: '  ',
};

/** The library's time for a table grows with the square of its rows, and 120,000 rows overflow its stack. */
const ROWS_AT_ONCE = 100;

/** Columns under headings, without rules, so that it can be cut and pasted. */
export function renderTable(shell: Shell, { headings, rows }: TableContent): string {
  const head = headings.map((heading) => shell.paint('bold', heading.replace(/^>/, '')));
  const layOut = (place: number, colWidths: readonly number[] = []) => {
    const table = new Table({
      head: place === 0 ? head : [],
      colAligns: headings.map((heading) => (heading.startsWith('>') ? 'right' : 'left')),
      colWidths: [...colWidths],
      chars: NO_RULES,
      style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
    });
    const some = rows.slice(place, place + ROWS_AT_ONCE);
    for (const row of some) table.push(row.map((cell) => renderCell(shell, cell)));
    // After `toString`, the table's options have the widths of its columns.
    return { text: table.toString(), widths: table.options.colWidths };
  };
  const parts = Math.ceil(rows.length / ROWS_AT_ONCE) || 1;
  const places = Array.from({ length: parts }, (_, part) => part * ROWS_AT_ONCE);
  // Every part gets the widths that the widest cells of all parts need.
  const needed = places.map((place) => layOut(place).widths);
  const widths = headings.map((_, column) =>
    needed.reduce((most, widthsOfPart) => Math.max(most, widthsOfPart[column] ?? 0), 0),
  );
  return places
    .flatMap((place) => layOut(place, widths).text.split('\n'))
    .map((line) => line.trimEnd())
    .join('\n');
}

export function printTable(shell: Shell, headings: readonly string[], rows: readonly (readonly Cell[])[]) {
  shell.print(renderTable(shell, { headings, rows }));
}

/** The answer of a command that lists something: `value` under `--json`, else a table. */
export function answerTable(
  shell: Shell,
  value: unknown,
  headings: readonly string[],
  rows: TableContent['rows'],
): void {
  shell.answer(value, () => printTable(shell, headings, rows));
}

function renderCell(shell: Shell, cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return printable(cell);
  if (typeof cell === 'number') return String(cell);
  if ('text' in cell) return shell.paint(cell.style, printable(cell.text));
  return cell.map(printable).join('\n');
}

/** A table of GitHub Flavored Markdown, github.github.com/gfm/#tables-extension-; colours have no place in it. */
export function renderMarkdownTable({ headings, rows }: TableContent): string {
  const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    lineOf(headings.map((heading) => escapeMarkdown(heading.replace(/^>/, '')))),
    lineOf(headings.map((heading) => (heading.startsWith('>') ? '---:' : '---'))),
    ...rows.map((row) => lineOf(row.map(markdownCell))),
  ].join('\n');
}

function markdownCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'string' || typeof cell === 'number') return escapeMarkdown(String(cell));
  return 'text' in cell ? escapeMarkdown(cell.text) : cell.map(escapeMarkdown).join('<br>');
}

/**
 * Text from outside as Markdown that shows it unchanged: it becomes no mark-up, HTML, link, formula or reference, and stays in its line
 * and its cell. A character without meaning where it stands, such as an underscore between letters, is not escaped: the source reads well.
 * GitHub looks for mentions in the rendered text, where escapes are gone: only an element after the `@` keeps it from telling `@name`.
 */
export function escapeMarkdown(text: string): string {
  return printable(text)
    .replace(/[\\`*[\]<>&|~$#]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:(?![\s\d]|$)|(?<=www)\./giu, '\\$&')
    .replace(/@(?=[\p{L}\p{N}])/gu, '@<!-- -->');
}

/** The parts of a report with a blank line between them; empty ones are left out. */
export function printBlocks(shell: Shell, blocks: readonly string[]): void {
  shell.print(blocks.filter((block) => block !== '').join('\n\n'));
}

/** The limits of a report's figures, a line each; empty where there are none. */
export function renderCaveats(shell: Shell, caveats: readonly string[]): string {
  return caveats.map((caveat) => shell.paint('yellow', `note: ${printable(caveat)}`)).join('\n');
}
