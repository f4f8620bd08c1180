import type { LedgerEntry } from '../../../api/checks.ts';

/** One line of either ledger, or of both: points, or an action. */
export interface ComparedEntry {
  readonly name: string;
  /** Null where that side has no such line. */
  readonly before: number | string | null;
  readonly after: number | string | null;
}

/** The kinds of entries that make the score and the action; the others are on the check's own page. */
const SHOWN = ['force', 'rule', 'absorbed', 'cap', 'bound', 'action'];

/** The lines of two ledgers of one check, side by side, in the order of a ledger. */
export function compareLedgers(
  base: readonly LedgerEntry[],
  candidate: readonly LedgerEntry[],
): readonly ComparedEntry[] {
  const [before, after] = [linesOf(base), linesOf(candidate)];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const order = (name: string) => SHOWN.findIndex((kind) => name.startsWith(`${kind}:`));
  return names
    .toSorted((a, b) => order(a) - order(b))
    .map((name) => ({
      name: name.slice(name.indexOf(':') + 1),
      before: before.get(name) ?? null,
      after: after.get(name) ?? null,
    }));
}

function linesOf(entries: readonly LedgerEntry[]): ReadonlyMap<string, number | string> {
  return new Map(
    entries
      .filter(({ kind }) => SHOWN.includes(kind))
      .map((entry) => [
        // The action is one line, whichever rule made it.
        entry.kind === 'action' ? 'action:action' : `${entry.kind}:${nameOf(entry)}`,
        entry.kind === 'action' || entry.kind === 'force' ? entry.action : entry.points,
      ]),
  );
}

function nameOf(entry: LedgerEntry): string {
  if (entry.kind === 'cap') return `cap of ${entry.group}`;
  if (entry.kind === 'bound') return 'kept within 0 to 100';
  if (entry.kind === 'absorbed') return `${entry.id}, absorbed by ${entry.by}`;
  return entry.id ?? 'no rule';
}
