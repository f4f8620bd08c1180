import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { CHECK_COLUMNS } from '../check-columns.ts';
import type { CheckRow, CheckSelection, RecordedCheck, ReplayQueries, TriedCheck } from '../ports.ts';
import { LABELS } from '../shared/records-database.ts';

/** Rows of a page: about two megabytes, and some milliseconds during which the thread does nothing else. */
const PAGE_ROWS = 500;

/** What both kinds of page begin with; a label comes next. */
const COLUMNS = `c.id, c.created_at, c.domain, c.address_hmac, c.action, c.risk_score, c.risk_level, c.ruleset,
  iif(instr(c.unknown, '"not_stored"') > 0, c.unknown, NULL) AS withheld`;
/** As the recorder writes it. */
const HAS_SHADOW = `c.shadow_rules IS NOT NULL AND instr(c.ledger, '"kind":"shadow"') > 0`;

/** Where a page ends: a check's own instant and id. */
type Place = readonly [createdAt: string, id: string];

export function findCheck(reader: DatabaseSync, id: string): CheckRow | undefined {
  const found = reader.prepare(`SELECT ${CHECK_COLUMNS.join(', ')} FROM checks WHERE id = ?`).get(id);
  // The table is strict: what comes back is what was written.
  return found && ({ ...found } as unknown as CheckRow);
}

/** Plain SQL: a query builder would cost more per row than the row. */
export class SqliteReplayQueries implements ReplayQueries {
  readonly #reader: DatabaseSync;

  constructor(reader: DatabaseSync) {
    this.#reader = reader;
  }

  async count(selection: CheckSelection): Promise<number> {
    const { where, parameters } = conditionsOf(selection);
    const row = this.#reader
      .prepare(`SELECT count(*) AS checks FROM checks c WHERE ${where}`)
      .get(...parameters);
    return Math.min(Number(row?.checks ?? 0), selection.newest ?? Infinity);
  }

  pages(selection: CheckSelection): AsyncIterable<readonly RecordedCheck[]> {
    return this.#read('c.facts', selection, recordedCheck);
  }

  triedPages(selection: CheckSelection): AsyncIterable<readonly TriedCheck[]> {
    return this.#read(
      `c.challenger, c.shadow_rules, iif(${HAS_SHADOW}, c.facts, NULL) AS facts, iif(${HAS_SHADOW}, c.ledger, NULL) AS ledger`,
      selection,
      triedCheck,
      '(c.challenger IS NOT NULL OR c.shadow_rules IS NOT NULL)',
    );
  }

  async *#read<Row extends { readonly id: string; readonly created_at: string }>(
    columns: string,
    selection: CheckSelection,
    toRow: (values: Values) => Row,
    /** What else must be true of a check of the selection. */
    filter = 'TRUE',
  ): AsyncGenerator<readonly Row[]> {
    const reader = this.#reader;
    const { where, parameters } = conditionsOf(selection);
    const last = placeOf(
      reader.prepare('SELECT created_at, id FROM checks ORDER BY created_at DESC, id DESC LIMIT 1').get(),
    );
    if (last === undefined) return;
    // To look for labels where there are none costs a tenth of the reading.
    const hasLabels = reader.prepare('SELECT 1 FROM labels LIMIT 1').get() !== undefined;
    const label = hasLabels ? 'coalesce(own.label, person.label)' : 'NULL';
    const page = reader.prepare(
      `SELECT ${COLUMNS}, ${label} AS label, ${columns} FROM checks c ${hasLabels ? LABELS : ''}
       WHERE (c.created_at, c.id) > (?, ?) AND (c.created_at, c.id) <= (?, ?) AND ${where} AND ${filter}
       ORDER BY c.created_at, c.id LIMIT ${PAGE_ROWS}`,
    );
    // Rows as arrays: the objects that node:sqlite makes take half as long again to make, and longer to read.
    page.setReturnArrays(true);
    let place = placeBefore(reader, selection);
    for (;;) {
      // The table is strict: what comes back is what was written.
      const read = page.all(...place, ...last, ...parameters) as unknown as readonly Values[];
      const rows = read.map(toRow);
      const end = rows.at(-1);
      if (end === undefined) return;
      yield rows;
      place = [end.created_at, end.id];
    }
  }
}

/** By `COLUMNS`, the label, and what the kind of page asks for. */
// biome-ignore lint/suspicious/noExplicitAny: a row of a strict table, whose columns have the types of a check
type Values = readonly any[];

function recordedCheck(values: Values): RecordedCheck {
  const [
    id,
    created_at,
    domain,
    address_hmac,
    action,
    risk_score,
    risk_level,
    ruleset,
    withheld,
    label,
    facts,
  ] = values;
  return {
    id,
    created_at,
    domain,
    address_hmac,
    action,
    risk_score,
    risk_level,
    ruleset,
    withheld,
    label,
    facts,
  };
}

function triedCheck(values: Values): TriedCheck {
  const [, , , , , , , , , , challenger, shadow_rules, facts, ledger] = values;
  return { ...recordedCheck(values), challenger, shadow_rules, facts, ledger };
}

function conditionsOf({ accountId, since, until }: CheckSelection) {
  const conditions: [string, SQLInputValue][] = [['c.environment =', 'live']];
  if (accountId !== undefined) conditions.push(['c.account_id =', accountId]);
  if (since !== undefined) conditions.push(['c.created_at >=', since]);
  if (until !== undefined) conditions.push(['c.created_at <', until]);
  return {
    where: conditions.map(([comparison]) => `${comparison} ?`).join(' AND '),
    parameters: conditions.map(([, value]) => value),
  };
}

/** The place after which all checks of the selection stand. */
function placeBefore(reader: DatabaseSync, selection: CheckSelection): Place {
  const { newest } = selection;
  const beginning: Place = ['', ''];
  if (newest === undefined) return beginning;
  const { where, parameters } = conditionsOf(selection);
  const row = reader
    .prepare(
      `SELECT c.created_at, c.id FROM checks c WHERE ${where} ORDER BY c.created_at DESC, c.id DESC LIMIT 1 OFFSET ?`,
    )
    .get(...parameters, newest);
  return placeOf(row) ?? beginning;
}

function placeOf(row: Readonly<Record<string, unknown>> | undefined): Place | undefined {
  return row && [String(row.created_at), String(row.id)];
}
