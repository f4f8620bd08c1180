import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { eventually } from './eventually.ts';
import { TEST_SERVICES } from './services.ts';

/** The database of one `describePostgres`. */
export interface PostgresDatabase {
  /** Read it within tests and hooks only: a hook makes the database. */
  readonly url: string;
  /** Runs one statement over a new connection. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<readonly Row[]>;
  /** Deletes all rows. The schema stays, as it takes some tenths of a second to make. */
  empty(): Promise<void>;
  /** Another client in a transaction, which is rolled back when the test ends. */
  begin(...statements: readonly string[]): Promise<pg.Client>;
  /** Resolves when a connection waits for a lock. `name` is a LIKE pattern for its application name. */
  someWait(name?: string): Promise<void>;
}

/** Tests with a new, empty database of POSTERN_TEST_POSTGRES_URL's server; skipped where that is not set. */
export function describePostgres(name: string, tests: (database: PostgresDatabase) => void): void {
  const server = TEST_SERVICES.PostgreSQL ?? '';
  describe.skipIf(server === '')(name, () => {
    let made: Awaited<ReturnType<typeof makeDatabase>> | undefined;
    beforeAll(async () => {
      made = await makeDatabase(server);
    });
    afterAll(() => made?.drop());
    const database = () => {
      if (made === undefined)
        throw new Error('the database is made before the first test, not while tests are declared');
      return made;
    };
    tests({
      get url() {
        return database().url;
      },
      query: (sql, values) => queryOnce(database().url, sql, values),
      empty: async () => void (await queryOnce(database().url, EMPTY)),
      async begin(...statements) {
        const client = new pg.Client({ connectionString: database().url });
        // Dropping the database ends open connections, which emits an error.
        client.on('error', () => undefined);
        await client.connect();
        onTestFinished(() => client.end());
        for (const statement of ['BEGIN', ...statements]) await client.query(statement);
        return client;
      },
      someWait: (name = 'postern%') =>
        eventually(async () => {
          if ((await queryOnce(database().url, WAITING, [name])).length === 0) throw new Error('none waits');
        }),
    });
  });
}

/** A statement that takes so long. */
export const SOME_TENTHS_OF_A_SECOND = 'SELECT count(*) FROM generate_series(1, 2000000)';

const WAITING = `
  SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE $1 AND wait_event_type = 'Lock'`;

/** The role `replica` does not enforce foreign keys, so tables can be emptied in any order. */
const EMPTY = `
  SET session_replication_role = replica;
  SET synchronous_commit = off;
  DO $$ DECLARE name regclass; BEGIN
    FOR name IN SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname <> 'migrations'
      AND relkind IN ('r', 'p') AND NOT relispartition LOOP
      EXECUTE 'DELETE FROM ' || name;
    END LOOP;
    FOR name IN SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'S' LOOP
      EXECUTE 'ALTER SEQUENCE ' || name || ' RESTART';
    END LOOP;
  END $$`;

/** Makes a new, empty database on a server; `drop` also ends its open connections. */
export async function makeDatabase(
  server: string,
  // Another collation than ours: SQL that relies on text order must name its collation.
  properties = "LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C.UTF-8'",
) {
  const name = `postern_test_${process.pid}_${randomBytes(6).toString('hex')}`;
  await queryOnce(server, `CREATE DATABASE ${name} TEMPLATE template0 ${properties}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => void (await queryOnce(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

async function queryOnce<Row extends pg.QueryResultRow>(url: string, sql: string, values?: unknown[]) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
