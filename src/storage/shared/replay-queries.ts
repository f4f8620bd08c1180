import type { CheckSelection, RecordedCheck, ReplayQueries, TriedCheck } from '../ports.ts';
import { LABELS, type Parameter, type RecordsDatabase } from './records-database.ts';

/** Rows of a page: about two megabytes, and some milliseconds for which reading SQLite blocks the thread. */
const PAGE_ROWS = 500;

/** A check's place in the order of pages: its instant and id. */
type Place = readonly [createdAt: string, id: string];

/** Plain SQL: a query builder would cost more per row than the row. */
export class RecordedQueries implements ReplayQueries {
  protected readonly replays: RecordsDatabase;

  constructor(database: RecordsDatabase) {
    this.replays = database;
  }

  async count(selection: CheckSelection): Promise<number> {
    const { where, parameters } = conditionsOf(selection);
    const [row] = await this.replays.all<{ readonly checks: number }>(
      `SELECT count(*) AS checks FROM checks c WHERE ${where}`,
      ...parameters,
    );
    return Math.min(row?.checks ?? 0, selection.newest ?? Infinity);
  }

  pages(selection: CheckSelection): AsyncIterable<readonly RecordedCheck[]> {
    return this.#read('c.facts', selection);
  }

  triedPages(selection: CheckSelection): AsyncIterable<readonly TriedCheck[]> {
    // The JSON just as the recorder writes it, without spaces.
    const hasShadow = `c.shadow_rules IS NOT NULL AND c.ledger LIKE '%"kind":"shadow"%'`;
    return this.#read(
      `c.challenger, c.shadow_rules, CASE WHEN ${hasShadow} THEN c.facts END AS facts, CASE WHEN ${hasShadow} THEN c.ledger END AS ledger`,
      selection,
      '(c.challenger IS NOT NULL OR c.shadow_rules IS NOT NULL)',
    );
  }

  async *#read<Row extends Pick<RecordedCheck, 'id' | 'created_at'>>(
    columns: string,
    selection: CheckSelection,
    /** Another condition on the checks of the selection. */
    filter = 'TRUE',
  ): AsyncGenerator<readonly Row[]> {
    const database = this.replays;
    const { where, parameters } = conditionsOf(selection);
    const last = await this.#placeAt(0);
    if (last === undefined) return;
    // Joining labels where there are none would add a tenth to the time.
    const hasLabels = (await database.all('SELECT 1 AS one FROM labels LIMIT 1')).length > 0;
    const label = hasLabels ? 'coalesce(own.label, person.label)' : 'NULL';
    // PostgreSQL skips partitions only by conditions on `created_at` alone, not by row values. SQLite does not get these conditions:
    // given two bounds on a column it uses one for the index, perhaps the weaker.
    const partitions = database.dialect === 'sqlite' ? '' : 'AND c.created_at >= ? AND c.created_at <= ?';
    const page = `SELECT c.id, c.created_at, c.domain, c.address_hmac, c.action, c.risk_score, c.risk_level, c.ruleset,
      CASE WHEN c.unknown LIKE '%"not_stored"%' THEN c.unknown END AS withheld, ${label} AS label, ${columns}
      FROM checks c ${hasLabels ? LABELS : ''}
      WHERE (c.created_at, c.id) > (?, ?) AND (c.created_at, c.id) <= (?, ?) ${partitions} AND ${where} AND ${filter}
      ORDER BY c.created_at, c.id LIMIT ${PAGE_ROWS}`;
    // The checks to read come after this place: with `newest`, after the check just older than them.
    const { newest } = selection;
    const before = newest === undefined ? undefined : await this.#placeAt(newest, selection);
    let place: Place = before ?? ['', ''];
    for (;;) {
      const instants = partitions === '' ? [] : [place[0], last[0]];
      const rows = await database.all<Row>(page, ...place, ...last, ...instants, ...parameters);
      const end = rows.at(-1);
      if (end === undefined) return;
      yield rows;
      place = [end.created_at, end.id];
    }
  }

  /** The place of the check that has `newer` newer checks, in a selection or among all; undefined where there is none. */
  async #placeAt(newer: number, selection?: CheckSelection): Promise<Place | undefined> {
    const { where, parameters } = selection ? conditionsOf(selection) : { where: 'TRUE', parameters: [] };
    const [found] = await this.replays.all<Pick<RecordedCheck, 'id' | 'created_at'>>(
      `SELECT c.created_at, c.id FROM checks c WHERE ${where} ORDER BY c.created_at DESC, c.id DESC LIMIT 1 OFFSET ?`,
      ...parameters,
      newer,
    );
    return found && [found.created_at, found.id];
  }
}

function conditionsOf({ accountId, since, until }: CheckSelection) {
  const conditions: [string, Parameter][] = [['c.environment =', 'live']];
  if (accountId !== undefined) conditions.push(['c.account_id =', accountId]);
  if (since !== undefined) conditions.push(['c.created_at >=', since]);
  if (until !== undefined) conditions.push(['c.created_at <', until]);
  return {
    where: conditions.map(([comparison]) => `${comparison} ?`).join(' AND '),
    parameters: conditions.map(([, value]) => value),
  };
}
