import type { Action, Decision, LedgerEntry, Level } from '../../rules/decision.ts';
import { describeEntry } from '../../rules/ledger.ts';
import { describeSide, type SideOfRollout } from '../../rules/rollout.ts';
import type { Shell, Style } from '../shell.ts';
import { signed } from './figures.ts';
import { printable } from './printable.ts';
import { type Cell, renderTable, type TableContent } from './table.ts';

const STYLES: Readonly<Record<Action | Level, Style>> = {
  ALLOW: 'green',
  BLOCK: ['red', 'bold'],
  low: 'green',
  medium: 'yellow',
  high: 'red',
};

/** None for a word that only another version has. */
export function styleOf(outcome: string): Style | undefined {
  return Object.entries(STYLES).find(([name]) => name === outcome)?.[1];
}

/** `BLOCK   85  high    jane@mailinator.com`, and the remarks behind it. */
export function renderOutcome(
  shell: Shell,
  { action, score, level }: Pick<Decision, 'action' | 'score' | 'level'>,
  name: string,
  remarks: readonly string[] = [],
): string {
  return [
    shell.paint(styleOf(action), action),
    String(score).padStart(3),
    shell.paint(styleOf(level), level.padEnd(6)),
    printable(name),
    ...remarks,
  ].join('  ');
}

export function indent(block: string): string {
  return block.replace(/^(?=.)/gm, '  ');
}

/** The account of a decision as a table whose last line is the sum. */
export function renderLedger(shell: Shell, ledger: readonly LedgerEntry[]): string {
  return renderTable(shell, ledgerTable(ledger));
}

export function ledgerTable(ledger: readonly LedgerEntry[]): TableContent {
  const sum = ledger.reduce((total, { points }) => total + points, 0);
  return {
    headings: ['kind', 'rule', 'group', '>points', 'saw'],
    rows: [
      ...ledger.map((entry): Cell[] => [
        entry.kind,
        'id' in entry ? entry.id : null,
        'group' in entry ? entry.group : null,
        signed(entry.points),
        reasonOf(entry),
      ]),
      [{ text: 'sum', style: 'bold' }, null, null, { text: String(sum), style: 'bold' }, null],
    ],
  };
}

function reasonOf(entry: LedgerEntry): Cell {
  const text = describeEntry(entry);
  switch (entry.kind) {
    case 'force':
    case 'action':
      return { text, style: styleOf(entry.action) };
    case 'level':
      return { text, style: styleOf(entry.level) };
    default:
      return text;
  }
}

/** Facts that are unknown, each with its reason. */
export function renderReasons(shell: Shell, unknown: Readonly<Record<string, string>>): string {
  return renderTable(shell, { headings: ['unknown', 'because'], rows: Object.entries(unknown) });
}

/** Below an outcome: its ledger, and the facts that are unknown. */
export function printReasons(
  shell: Shell,
  ledger: readonly LedgerEntry[],
  unknown: Readonly<Record<string, string>>,
): void {
  shell.print(`\n${indent(renderLedger(shell, ledger))}`);
  if (Object.keys(unknown).length > 0) shell.print(`\n${indent(renderReasons(shell, unknown))}`);
}

/** On which side of rollouts a person is, a rule a line; nothing where no rule of the ledger is rolled out. */
export function printSides(shell: Shell, sides: readonly SideOfRollout[]): void {
  if (sides.length > 0) shell.print('');
  for (const side of sides) shell.print(`${side.rule}: ${describeSide(side)}`);
}
