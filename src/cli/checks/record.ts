import { parseChallenge, type RecordedChallenge } from '../../checks/recorded-challenge.ts';
import type { Facts, LedgerEntry } from '../../rules/decision.ts';
import type { CheckRow } from '../../storage/ports.ts';
import { renderLedger } from '../render/ledger.ts';
import { styleOf } from '../render/outcome-style.ts';
import { renderReasons } from '../render/reasons.ts';
import { type Cell, renderTable } from '../render/table.ts';
import type { Shell } from '../shell.ts';

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

export function printRecord(shell: Shell, record: CheckRecord): void {
  const { action, risk_level: level } = record;
  const known = Object.entries(record.facts).filter(([, value]) => value !== null);
  const blocks = [
    renderTable(
      shell,
      ['check', record.id],
      [
        ['created', record.created_at],
        ['action', { text: action, ...styleOf(action) }],
        ['score', { text: `${record.risk_score} ${level}`, ...styleOf(level) }],
        ['address', record.address ?? hiddenAddress(record)],
        ['account', record.account_id],
        ['key', `${record.key_id} (${record.environment})`],
        ['ruleset', record.ruleset],
        ...(record.challenger ? [challengeRow(record.challenger)] : []),
      ],
    ),
    renderLedger(shell, record.ledger),
    renderTable(
      shell,
      ['fact', 'value'],
      known.map(([id, value]) => [id, String(value)]),
    ),
    ...(Object.keys(record.unknown).length === 0 ? [] : [renderReasons(shell, record.unknown)]),
    renderTable(
      shell,
      ['provider', '>µs', 'data', 'evidence'],
      Object.entries(record.timings).map(([id, tookUs]) => [
        id,
        tookUs,
        record.sources[id] ?? null,
        record.evidence[id] === undefined ? null : JSON.stringify(record.evidence[id]),
      ]),
    ),
  ];
  shell.print(blocks.join('\n\n'));
}

/** What `rules.challenger_dir` would have answered; nobody was told. */
function challengeRow({ ruleset, action, risk_score, risk_level }: RecordedChallenge): readonly Cell[] {
  return ['challenger', { text: `${action} ${risk_score} ${risk_level}, by ${ruleset}`, ...styleOf(action) }];
}

/** Privacy decides what is there: a hash beside the domain, or nothing. */
function hiddenAddress({ domain }: CheckRecord): string {
  return domain === null ? 'not stored' : `(hashed) at ${domain}`;
}
