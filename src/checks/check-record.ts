import type { Action, Facts, LedgerEntry, Level, Outcome } from '../rules/decision.ts';
import type { FactCatalogue } from '../signals/signals.ts';
import type { CheckRow } from '../storage/ports.ts';

/** The column `challenger` of a record. No fact and no rule is in it, so nothing personal can be. */
export interface RecordedChallenge {
  readonly ruleset: string;
  readonly action: Action;
  readonly risk_score: number;
  readonly risk_level: Level;
}

export function writeChallenge({ ruleset, action, score, level }: Outcome): string {
  const recorded: RecordedChallenge = { ruleset, action, risk_score: score, risk_level: level };
  return JSON.stringify(recorded);
}

export function parseChallenge(json: string): RecordedChallenge {
  return JSON.parse(json);
}

/** The reason for a fact that was declared after the check. */
export const NOT_RECORDED = 'not_recorded';

export interface RecordedFacts {
  readonly facts: Facts;
  /** Why each null is null. */
  readonly unknown: Readonly<Record<string, string>>;
}

/**
 * The facts of a record as the rules of today read them. One that was declared since is unknown; one that is no longer declared
 * is left out.
 */
export function recordedFacts(
  { facts, unknown }: Pick<CheckRecord, 'facts' | 'unknown'>,
  { facts: declared }: FactCatalogue,
): RecordedFacts {
  const ids = [...declared.keys()];
  const known = Object.fromEntries(ids.map((id) => [id, facts[id] ?? null]));
  const open = ids.filter((id) => known[id] === null);
  return {
    facts: known,
    unknown: Object.fromEntries(open.map((id) => [id, unknown[id] ?? NOT_RECORDED])),
  };
}

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
