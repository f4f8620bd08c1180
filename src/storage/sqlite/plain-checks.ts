import type { DatabaseSync } from 'node:sqlite';
import type { Logger } from '../../observability/logger.ts';
import { FIRST_COLUMNS, LABEL_COLUMNS } from './migrations.ts';

const PROGRESS_EVERY = 100_000;

/**
 * Makes `checks` one plain table again. From 0014 to 0016 a row referred to texts of `check_texts` that it shared with other rows:
 * `facts` and `timings` were `["<hash of the names>", value, …]`, `sources` was `"<hash>"`; JSON objects are copied as they are.
 * The index by person begins with the person's hash again, in place of a block of rows; all indexes by time end with the id, so
 * that a page that begins after `(created_at, id)` is found without sorting.
 *
 * `checks` is made anew under its own name, not renamed, so that an operator's own views on `checks` stay valid.
 * A million checks take some minutes, once, and for that time the disk holds both tables. Throws when `check_texts` has lost
 * a text that a check names, which no restart mends: a backup must be put back.
 */
export function toPlainChecks(database: DatabaseSync, log: Logger | undefined): void {
  // Else ALTER TABLE would check an operator's own views, whose tables are missing until the end of this migration.
  database.exec('PRAGMA legacy_alter_table=ON');
  database.exec(`
    DROP VIEW check_blocks;
    DROP VIEW checks;
    CREATE TABLE checks (
      id TEXT PRIMARY KEY NOT NULL,
${FIRST_COLUMNS},
      challenger TEXT,
      shadow_rules TEXT,
      duration_us INTEGER
    ) STRICT`);
  copyChecks(database, log);
  database.exec(`
    DROP TABLE check_rows;
    DROP TABLE check_texts;
    CREATE INDEX checks_by_time ON checks (created_at, id);
    CREATE INDEX checks_by_account ON checks (account_id, created_at, id);
    CREATE INDEX checks_by_person ON checks (address_hmac, account_id, created_at, id) WHERE address_hmac IS NOT NULL;

    CREATE TABLE plain_labels (
${LABEL_COLUMNS}
    ) STRICT;
    INSERT INTO plain_labels SELECT account_id, check_id, address_hmac, label, source, author, labelled_at, recorded_at
    FROM labels ORDER BY rowid;
    DROP TABLE labels;
    ALTER TABLE plain_labels RENAME TO labels;
    CREATE UNIQUE INDEX labels_by_check ON labels (check_id) WHERE check_id IS NOT NULL;
    CREATE UNIQUE INDEX labels_by_address ON labels (address_hmac, account_id) WHERE address_hmac IS NOT NULL;

    ALTER TABLE check_hours DROP COLUMN places;
    CREATE TRIGGER check_hours_are_of_what_is_there AFTER DELETE ON checks BEGIN
      DELETE FROM check_hours WHERE account_id = OLD.account_id AND hour = substr(OLD.created_at, 1, 13);
    END`);
  database.exec('PRAGMA legacy_alter_table=OFF');
}

function copyChecks(database: DatabaseSync, log: Logger | undefined): void {
  const total = Number(database.prepare('SELECT count(*) AS checks FROM check_rows').get()?.checks);
  if (total > 0)
    log?.info({ checks: total }, 'the database is brought to a new version: its checks are copied, once');
  const whole = wholes(database);
  // `check_rows` has the columns of the new `checks` too. Asked of the table: columns that a later version adds are not there yet.
  const columns = database.prepare("SELECT name FROM pragma_table_info('checks')").all();
  const names = columns.map(({ name }) => String(name)).join(', ');
  const insert = database.prepare(`INSERT INTO checks (${names}) VALUES (${names.replace(/\w+/g, '?')})`);
  let copied = 0;
  for (const row of database.prepare(`SELECT ${names} FROM check_rows ORDER BY rowid`).iterate()) {
    const id = String(row.id);
    row.facts = whole.object(String(row.facts), id);
    row.timings = whole.object(String(row.timings), id);
    row.sources = whole.text(String(row.sources), id);
    insert.run(...Object.values(row));
    copied += 1;
    if (copied % PROGRESS_EVERY === 0) log?.info({ copied, checks: total }, 'checks copied');
  }
}

/** Replaces references to shared texts by the texts. Each function takes a column's text, and the check's id for the error. */
function wholes(database: DatabaseSync) {
  const find = database.prepare('SELECT text FROM check_texts WHERE id = ?');
  const texts = new Map<string, string>();
  const named = (id: string, check: string): string => {
    const text = texts.get(id) ?? find.get(id)?.text;
    if (typeof text !== 'string')
      throw new Error(`check_texts has no "${id}", which the check ${check} names`);
    texts.set(id, text);
    return text;
  };
  return {
    /** The object of `["<hash of the names>", value, …]`; an object is returned as it is. */
    object(json: string, check: string): string {
      if (!json.startsWith('[')) return json;
      const [names, ...values]: [string, ...unknown[]] = JSON.parse(json);
      const entries = (JSON.parse(named(names, check)) as readonly string[]).map((name, place) => [
        name,
        values[place] ?? null,
      ]);
      return JSON.stringify(Object.fromEntries(entries));
    },
    /** The text of `"<hash>"`; an object is returned as it is. */
    text: (json: string, check: string) => (json.startsWith('"') ? named(JSON.parse(json), check) : json),
  };
}
