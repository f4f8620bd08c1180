import Table from 'cli-table3';
import type { Shell, Style } from '../shell.ts';
import { printable } from './printable.ts';

/** A list becomes one line each. */
export type Cell =
  | string
  | number
  | null
  | readonly string[]
  | { readonly text: string; readonly style?: Style };

/** A heading; with `>` before it the column is aligned to the right. */
export type Heading = string;

/** What a table shows, in whatever form. */
export interface TableContent {
  readonly headings: readonly Heading[];
  readonly rows: readonly (readonly Cell[])[];
}

const NO_RULES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

/** Columns under headings, without rules, so that it can be cut and pasted. */
export function renderTable(
  shell: Shell,
  headings: readonly Heading[],
  rows: readonly (readonly Cell[])[],
): string {
  const table = new Table({
    head: headings.map((heading) => shell.paint('bold', heading.replace(/^>/, ''))),
    colAligns: headings.map((heading) => (heading.startsWith('>') ? 'right' : 'left')),
    chars: NO_RULES,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
  });
  for (const row of rows) table.push(row.map((cell) => renderCell(shell, cell)));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
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
 * Text from outside as Markdown that reads just so: no mark-up, HTML, link, formula or reference comes of it, and it stays in its line
 * and its cell. What means nothing where it stands, an underscore between letters for example, is left, so that the source reads well.
 * GitHub looks for mentions in what it has rendered, where an escape is gone: only an element between keeps `@name` from being told.
 */
export function escapeMarkdown(text: string): string {
  return printable(text)
    .replace(/[\\`*[\]<>&|~$#]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:(?![\s\d]|$)|(?<=www)\./giu, '\\$&')
    .replace(/@(?=[\p{L}\p{N}])/gu, '@<!-- -->');
}

/** What keeps the figures of a report from being the whole truth, a line each; empty where nothing does. */
export function renderCaveats(shell: Shell, caveats: readonly string[]): string {
  return caveats.map((caveat) => shell.paint('yellow', `note: ${printable(caveat)}`)).join('\n');
}
