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

export function parseRecord(row: CheckRow): CheckRecord {
  return {
    ...row,
    facts: JSON.parse(row.facts),
    unknown: JSON.parse(row.unknown),
    evidence: JSON.parse(row.evidence),
    ledger: JSON.parse(row.ledger),
    timings: JSON.parse(row.timings),
    sources: JSON.parse(row.sources),
    challenger: row.challenger === null ? null : parseChallenge(row.challenger),
    shadow_rules: row.shadow_rules === null ? null : JSON.parse(row.shadow_rules),
  };
}
