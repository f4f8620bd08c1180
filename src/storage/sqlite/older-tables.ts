import type { DatabaseSync } from 'node:sqlite';
import type { Logger } from '../../observability/logger.ts';
import { SCHEMA_0018 } from '../shared/schema-0018.ts';

/** Tables that had other columns, or referred to other tables, in some version before plain checks; beside `checks`. */
const REMADE = ['api_keys', 'check_hours', 'labels'];

/** The SQL of 0018, leaving out what is there already. */
const WHAT_IS_MISSING = SCHEMA_0018.sqlite.replaceAll(
  /CREATE (TABLE|(?:UNIQUE )?INDEX|TRIGGER)/g,
  'CREATE $1 IF NOT EXISTS',
);

/**
 * Makes the tables of 0018 in a new database, or in one that a version before the first release has made, which keeps its rows. Before
 * `0017-plain-checks` a table may have had fewer columns, and a row of `checks` may have referred to texts that it shared with other
 * rows: such tables are made anew and filled from the old ones. An operator's own views on them stay valid.
 *
 * A million checks take some minutes, once, and for that time the disk holds both tables. Throws when `check_texts` has lost
 * a text that a check names, which no restart mends: a backup must be put back.
 */
export function makeTables(database: DatabaseSync, log: Logger | undefined): void {
  const is = (type: string, name: string) =>
    database.prepare('SELECT 1 FROM sqlite_schema WHERE type = ? AND name = ?').get(type, name) !== undefined;
  const arePlain = database.prepare("SELECT 1 FROM migrations WHERE name = '0017-plain-checks'").get();
  if (arePlain || !is('table', 'accounts')) {
    database.exec(WHAT_IS_MISSING);
    return;
  }
  // Else ALTER TABLE would check an operator's own views, whose tables are missing until the end of this migration.
  database.exec('PRAGMA legacy_alter_table=ON; DROP VIEW IF EXISTS check_blocks');
  const isShared = is('view', 'checks');
  if (isShared) database.exec('DROP VIEW checks');
  else database.exec('CREATE TABLE check_texts (id TEXT, text TEXT)');
  database.exec(`ALTER TABLE ${isShared ? 'check_rows' : 'checks'} RENAME TO old_checks`);
  const remade = REMADE.filter((table) => is('table', table));
  for (const table of remade) database.exec(`ALTER TABLE ${table} RENAME TO old_${table}`);
  const isUsageCounted = is('table', 'usage');
  database.exec(WHAT_IS_MISSING);
  copyChecks(database, log);
  for (const table of remade) {
    const columns = columnsOf(database, table);
    database.exec(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM old_${table} ORDER BY rowid`);
  }
  for (const table of ['checks', ...remade]) database.exec(`DROP TABLE old_${table}`);
  database.exec('DROP TABLE check_texts');
  // Again, for the indexes and triggers whose names the old tables had.
  database.exec(WHAT_IS_MISSING);
  if (!isUsageCounted) {
    database.exec(`INSERT INTO usage (account_id, month, checks) SELECT account_id, substr(created_at, 1, 7), count(*)
      FROM checks WHERE environment = 'live' GROUP BY 1, 2`);
  }
  database.exec('PRAGMA legacy_alter_table=OFF');
}

/** The columns of a table that its old form has too. */
function columnsOf(database: DatabaseSync, table: string): readonly string[] {
  const both = database.prepare(
    'SELECT name FROM pragma_table_info(?) WHERE name IN (SELECT name FROM pragma_table_info(?))',
  );
  return both.all(table, `old_${table}`).map(({ name }) => String(name));
}

/** Columns of `checks` that were a reference to a shared text where they began with `mark`: its id, and what to make of the text. */
const SHARED = new Map([
  ['facts', { mark: '[', id: 'facts ->> 0', whole: membersOf('facts') }],
  ['timings', { mark: '[', id: 'timings ->> 0', whole: membersOf('timings') }],
  ['sources', { mark: '"', id: "sources ->> '$'", whole: 'text' }],
]);

/** The object of `["<id>", value, …]`; the text is the list of its names. */
function membersOf(column: string): string {
  return `(SELECT json_group_object(name.value, json(${column} -> (name.key + 1))) FROM json_each(text) AS name)`;
}

function copyChecks(database: DatabaseSync, log: Logger | undefined): void {
  const checks = Number(database.prepare('SELECT count(*) AS checks FROM old_checks').get()?.checks);
  if (checks > 0)
    log?.info({ checks }, 'the database is brought to a new version: its checks are copied, once');
  const columns = columnsOf(database, 'checks');
  const wholes = columns.map((column) => {
    const shared = SHARED.get(column);
    if (!shared) return column;
    const { mark, id, whole } = shared;
    const isShared = `substr(${column}, 1, 1) = '${mark}'`;
    const lost = `SELECT id, ${id} AS text FROM old_checks WHERE ${isShared} AND ${id} NOT IN (SELECT id FROM check_texts)`;
    const found = database.prepare(lost).get();
    if (found) throw new Error(`check_texts has no "${found.text}", which the check ${found.id} names`);
    return `iif(${isShared}, (SELECT ${whole} FROM check_texts WHERE check_texts.id = ${id}), ${column})`;
  });
  database.exec(`INSERT INTO checks (${columns}) SELECT ${wholes} FROM old_checks ORDER BY rowid`);
}
