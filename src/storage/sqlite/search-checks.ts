import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import {
  type Ask,
  type CheckFilter,
  type CheckSearch,
  type FoundChecks,
  LISTED_COLUMNS,
  type ListedCheck,
  type RecordedLabel,
  type WholeCheck,
} from '../../insights/insights-queries.ts';
import type { LedgerEntry } from '../../rules/decision.ts';
import type { CheckRow } from '../ports.ts';
import { findCheck, LABELS } from './replay-queries.ts';

/** SQL of a condition on rows named `c`, with the labels `own` and `person` beside them, and its parameters. */
type Condition = readonly [sql: string, ...parameters: SQLInputValue[]];

interface CheckConditions {
  /** These find the rows by an index: by id, by address, or by time. */
  readonly finding: readonly Condition[];
  /** These are looked at in each row. */
  readonly sifting: readonly Condition[];
  /** The table, as `FROM` has it. SQLite keeps no statistics here, and without them prefers the index that sorts. */
  readonly table: string;
}

function conditionsOf(filter: CheckFilter): CheckConditions {
  const { id, person, domain, rule, label } = filter;
  // The plus keeps SQLite from an index on the column: that of ids finds less.
  const c = id === undefined ? 'c' : '+c';
  return {
    table: id === undefined && person !== undefined ? 'checks c INDEXED BY checks_by_person' : 'checks c',
    finding: [
      ...where('c.id = ?', id),
      ...where('c.address_hmac = ?', person),
      ...where(`${c}.account_id = ?`, filter.accountId),
      ...where(`${c}.created_at >= ?`, filter.since),
    ],
    sifting: [
      ...where('c.key_id = ?', filter.key_id),
      ...where('c.action = ?', filter.action),
      ...where('c.risk_level = ?', filter.level),
      ...where('c.environment = ?', filter.environment),
      ...where('c.ruleset = ?', filter.ruleset),
      ...where('c.risk_score >= ?', filter.min_score),
      ...where('c.risk_score <= ?', filter.max_score),
      // `.example.org` is all below `example.org`, as in the lists.
      ...(domain?.startsWith('.')
        ? [['substr(c.domain, -length(?)) = ?', domain, domain] as const]
        : where('c.domain = ?', domain)),
      // Rules that stood aside are named in a ledger too: the reader of the rows makes sure.
      ...where('instr(c.ledger, ?) > 0', rule && JSON.stringify({ id: rule }).slice(1, -1)),
      ...where("coalesce(own.label, person.label, 'none') = ?", label),
    ],
  };
}

function where(sql: string, parameter: SQLInputValue | undefined): readonly Condition[] {
  return parameter === undefined ? [] : [[sql, parameter]];
}

function sqlOf(conditions: readonly Condition[]): string {
  return conditions.map(([sql]) => sql).join(' AND ');
}

function parametersOf(conditions: readonly Condition[]): readonly SQLInputValue[] {
  return conditions.flatMap(([, ...parameters]) => parameters);
}

/** A page that finds little looks at no more records than this: some tenths of a second. */
const MOST_LOOKED_AT = 20_000;

const OTHERS = 'c.ledger, c.unknown, coalesce(own.label, person.label) AS label';
const NEWEST_FIRST = 'ORDER BY c.created_at DESC, c.id DESC';

/** A record's place in the order of time; those of one millisecond are in the order of their ids. */
interface Place {
  readonly at: string;
  readonly id: string;
}

/** Beyond which is all that is asked for: of two bounds to one column SQLite would use but one, and it may be the other. */
function beginningOf(after: string | undefined, until = '~'): Place {
  const end = { at: until, id: '' };
  const place = after === undefined ? end : readPlace(after);
  return isBeyond(place, end) ? place : end;
}

type Row = Readonly<Record<string, SQLOutputValue>>;

/** A page begins where the one before ended, whatever was recorded or erased meanwhile. */
export function searchChecks(
  database: DatabaseSync,
  { after, limit, ...filter }: CheckSearch,
  mostLookedAt = MOST_LOOKED_AT,
): FoundChecks {
  const { table, finding, sifting } = conditionsOf(filter);
  const start = beginningOf(after, filter.until);
  const found = [...beyond(start), ...finding];
  const last = filter.id === undefined ? placeAt(database, mostLookedAt, table, found) : undefined;
  const conditions = [...found, ...where('c.created_at >= ?', last?.at), ...sifting];
  const rows = database
    .prepare(
      `SELECT ${LISTED_COLUMNS.map((column) => `c.${column}`).join(', ')}, ${OTHERS} FROM ${table} ${LABELS}
       WHERE ${sqlOf(conditions)} ${NEWEST_FIRST}`,
    )
    .iterate(...parametersOf(conditions));
  const checks: ListedCheck[] = [];
  let place = start;
  for (const row of rows) {
    const next = placeOf(row);
    if (last && isBeyond(next, last)) break;
    const ledger: readonly LedgerEntry[] = JSON.parse(String(row.ledger));
    if (filter.rule !== undefined && !ledger.some((entry) => hasFired(entry, filter.rule))) continue;
    if (checks.length === limit) return { checks, next: writePlace(place), searched_back_to: place.at };
    checks.push(toListed(row, ledger));
    place = next;
  }
  return { checks, next: last ? writePlace(last) : null, searched_back_to: last?.at ?? null };
}

/** The place of the last of so many records; undefined when there are no more than these. */
function placeAt(
  database: DatabaseSync,
  records: number,
  table: string,
  conditions: readonly Condition[],
): Place | undefined {
  const [last, more] = database
    .prepare(
      `SELECT c.created_at, c.id FROM ${table} WHERE ${sqlOf(conditions)} ${NEWEST_FIRST} LIMIT 2 OFFSET ?`,
    )
    .all(...parametersOf(conditions), records - 1);
  return last && more && placeOf(last);
}

function toListed(row: Row, ledger: readonly LedgerEntry[]): ListedCheck {
  // The columns are those of the table, which is strict: what comes back is what was written.
  const plain = Object.fromEntries(
    LISTED_COLUMNS.map((column) => [column, row[column]]),
  ) as unknown as ListedCheck;
  const points = new Map<string, number>();
  for (const entry of ledger) {
    if (entry.kind !== 'rule' && entry.kind !== 'absorbed' && entry.kind !== 'force') continue;
    points.set(entry.id, (points.get(entry.id) ?? 0) + entry.points);
  }
  return {
    ...plain,
    label: (row.label ?? null) as ListedCheck['label'],
    rules: [...points].map(([id, sum]) => ({ id, points: sum })).toSorted((a, b) => b.points - a.points),
    unknown: Object.keys(JSON.parse(String(row.unknown))),
  };
}

function hasFired(entry: LedgerEntry, rule: string | undefined): boolean {
  const { kind } = entry;
  return 'id' in entry && entry.id === rule && kind !== 'stood_aside' && kind !== 'absorbed';
}

function placeOf(row: Row): Place {
  return { at: String(row.created_at), id: String(row.id) };
}

function isBeyond(place: Place, other: Place): boolean {
  return place.at < other.at || (place.at === other.at && place.id < other.id);
}

function beyond({ at, id }: Place): readonly Condition[] {
  return [
    // For the index.
    ['c.created_at <= ?', at],
    ['(c.created_at, c.id) < (?, ?)', at, id],
  ];
}

function writePlace({ at, id }: Place): string {
  return `${at}.${id}`;
}

/** Characters of an instant. */
const INSTANT = '2026-11-20T10:00:00.000Z'.length;

/** What `writePlace` wrote. */
function readPlace(text: string): Place {
  if (text[INSTANT] !== '.') throw new Error('a search goes on after a place that no search named');
  return { at: text.slice(0, INSTANT), id: text.slice(INSTANT + 1) };
}

/** Null too where it is another account's. */
export function readCheck(database: DatabaseSync, { id, accountId }: Ask<'check'>): WholeCheck | null {
  const row = findCheck(database, id);
  if (!row || (accountId !== undefined && row.account_id !== accountId)) return null;
  const version = database
    .prepare(
      `SELECT version FROM rule_versions WHERE hash = ? AND reason <> 'draft' AND at <= ?
       ORDER BY version DESC LIMIT 1`,
    )
    .get(row.ruleset, row.created_at)?.version;
  return { row, labels: labelsOf(database, row), version: version === undefined ? null : Number(version) };
}

function labelsOf(database: DatabaseSync, row: CheckRow): readonly RecordedLabel[] {
  const labels = database
    .prepare(
      `SELECT iif(check_id IS NULL, 'person', 'check') AS "of", label, source, author, labelled_at
       FROM labels WHERE check_id = ? OR (address_hmac = ? AND account_id = ?) ORDER BY check_id IS NULL`,
    )
    .all(row.id, row.address_hmac, row.account_id);
  return labels.map((label) => ({ ...label }) as unknown as RecordedLabel);
}
