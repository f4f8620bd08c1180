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
import { CHECK_COLUMNS, LABELS, type Parameter, type RecordsDatabase } from './records-database.ts';

/** SQL of a condition on rows named `c`, with the labels `own` and `person` beside them, and its parameters. */
type Condition = readonly [sql: string, ...parameters: Parameter[]];

/**
 * The table as `FROM` has it, the conditions that find rows by an index (by id, by address, or by time), and those that are tested in each
 * row. SQLite has no statistics here, so the SQL itself names the index that finds fewer rows.
 */
function conditionsOf(filter: CheckFilter, dialect: RecordsDatabase['dialect']) {
  const { id, person, domain, rule, label } = filter;
  const isSqlite = dialect === 'sqlite';
  // The plus keeps SQLite from an index on the column.
  const c = isSqlite && id !== undefined ? '+c' : 'c';
  const byPerson = isSqlite && id === undefined && person !== undefined;
  return {
    table: byPerson ? 'checks c INDEXED BY checks_by_person' : 'checks c',
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
        ? [['substr(c.domain, length(c.domain) - length(?) + 1) = ?', domain, domain] as const]
        : where('c.domain = ?', domain)),
      // The ledger also names rules that did not fire: `searchChecks` looks at each row again.
      // Not LIKE, for which the `_` in an id would stand for any character.
      ...where(
        `${isSqlite ? 'instr' : 'strpos'}(c.ledger, ?) > 0`,
        rule && JSON.stringify({ id: rule }).slice(1, -1),
      ),
      ...where("coalesce(own.label, person.label, 'none') = ?", label),
    ],
  };
}

function where(sql: string, parameter: Parameter | undefined): readonly Condition[] {
  return parameter === undefined ? [] : [[sql, parameter]];
}

function sqlOf(conditions: readonly Condition[]): string {
  return conditions.map(([sql]) => sql).join(' AND ');
}

function parametersOf(conditions: readonly Condition[]): readonly Parameter[] {
  return conditions.flatMap(([, ...parameters]) => parameters);
}

/** The most records that one page looks at, where few match: some tenths of a second. */
const MOST_LOOKED_AT = 20_000;

/** The fewest rows that a query asks for where rows may be dropped after reading: some milliseconds. */
const ROWS_AT_ONCE = 100;

const OTHERS = 'c.ledger, c.unknown, c.address_hmac AS person, coalesce(own.label, person.label) AS label';
/** The direction of a search in the order of time: its ORDER BY, and the comparisons with a place. */
const COURSES = {
  older: { order: 'ORDER BY c.created_at DESC, c.id DESC', beyond: '<', from: '<=', upTo: '>=' },
  newer: { order: 'ORDER BY c.created_at, c.id', beyond: '>', from: '>=', upTo: '<=' },
} as const;
type Course = keyof typeof COURSES;

/** A record's place in the order of time; those of one millisecond are in the order of their ids. */
interface Place {
  readonly at: string;
  readonly id: string;
}

/** Where the search starts: `after` or `until`, whichever is older. Given two bounds, SQLite uses one for the index, perhaps the weaker. */
function beginningOf(after: string | undefined, until = '~'): Place {
  const end = { at: until, id: '' };
  const place = after === undefined ? end : readPlace(after);
  return isBeyond(place, end, 'older') ? place : end;
}

/** Starts at `place` or `since`, whichever is later: one bound, as above. `until` is tested in each row (`|| ''` keeps it off the index). */
function newerThan(
  place: Place,
  { since = '', until, ...filter }: CheckFilter,
  dialect: RecordsDatabase['dialect'],
) {
  const { table, finding, sifting } = conditionsOf(filter, dialect);
  const start = place.at < since ? { at: since, id: '' } : place;
  return { table, start, finding, sifting: [...where("(c.created_at || '') < ?", until), ...sifting] };
}

/** The columns that a search reads. */
type Row = Omit<ListedCheck, 'rules' | 'unknown'> & Pick<CheckRow, 'ledger' | 'unknown'>;

/**
 * Reads a page of checks, the newest first. It begins where the page before ended (`after`), whatever was recorded or erased meanwhile.
 * With `before` it holds the checks that are newer than that place, the oldest first.
 */
export async function searchChecks(
  database: RecordsDatabase,
  { after, before, limit, ids, ...filter }: CheckSearch,
  mostLookedAt = MOST_LOOKED_AT,
): Promise<FoundChecks> {
  const course = before === undefined ? 'older' : 'newer';
  const { order, upTo } = COURSES[course];
  const { start, finding, sifting, table } =
    before === undefined
      ? { ...conditionsOf(filter, database.dialect), start: beginningOf(after, filter.until) }
      : newerThan(readPlace(before), filter, database.dialect);
  const isFew = filter.id !== undefined || ids !== undefined;
  const rest = [...beyond(start, course), ...finding];
  const ordered = `${table} WHERE ${sqlOf(rest)} ${order}`;
  const last = isFew ? undefined : await placeAt(database, mostLookedAt, ordered, parametersOf(rest));
  const from = ids === undefined ? table : knownIn(ids);
  // The SQL only finds the rule's id as text in the ledger. Whether the rule fired is checked below, so read more rows than asked.
  const most = filter.rule === undefined ? limit + 1 : Math.max(limit + 1, ROWS_AT_ONCE);
  const checks: ListedCheck[] = [];
  let place = start;
  for (let read = start, isOver = false; !isOver; ) {
    const conditions = [
      ...beyond(read, course),
      ...finding,
      ...where(`c.created_at ${upTo} ?`, last?.at),
      ...sifting,
    ];
    const page = await database.all<Row>(
      `SELECT ${LISTED_COLUMNS.map((column) => `c.${column}`).join(', ')}, ${OTHERS} FROM ${from} ${LABELS}
       WHERE ${sqlOf(conditions)} ${order} LIMIT ${most}`,
      ...[...(ids ?? []), ...parametersOf(conditions)],
    );
    const rows = page.filter((row) => !last || !isBeyond(placeOf(row), last, course));
    isOver = rows.length < most;
    for (const row of rows) {
      read = placeOf(row);
      const ledger: readonly LedgerEntry[] = JSON.parse(row.ledger);
      if (filter.rule !== undefined && !ledger.some((entry) => hasFired(entry, filter.rule))) continue;
      if (checks.length === limit) return { checks, next: writePlace(place), searched_back_to: place.at };
      checks.push(toListed(row, ledger));
      place = read;
    }
  }
  return { checks, next: last ? writePlace(last) : null, searched_back_to: last?.at ?? null };
}

/** `FROM` for some hundred checks, read by id before the filter is applied: else SQLite would choose another index. */
function knownIn(ids: readonly string[]): string {
  const places = ids.map(() => '?').join(', ');
  return `(WITH known AS MATERIALIZED (SELECT * FROM checks WHERE id IN (${places})) SELECT * FROM known) c`;
}

/** The place of the last of the first `records` records; undefined where no more records follow. */
async function placeAt(
  database: RecordsDatabase,
  records: number,
  ordered: string,
  parameters: readonly Parameter[],
): Promise<Place | undefined> {
  const [last, more] = await database.all<Pick<Row, 'created_at' | 'id'>>(
    `SELECT c.created_at, c.id FROM ${ordered} LIMIT 2 OFFSET ?`,
    ...[...parameters, records - 1],
  );
  return last && more && placeOf(last);
}

function toListed({ ledger: _, unknown, ...row }: Row, ledger: readonly LedgerEntry[]): ListedCheck {
  const points = new Map<string, number>();
  for (const entry of ledger) {
    if (entry.kind !== 'rule' && entry.kind !== 'absorbed' && entry.kind !== 'force') continue;
    points.set(entry.id, (points.get(entry.id) ?? 0) + entry.points);
  }
  return {
    ...row,
    rules: [...points].map(([id, sum]) => ({ id, points: sum })).toSorted((a, b) => b.points - a.points),
    unknown: Object.keys(JSON.parse(unknown)),
  };
}

function hasFired(entry: LedgerEntry, rule: string | undefined): boolean {
  const { kind } = entry;
  return 'id' in entry && entry.id === rule && kind !== 'stood_aside' && kind !== 'absorbed';
}

function placeOf({ created_at: at, id }: Pick<Row, 'created_at' | 'id'>): Place {
  return { at, id };
}

function isBeyond(place: Place, other: Place, course: Course): boolean {
  const isOlder = place.at < other.at || (place.at === other.at && place.id < other.id);
  const isSame = place.at === other.at && place.id === other.id;
  return course === 'older' ? isOlder : !isOlder && !isSame;
}

function beyond({ at, id }: Place, course: Course): readonly Condition[] {
  const { from, beyond: comparison } = COURSES[course];
  return [
    // Lets the database find the rows by its index on `created_at`.
    [`c.created_at ${from} ?`, at],
    [`(c.created_at, c.id) ${comparison} (?, ?)`, at, id],
  ];
}

function writePlace({ at, id }: Place): string {
  return `${at}.${id}`;
}

/** The length of an instant. */
const INSTANT = '2026-11-20T10:00:00.000Z'.length;

/** Reads the text that `writePlace` wrote. */
function readPlace(text: string): Place {
  if (text[INSTANT] !== '.') throw new Error('a search goes on after a place that no search named');
  return { at: text.slice(0, INSTANT), id: text.slice(INSTANT + 1) };
}

/** Null where there is no such check, or it is another account's. */
export async function readCheck(
  database: RecordsDatabase,
  { id, accountId }: Ask<'check'>,
): Promise<WholeCheck | null> {
  const [row] = await database.all<CheckRow>(
    `SELECT ${CHECK_COLUMNS.join(', ')} FROM checks WHERE id = ?`,
    id,
  );
  if (!row || (accountId !== undefined && row.account_id !== accountId)) return null;
  const [decided] = await database.all<{ readonly version: number }>(
    `SELECT version FROM rule_versions WHERE hash = ? AND reason <> 'draft' AND at <= ?
     ORDER BY version DESC LIMIT 1`,
    row.ruleset,
    row.created_at,
  );
  const labels = await database.all<RecordedLabel>(
    `SELECT CASE WHEN check_id IS NULL THEN 'person' ELSE 'check' END AS "of", label, source, author, labelled_at
     FROM labels WHERE check_id = ? OR (address_hmac = ? AND account_id = ?) ORDER BY check_id IS NULL`,
    row.id,
    row.address_hmac,
    row.account_id,
  );
  return { row, labels, version: decided?.version ?? null };
}
