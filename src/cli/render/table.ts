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
