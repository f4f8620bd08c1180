import type { LedgerEntry } from '../../rules/decision.ts';
import { describeEntry } from '../../rules/describe-entry.ts';
import type { Shell } from '../shell.ts';
import { signed } from './figures.ts';
import { styleOf } from './outcome-style.ts';
import { type Cell, renderTable } from './table.ts';

/** The account of a decision as a table whose last line is the sum. */
export function renderLedger(shell: Shell, ledger: readonly LedgerEntry[]): string {
  const sum = ledger.reduce((total, { points }) => total + points, 0);
  return renderTable(
    shell,
    ['kind', 'rule', 'group', '>points', 'saw'],
    [
      ...ledger.map((entry): Cell[] => [
        entry.kind,
        'id' in entry ? entry.id : null,
        'group' in entry ? entry.group : null,
        signed(entry.points),
        reasonOf(entry),
      ]),
      [{ text: 'sum', style: 'bold' }, null, null, { text: String(sum), style: 'bold' }, null],
    ],
  );
}

function reasonOf(entry: LedgerEntry): Cell {
  const text = describeEntry(entry);
  switch (entry.kind) {
    case 'force':
    case 'action':
      return { text, ...styleOf(entry.action) };
    case 'level':
      return { text, ...styleOf(entry.level) };
    default:
      return text;
  }
}
