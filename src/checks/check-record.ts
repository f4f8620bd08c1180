import type { Facts, LedgerEntry } from '../rules/decision.ts';
import type { CheckRow } from '../storage/ports.ts';
import { parseChallenge, type RecordedChallenge } from './recorded-challenge.ts';

type JsonColumn =
  | 'facts'
  | 'unknown'
  | 'evidence'
  | 'ledger'
  | 'timings'
  | 'sources'
  | 'challenger'
  | 'shadow_rules';

/** A row of `checks` with its JSON columns parsed. */
export interface CheckRecord extends Omit<CheckRow, JsonColumn> {
  readonly facts: Facts;
  readonly unknown: Readonly<Record<string, string>>;
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly ledger: readonly LedgerEntry[];
  readonly timings: Readonly<Record<string, number>>;
  readonly sources: Readonly<Record<string, string>>;
  readonly challenger: RecordedChallenge | null;
  readonly shadow_rules: Readonly<Record<string, string>> | null;
}

/** Throws where the database has lost what a check shares with others. */
export function parseRecord(row: CheckRow): CheckRecord {
  return {
    ...row,
    facts: parseShared(row, 'facts'),
    unknown: JSON.parse(row.unknown),
    evidence: JSON.parse(row.evidence),
    ledger: JSON.parse(row.ledger),
    timings: parseShared(row, 'timings'),
    sources: parseShared(row, 'sources'),
    challenger: row.challenger === null ? null : parseChallenge(row.challenger),
    shadow_rules: row.shadow_rules === null ? null : JSON.parse(row.shadow_rules),
  };
}

function parseShared<Column extends 'facts' | 'timings' | 'sources'>(
  row: CheckRow,
  column: Column,
): CheckRecord[Column] {
  const text: string | null = row[column];
  if (text !== null) return JSON.parse(text);
  throw new Error(`the ${column} of the check ${row.id} cannot be read: check_texts has not what they share`);
}
