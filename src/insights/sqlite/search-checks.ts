import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { LedgerEntry } from '../../rules/decision.ts';
import type { CheckRow } from '../../storage/ports.ts';
import { CHECK_COLUMNS } from '../../storage/sqlite/check-columns.ts';
import type {
  Ask,
  CheckFilter,
  CheckSearch,
  FoundChecks,
  ListedCheck,
  RecordedLabel,
  WholeCheck,
} from '../insights-queries.ts';

interface Conditions {
  readonly sql: readonly string[];
  readonly parameters: readonly SQLInputValue[];
}

/** Of rows named `c`, with the labels `own` and `person` beside them. */
interface CheckConditions {
  /** These find the rows by an index: by id, by address, or by time. */
  readonly finding: Conditions;
  /** These are looked at in each row. */
  readonly sifting: Conditions;
  /** The table, as `FROM` has it. SQLite keeps no statistics here, and without them prefers the index that sorts. */
  readonly table: string;
  /** Whether there is one row at most. */
  readonly isOfOne: boolean;
}

type Pair = readonly [sql: string, ...values: SQLInputValue[]];

function conditionsOf(filter: CheckFilter): CheckConditions {
  const { id, addressHmac } = filter;
  if (id !== undefined) {
    return {
      table: 'checks c',
      finding: gather([pair('c.id = ?', id)]),
      sifting: gather([...byTime('+c', filter), ...byAddress(addressHmac), ...byContent(filter)]),
      isOfOne: true,
    };
  }
  return {
    table: addressHmac === undefined ? 'checks c' : 'checks c INDEXED BY checks_by_person',
    finding: gather([...byAddress(addressHmac), ...byTime('c', filter)]),
    sifting: gather(byContent(filter)),
    isOfOne: false,
  };
}

/** The plus keeps SQLite from an index on the column: another one finds less. */
function byTime(c: 'c' | '+c', { accountId, since, until }: CheckFilter): readonly Pair[] {
  return [
    ...(accountId === undefined ? [] : [pair(`${c}.account_id = ?`, accountId)]),
    ...(since === undefined ? [] : [pair(`${c}.created_at >= ?`, since)]),
    ...(until === undefined ? [] : [pair(`${c}.created_at < ?`, until)]),
  ];
}

function byAddress(addressHmac: string | undefined): readonly Pair[] {
  return addressHmac === undefined ? [] : [pair('c.address_hmac = ?', addressHmac)];
}

function byContent(filter: CheckFilter): readonly Pair[] {
  const { domain, rule, label, minScore, maxScore } = filter;
  return [
    ...equal('c.key_id', filter.keyId),
    ...equal('c.action', filter.action),
    ...equal('c.risk_level', filter.level),
    ...equal('c.environment', filter.environment),
    ...equal('c.ruleset', filter.ruleset),
    ...(minScore === undefined ? [] : [pair('c.risk_score >= ?', minScore)]),
    ...(maxScore === undefined ? [] : [pair('c.risk_score <= ?', maxScore)]),
    ...(domain === undefined ? [] : [ofDomain(domain)]),
    // Rules that stood aside are named in a ledger too: the reader of the rows makes sure.
    ...(rule === undefined
      ? []
      : [pair('instr(c.ledger, ?) > 0', JSON.stringify({ id: rule }).slice(1, -1))]),
    ...(label === undefined ? [] : [ofLabel(label)]),
  ];
}

/** `.example.org` is all below `example.org`, as in the lists. */
function ofDomain(domain: string): Pair {
  return domain.startsWith('.')
    ? pair('substr(c.domain, -length(?)) = ?', domain, domain)
    : pair('c.domain = ?', domain);
}

function ofLabel(label: NonNullable<CheckFilter['label']>): Pair {
  return label === 'none'
    ? pair('coalesce(own.label, person.label) IS NULL')
    : pair('coalesce(own.label, person.label) = ?', label);
}

function equal(column: string, value: string | undefined): readonly Pair[] {
  return value === undefined ? [] : [pair(`${column} = ?`, value)];
}

function pair(sql: string, ...values: readonly SQLInputValue[]): Pair {
  return [sql, ...values];
}

function gather(pairs: readonly Pair[]): Conditions {
  return { sql: pairs.map(([sql]) => sql), parameters: pairs.flatMap(([, ...values]) => values) };
}

/** A page that finds little looks at no more records than this: some tenths of a second. */
const MOST_LOOKED_AT = 20_000;

const COLUMNS = [
  'id',
  'created_at',
  'account_id',
  'key_id',
  'environment',
  'action',
  'risk_score',
  'risk_level',
  'ruleset',
  'domain',
  'address',
  'duration_us',
] as const satisfies readonly (keyof ListedCheck)[];
const OTHERS = 'c.ledger, c.unknown, coalesce(own.label, person.label) AS label';
const LABELS = `LEFT JOIN labels own ON own.check_id = c.id
  LEFT JOIN labels person ON person.address_hmac = c.address_hmac AND person.account_id = c.account_id`;
const NEWEST_FIRST = 'ORDER BY c.created_at DESC, c.id DESC';
/** The first half is for the index. */
const BEYOND = 'c.created_at <= ? AND (c.created_at, c.id) < (?, ?)';

/** A record's place in the order of time; those of one millisecond are in the order of their ids. */
interface Place {
  readonly at: string;
  readonly id: string;
}

/** Beyond which are all. */
const BEGINNING: Place = { at: '~', id: '' };

type Row = Readonly<Record<string, SQLOutputValue>>;

/** See `Questions.search`. A page begins where the one before ended, whatever was recorded or erased meanwhile. */
export function searchChecks(
  database: DatabaseSync,
  { after, limit, ...filter }: CheckSearch,
  mostLookedAt = MOST_LOOKED_AT,
): FoundChecks {
  const conditions = conditionsOf(filter);
  const { table, finding, sifting, isOfOne } = conditions;
  const start = after === undefined ? BEGINNING : readPlace(after);
  const last = isOfOne ? undefined : placeBeyond(database, conditions, start, mostLookedAt);
  const where = [BEYOND, ...(last ? ['c.created_at >= ?'] : []), ...finding.sql, ...sifting.sql];
  const rows = database
    .prepare(
      `SELECT ${COLUMNS.map((column) => `c.${column}`).join(', ')}, ${OTHERS} FROM ${table} ${LABELS}
       WHERE ${where.join(' AND ')} ${NEWEST_FIRST}`,
    )
    .iterate(...beyond(start), ...(last ? [last.at] : []), ...finding.parameters, ...sifting.parameters);
  const checks: ListedCheck[] = [];
  let place = start;
  for (const row of rows) {
    const next = placeOf(row);
    if (last && isBeyond(next, last)) break;
    const ledger: readonly LedgerEntry[] = JSON.parse(String(row.ledger));
    if (filter.rule !== undefined && !ledger.some((entry) => hasFired(entry, filter.rule))) continue;
    if (checks.length === limit) return { checks, next: writePlace(place), searchedBackTo: place.at };
    checks.push(toListed(row, ledger));
    place = next;
  }
  return { checks, next: last ? writePlace(last) : null, searchedBackTo: last?.at ?? null };
}

/** The place of the last of so many records; undefined when there are no more than these. */
function placeBeyond(
  database: DatabaseSync,
  { table, finding }: CheckConditions,
  start: Place,
  records: number,
): Place | undefined {
  const row = database
    .prepare(
      `SELECT c.created_at, c.id FROM ${table}
       WHERE ${[BEYOND, ...finding.sql].join(' AND ')} ${NEWEST_FIRST} LIMIT 2 OFFSET ?`,
    )
    .all(...beyond(start), ...finding.parameters, records - 1);
  const [last, more] = row;
  return last && more && placeOf(last);
}

function toListed(row: Row, ledger: readonly LedgerEntry[]): ListedCheck {
  // The columns are those of the table, which is strict: what comes back is what was written.
  const plain = Object.fromEntries(COLUMNS.map((column) => [column, row[column]])) as unknown as ListedCheck;
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

function beyond({ at, id }: Place): readonly SQLInputValue[] {
  return [at, at, id];
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

/** See `Questions.check`. Null too where it is another account's. */
export function readCheck(database: DatabaseSync, { id, accountId }: Ask<'check'>): WholeCheck | null {
  const found = database.prepare(`SELECT ${CHECK_COLUMNS.join(', ')} FROM checks WHERE id = ?`).get(id);
  if (!found) return null;
  // The columns are those of the table, which is strict: what comes back is what was written.
  const row = { ...found } as unknown as CheckRow;
  if (accountId !== undefined && row.account_id !== accountId) return null;
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
      `SELECT iif(check_id IS NULL, 'person', 'check') AS "of", label, source, author, labelled_at AS labelledAt
       FROM labels WHERE check_id = ? OR (address_hmac = ? AND account_id = ?) ORDER BY check_id IS NULL`,
    )
    .all(row.id, row.address_hmac, row.account_id);
  return labels.map((label) => ({ ...label }) as unknown as RecordedLabel);
}
