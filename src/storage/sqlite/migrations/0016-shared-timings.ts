import { type Kysely, sql } from 'kysely';
import { takeWrites } from './0014-shared-texts.ts';

/**
 * `timings` names its providers as `facts` names its facts since 0014: `["<hash of the names>", value, …]`. The view `checks`
 * shows both whole, and takes what is written to it as before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`DROP VIEW checks`.execute(db);
  await sql`
    CREATE VIEW checks AS SELECT
      id, created_at, account_id, key_id, environment, action, risk_score, risk_level, ruleset,
      ${whole('facts')} AS facts,
      unknown, evidence, ledger,
      ${whole('timings')} AS timings,
      iif(sources LIKE '"%', (SELECT text FROM check_texts WHERE check_texts.id = sources ->> '$'), sources) AS sources,
      domain, address_hmac, address, challenger, shadow_rules, duration_us
    FROM check_rows`.execute(db);
  await takeWrites(db);
}

/** The names, which stand in `check_texts`, with the values of the column. */
const whole = (column: 'facts' | 'timings') =>
  sql.raw(`iif(${column} LIKE '[%',
        (SELECT (SELECT json_group_object(name.value, json(${column} -> (name.key + 1))) FROM json_each(text) AS name)
         FROM check_texts WHERE check_texts.id = ${column} ->> 0),
        ${column})`);
