import { type Kysely, sql } from 'kysely';

/**
 * Half of a check's row was the same from check to check: the names of the facts, the versions of the data. Such a text now
 * stands once, in `check_texts`, and rows name it by its hash: `facts` is `["<hash of the names>", value, …]`, `sources` is
 * `"<hash>"`. Rows that hold JSON objects there, as all did until now, stay as they are. `checks` is a view that shows every
 * row whole, under the columns that it always had, and takes what is written to it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE checks RENAME TO check_rows`.execute(db);
  await sql`
    CREATE TABLE check_texts (
      id TEXT PRIMARY KEY NOT NULL,
      text TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`
    CREATE VIEW checks AS SELECT
      id, created_at, account_id, key_id, environment, action, risk_score, risk_level, ruleset,
      iif(facts LIKE '[%',
        (SELECT (SELECT json_group_object(name.value, json(facts -> (name.key + 1))) FROM json_each(text) AS name)
         FROM check_texts WHERE check_texts.id = facts ->> 0),
        facts) AS facts,
      unknown, evidence, ledger, timings,
      iif(sources LIKE '"%', (SELECT text FROM check_texts WHERE check_texts.id = sources ->> '$'), sources) AS sources,
      domain, address_hmac, address, challenger, shadow_rules, duration_us
    FROM check_rows`.execute(db);
  await takeWrites(db);
}

/** The triggers of the view `checks`, which go with it where it is made anew. */
export async function takeWrites(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TRIGGER checks_take_new_rows INSTEAD OF INSERT ON checks BEGIN
      INSERT INTO check_rows (${COLUMNS}) VALUES (${ofRow('NEW')});
    END`.execute(db);
  await sql`
    CREATE TRIGGER checks_take_changes INSTEAD OF UPDATE ON checks BEGIN
      UPDATE check_rows SET (${COLUMNS}) = (${ofRow('NEW')}) WHERE id = OLD.id;
    END`.execute(db);
  await sql`
    CREATE TRIGGER checks_let_rows_go INSTEAD OF DELETE ON checks BEGIN
      DELETE FROM check_rows WHERE id = OLD.id;
    END`.execute(db);
}

const NAMES = [
  ...['id', 'created_at', 'account_id', 'key_id', 'environment', 'action', 'risk_score', 'risk_level'],
  ...['ruleset', 'facts', 'unknown', 'evidence', 'ledger', 'timings', 'sources', 'domain', 'address_hmac'],
  ...['address', 'challenger', 'shadow_rules', 'duration_us'],
];
const COLUMNS = sql.raw(NAMES.join(', '));
const ofRow = (row: string) => sql.raw(NAMES.map((name) => `${row}.${name}`).join(', '));
