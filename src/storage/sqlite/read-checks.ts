import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { CheckSelection, RecordedCheck, TriedCheck } from '../ports.ts';

/** Rows of a page: some megabytes, and some milliseconds during which the thread does nothing else. */
const PAGE_ROWS = 2_000;
/** The order of recording; ids are by time too, but those of one millisecond are not in order. */
const PLACE = 'rowid';

export function countChecks(reader: DatabaseSync, selection: CheckSelection): number {
  const { where, parameters } = conditionsOf(selection);
  const row = reader.prepare(`SELECT count(*) AS checks FROM checks WHERE ${where}`).get(...parameters);
  return Number(row?.checks ?? 0);
}

const COLUMNS = 'id, created_at, account_id, domain, action, risk_score, risk_level, ruleset';
/** As the recorder writes it. */
const HAS_SHADOW = `shadow_rules IS NOT NULL AND instr(ledger, '"kind":"shadow"') > 0`;

/** See `CheckStore.pages`. Plain SQL: a query builder would cost more per row than the row. */
export function readPages(
  reader: DatabaseSync,
  selection: CheckSelection,
): AsyncGenerator<readonly RecordedCheck[]> {
  return readRows<RecordedCheck>(reader, `${COLUMNS}, facts`, conditionsOf(selection));
}

/** See `CheckStore.triedPages`. */
export function readTriedPages(
  reader: DatabaseSync,
  selection: CheckSelection,
): AsyncGenerator<readonly TriedCheck[]> {
  const { where, parameters } = conditionsOf(selection);
  return readRows<TriedCheck>(
    reader,
    `${COLUMNS}, NULL AS label, challenger, shadow_rules, iif(${HAS_SHADOW}, facts, NULL) AS facts, iif(${HAS_SHADOW}, ledger, NULL) AS ledger`,
    { where: `(challenger IS NOT NULL OR shadow_rules IS NOT NULL) AND ${where}`, parameters },
  );
}

async function* readRows<Row>(
  reader: DatabaseSync,
  columns: string,
  { where, parameters }: Conditions,
): AsyncGenerator<readonly Row[]> {
  const last = Number(reader.prepare(`SELECT max(${PLACE}) AS place FROM checks`).get()?.place ?? 0);
  const page = reader.prepare(
    `SELECT ${PLACE} AS place, ${columns} FROM checks
     WHERE ${PLACE} > ? AND ${PLACE} <= ? AND ${where} ORDER BY ${PLACE} LIMIT ${PAGE_ROWS}`,
  );
  let place = 0;
  for (;;) {
    // The columns are those of the table, which is strict: what comes back is what was written.
    const rows = page.all(place, last, ...parameters) as unknown as (Row & { place: number })[];
    const end = rows.at(-1);
    if (end === undefined) return;
    yield rows;
    place = end.place;
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
    where: conditions.map(([comparison]) => `+${comparison} ?`).join(' AND '),
    parameters: conditions.map(([, value]) => value),
  };
}
