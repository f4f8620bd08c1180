import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { CheckSelection, RecordedCheck, TriedCheck } from '../ports.ts';
import { ValueNames } from './shared-texts.ts';

/**
 * Rows of a page: about a megabyte, and a few milliseconds during which the thread does nothing else. Larger ones outlive
 * collections of garbage.
 */
const PAGE_ROWS = 500;
/**
 * Of pages in memory while labels are looked up, which lie all over their index: 200,000 checks, all of them labelled, then
 * take a third less. Otherwise as SQLite has it (sqlite.org/pragma.html#pragma_cache_size).
 */
const LABELS_KB = 64_000;
const USUAL_KB = 2_000;
/** The order of recording; ids are by time too, but those of one millisecond are not in order. */
const PLACE = 'rowid';

export function countChecks(reader: DatabaseSync, selection: CheckSelection): number {
  const { where, parameters } = conditionsOf(selection);
  const row = reader.prepare(`SELECT count(*) AS checks FROM check_rows c WHERE ${where}`).get(...parameters);
  return Math.min(Number(row?.checks ?? 0), selection.newest ?? Infinity);
}

/** What both kinds of page begin with. */
const COLUMNS = `c.${PLACE}, id, created_at, domain, action, risk_score, risk_level, ruleset`;
/** A check's own label, else its person's. */
const LABEL = 'coalesce(own.label, person.label)';
const LABELS = `
  LEFT JOIN labels own ON own.check_id = c.id
  LEFT JOIN labels person ON person.address_hmac = c.address_hmac AND person.account_id = c.account_id`;
/** As the recorder writes it. */
const HAS_SHADOW = `shadow_rules IS NOT NULL AND instr(ledger, '"kind":"shadow"') > 0`;

/** The columns of a row, its place first: an array is made in half the time of an object with names. */
type Values = readonly [place: number, ...rest: unknown[]];

/** See `CheckStore.pages`. */
export function readPages(
  reader: DatabaseSync,
  selection: CheckSelection,
): AsyncGenerator<readonly RecordedCheck[]> {
  const names = new ValueNames(reader);
  return readRows(reader, 'facts', selection, (values) => {
    const [, id, created_at, domain, action, risk_score, risk_level, ruleset, label, facts] = values;
    const check = { id, created_at, domain, action, risk_score, risk_level, ruleset, label, facts };
    // The columns are those of the table, which is strict: what comes back is what was written.
    return { ...check, factNames: names.of(facts as string) } as RecordedCheck;
  });
}

/** See `CheckStore.triedPages`. */
export function readTriedPages(
  reader: DatabaseSync,
  selection: CheckSelection,
): AsyncGenerator<readonly TriedCheck[]> {
  const names = new ValueNames(reader);
  return readRows(
    reader,
    `challenger, shadow_rules, iif(${HAS_SHADOW}, facts, NULL), iif(${HAS_SHADOW}, ledger, NULL)`,
    selection,
    (values) => {
      const [, id, created_at, domain, action, risk_score, risk_level, ruleset, label, ...tried] = values;
      const [challenger, shadow_rules, facts, ledger] = tried;
      const check = { id, created_at, domain, action, risk_score, risk_level, ruleset, label };
      const factNames = names.of(facts as string | null);
      return { ...check, challenger, shadow_rules, facts, factNames, ledger } as TriedCheck;
    },
    '(challenger IS NOT NULL OR shadow_rules IS NOT NULL)',
  );
}

/**
 * Plain SQL: a query builder would cost more per row than the row. Labels are looked up by index: to read them into a map
 * first took longer at every number of them that was tried. To look where there are none costs a tenth of the reading.
 */
async function* readRows<Row>(
  reader: DatabaseSync,
  columns: string,
  selection: CheckSelection,
  toRow: (values: Values) => Row,
  /** What else must be true of a check of the selection. */
  filter = 'TRUE',
): AsyncGenerator<readonly Row[]> {
  const { where, parameters } = conditionsOf(selection);
  const last = Number(reader.prepare(`SELECT max(${PLACE}) AS place FROM check_rows`).get()?.place ?? 0);
  const hasLabels = reader.prepare('SELECT 1 FROM labels LIMIT 1').get() !== undefined;
  const page = reader.prepare(
    `SELECT ${COLUMNS}, ${hasLabels ? LABEL : 'NULL'}, ${columns} FROM check_rows c ${hasLabels ? LABELS : ''}
     WHERE c.${PLACE} > ? AND c.${PLACE} <= ? AND ${where} AND ${filter} ORDER BY c.${PLACE} LIMIT ${PAGE_ROWS}`,
  );
  page.setReturnArrays(true);
  if (hasLabels) reader.exec(`PRAGMA cache_size = -${LABELS_KB}`);
  try {
    let place = placeBefore(reader, selection);
    for (;;) {
      const rows = page.all(place, last, ...parameters) as unknown as readonly Values[];
      const end = rows.at(-1);
      if (end === undefined) return;
      yield rows.map(toRow);
      place = end[0];
    }
  } finally {
    if (hasLabels && reader.isOpen) reader.exec(`PRAGMA cache_size = -${USUAL_KB}; PRAGMA shrink_memory`);
  }
}

interface Conditions {
  readonly where: string;
  readonly parameters: readonly SQLInputValue[];
}

function conditionsOf({ accountId, since, until }: CheckSelection): Conditions {
  const conditions: [string, SQLInputValue][] = [['environment =', 'live']];
  if (accountId !== undefined) conditions.push(['account_id =', accountId]);
  if (since !== undefined) conditions.push(['created_at >=', since]);
  if (until !== undefined) conditions.push(['created_at <', until]);
  return {
    // The plus keeps SQLite from an index on that column: to sort what it finds by place would cost each page a sort of all.
    where: conditions.map(([comparison]) => `+c.${comparison} ?`).join(' AND '),
    parameters: conditions.map(([, value]) => value),
  };
}

/** The place after which all checks of the selection stand. Exact: places before that need not be read to be left out. */
function placeBefore(reader: DatabaseSync, selection: CheckSelection): number {
  const { since, newest } = selection;
  let first = 0;
  if (since !== undefined) {
    const row = reader
      .prepare(`SELECT min(${PLACE}) AS place FROM check_rows WHERE created_at >= ?`)
      .get(since);
    // Where there is none, nothing is left to be read either way.
    first = Number(row?.place ?? 1) - 1;
  }
  if (newest === undefined) return first;
  const { where, parameters } = conditionsOf(selection);
  const row = reader
    .prepare(
      `SELECT c.${PLACE} AS place FROM check_rows c WHERE c.${PLACE} > ? AND ${where} ORDER BY c.${PLACE} DESC LIMIT 1 OFFSET ?`,
    )
    .get(first, ...parameters, newest);
  return Number(row?.place ?? first);
}
