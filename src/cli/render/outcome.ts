import { percent, type Share, whole } from '../../lib/statistics.ts';
import { type Counts, totalOf } from '../../rule-lab/backtest/tally.ts';
import type { Action, Decision, LedgerEntry, Level } from '../../rules/decision.ts';
import { describeEntry } from '../../rules/ledger.ts';
import { describeSide, type SideOfRollout } from '../../rules/rollout.ts';
import { printable, type Shell, type Style } from '../shell.ts';
import { type Cell, renderTable, type TableContent } from './table.ts';

const STYLES: ReadonlyMap<string, Style> = new Map<Action | Level, Style>([
  ['ALLOW', 'green'],
  ['BLOCK', ['red', 'bold']],
  ['low', 'green'],
  ['medium', 'yellow'],
  ['high', 'red'],
]);

/** Undefined for a word that only another version of Postern has. */
export function styleOf(outcome: string): Style | undefined {
  return STYLES.get(outcome);
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

/** The ledger of a decision as a table whose last line is the sum. */
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
  const outcome = 'action' in entry ? entry.action : 'level' in entry ? entry.level : null;
  return { text: describeEntry(entry), style: outcome === null ? undefined : styleOf(outcome) };
}

/** Facts that are unknown, by reason. */
export function renderUnknown(shell: Shell, unknown: Readonly<Record<string, string>>): string {
  const byReason = Map.groupBy(Object.entries(unknown), ([, reason]) => reason);
  const rows = [...byReason].map(([reason, facts]) => [reason, facts.map(([fact]) => fact).join(', ')]);
  return renderTable(shell, { headings: ['because', 'unknown'], rows });
}

/** Below an outcome: its ledger, and the facts that are unknown. */
export function printReasons(
  shell: Shell,
  ledger: readonly LedgerEntry[],
  unknown: Readonly<Record<string, string>>,
): void {
  shell.print(`\n${indent(renderLedger(shell, ledger))}`);
  if (Object.keys(unknown).length > 0) shell.print(`\n${indent(renderUnknown(shell, unknown))}`);
}

/** Why the side of a rollout cannot be told although the address is known. */
const NO_KEY = 'the key by which addresses are hashed is missing, or cannot be used';

/** On which side of rollouts a person is, a rule a line; nothing where no rule of the ledger is rolled out. */
export function printSides(shell: Shell, sides: readonly SideOfRollout[], isAddressKnown: boolean): void {
  if (sides.length > 0) shell.print('');
  const because = isAddressKnown ? NO_KEY : undefined;
  for (const side of sides) shell.print(`${side.rule}: ${describeSide(side, because)}`);
}

/** `12.5 % (3.1 to 40.2)`; a dash where there is nothing to take a share of. */
export function describeShare({ share, low, high }: Pick<Share, 'share' | 'low' | 'high'>): string {
  if (share === null) return '–';
  return `${percent(share)} (${(low * 100).toFixed(1)} to ${(high * 100).toFixed(1)})`;
}

/** `+3`, `-2`, `0` */
export function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value);
}

/** `12 good, 3 bad, 0 unlabelled` */
export function describeCounts({ good, bad, unlabelled }: Counts): string {
  return `${whole(good)} good, ${whole(bad)} bad, ${whole(unlabelled)} unlabelled`;
}

export type FlipDirection = 'to_block' | 'to_allow';

/** `ALLOW → BLOCK: 12 (2 good, 7 bad, 3 unlabelled)` */
export function describeFlipCounts(direction: FlipDirection, counts: Counts): string {
  const name = direction === 'to_block' ? 'ALLOW → BLOCK' : 'BLOCK → ALLOW';
  const total = totalOf(counts);
  return total === 0 ? `${name}: none` : `${name}: ${whole(total)} (${describeCounts(counts)})`;
}
