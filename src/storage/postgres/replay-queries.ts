import type { CheckSelection, RecordedCheck, ReplayQueries, TriedCheck } from '../ports.ts';
import { LABELS } from '../shared/records-database.ts';
import type { Connections } from './connections.ts';

/** Rows of a page: about two megabytes. */
const PAGE_ROWS = 500;

/** What both kinds of page begin with. */
const COLUMNS = `c.id, c.created_at, c.domain, c.address_hmac, c.action, c.risk_score, c.risk_level, c.ruleset,
  CASE WHEN strpos(c.unknown, '"not_stored"') > 0 THEN c.unknown END AS withheld,
  coalesce(own.label, person.label) AS label`;
/** As the recorder writes it. */
const HAS_SHADOW = `c.shadow_rules IS NOT NULL AND strpos(c.ledger, '"kind":"shadow"') > 0`;

/** Where a page ends: a check's own instant and id. */
interface Place {
  readonly created_at: string;
  readonly id: string;
}

const BEGINNING: Place = { created_at: '', id: '' };

export class PostgresReplayQueries implements ReplayQueries {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async count(selection: CheckSelection): Promise<number> {
    const { where, values } = conditionsOf(selection);
    const { rows } = await this.#connections.query(
      `SELECT count(*) AS checks FROM checks c WHERE ${where}`,
      values,
    );
    return Math.min(rows[0].checks, selection.newest ?? Infinity);
  }

  pages(selection: CheckSelection): AsyncIterable<readonly RecordedCheck[]> {
    return this.#read<RecordedCheck>('c.facts', selection);
  }

  triedPages(selection: CheckSelection): AsyncIterable<readonly TriedCheck[]> {
    return this.#read<TriedCheck>(
      `c.challenger, c.shadow_rules, CASE WHEN ${HAS_SHADOW} THEN c.facts END AS facts,
       CASE WHEN ${HAS_SHADOW} THEN c.ledger END AS ledger`,
      selection,
      '(c.challenger IS NOT NULL OR c.shadow_rules IS NOT NULL)',
    );
  }

  async *#read<Row extends Place>(
    columns: string,
    selection: CheckSelection,
    /** What else must be true of a check of the selection. */
    filter = 'TRUE',
  ): AsyncGenerator<readonly Row[]> {
    const { where, values } = conditionsOf(selection);
    const last = await this.#place(
      'SELECT created_at, id FROM checks ORDER BY created_at DESC, id DESC LIMIT 1',
      [],
    );
    let place = await this.#placeBefore(selection);
    if (last === undefined) return;
    const at = values.length;
    // The conditions on the instant alone, which say less, choose partitions: rows of values do not.
    const page = `SELECT ${COLUMNS}, ${columns} FROM checks c ${LABELS}
      WHERE ${where} AND ${filter}
      AND c.created_at >= $${at + 1} AND (c.created_at, c.id) > ($${at + 1}, $${at + 2})
      AND c.created_at <= $${at + 3} AND (c.created_at, c.id) <= ($${at + 3}, $${at + 4})
      ORDER BY c.created_at, c.id LIMIT ${PAGE_ROWS}`;
    for (;;) {
      const places = [place, last].flatMap(({ created_at, id }) => [created_at, id]);
      const { rows } = await this.#connections.query(page, [...values, ...places]);
      const end: Row | undefined = rows.at(-1);
      if (end === undefined) return;
      yield rows;
      place = end;
    }
  }

  /** The place after which all checks of the selection stand. */
  async #placeBefore(selection: CheckSelection): Promise<Place> {
    const { newest } = selection;
    if (newest === undefined) return BEGINNING;
    const { where, values } = conditionsOf(selection);
    const found = await this.#place(
      `SELECT c.created_at, c.id FROM checks c WHERE ${where} ORDER BY c.created_at DESC, c.id DESC LIMIT 1 OFFSET $${values.length + 1}`,
      [...values, newest],
    );
    return found ?? BEGINNING;
  }

  async #place(sql: string, values: readonly unknown[]): Promise<Place | undefined> {
    const { rows } = await this.#connections.query(sql, values);
    return rows[0];
  }
}

function conditionsOf({ accountId, since, until }: CheckSelection) {
  const conditions: [string, string][] = [['c.environment =', 'live']];
  if (accountId !== undefined) conditions.push(['c.account_id =', accountId]);
  if (since !== undefined) conditions.push(['c.created_at >=', since]);
  if (until !== undefined) conditions.push(['c.created_at <', until]);
  return {
    where: conditions.map(([comparison], place) => `${comparison} $${place + 1}`).join(' AND '),
    values: conditions.map(([, value]) => value),
  };
}
