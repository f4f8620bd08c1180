import type { Facts, LedgerEntry } from '../../rules/decision.ts';
import type { Shell } from '../shell.ts';
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

function signed(points: number): string {
  return points > 0 ? `+${points}` : String(points);
}

function reasonOf(entry: LedgerEntry): Cell {
  switch (entry.kind) {
    case 'rule':
      return describeFacts(entry.saw);
    case 'force':
    case 'action':
      return { text: because(entry.action, entry.saw), ...styleOf(entry.action) };
    case 'level':
      return { text: because(entry.level, entry.saw), ...styleOf(entry.level) };
    case 'absorbed':
      return `replaced by ${entry.by}`;
    case 'cap':
      return `the group counts up to ${entry.max_score}`;
    case 'bound':
      return `kept within ${entry.min} to ${entry.max}`;
    case 'stood_aside':
      return `unknown: ${entry.unknown.join(', ')}`;
    case 'shadow':
      return `would add ${signed(entry.would_add)}: ${describeFacts(entry.saw)}`;
  }
}

function because(outcome: string, saw: Facts): string {
  const facts = describeFacts(saw);
  return facts === '' ? outcome : `${outcome}: ${facts}`;
}

/** `domain.has_mx=false, mx.outcome=nxdomain` */
export function describeFacts(facts: Facts): string {
  return Object.entries(facts)
    .map(([id, value]) => `${id}=${value ?? 'unknown'}`)
    .join(', ');
}
