import { createSecretKey } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';
import { sharedPrefix } from '../../src/app/compose/service-data.ts';
import { isPostgresUrl } from '../../src/lib/service-url.ts';
import { TEST_SERVICES } from './services.ts';

/**
 * Whether test services run on PostgreSQL and Valkey: POSTERN_TEST_STORAGE=postgres, set by the project `shared` of vitest.config.ts.
 * The addresses of both must be set too.
 */
export const isShared = process.env.POSTERN_TEST_STORAGE === 'postgres';

/** Long enough that a busy machine does not look like an unreachable Valkey. */
const VALKEY_TIMEOUT_MS = 1_000;

/** Additional parts of `/readyz` where `isShared`, while all are well. */
export const SHARED_STATES = isShared ? { shared_state: 'ok', changes: 'ok' } : {};

/** Settings for a service with a new, empty PostgreSQL database; `drop` deletes the database and the Valkey keys. */
export async function makeSharedSettings() {
  const { PostgreSQL: server, 'Valkey or Redis': valkey } = TEST_SERVICES;
  if (!server || !valkey)
    throw new Error('POSTERN_TEST_STORAGE=postgres needs the addresses of both services');
  const { makeDatabase } = await import('./postgres.ts');
  const { url, drop } = await makeDatabase(server);
  return {
    settings: {
      storage: { url, pool_size: 4 },
      shared_state: { url: valkey, timeout_ms: VALKEY_TIMEOUT_MS },
    },
    async drop() {
      const [made] = await readRows(url, "SELECT value FROM service_state WHERE name = 'hmac_secret'");
      await drop();
      // A test with its own HMAC key has no such row; it leaves only short-lived counts in Valkey.
      if (made)
        await deleteKeys(valkey, sharedPrefix(createSecretKey(Buffer.from(`${made.value}`, 'base64'))));
    },
  };
}

async function deleteKeys(url: string, prefix: string): Promise<void> {
  const { Redis } = await import('iovalkey');
  const client = new Redis(url);
  for await (const keys of client.scanStream({ match: `${prefix}*`, count: 1_000 }) as AsyncIterable<
    string[]
  >) {
    if (keys.length > 0) await client.unlink(keys);
  }
  await client.quit();
}

export type Row = Readonly<Record<string, unknown>>;

/** Reads rows of a service's database over a separate connection. Each ? in the statement is a value. */
export async function readRows(
  url: string,
  sql: string,
  values: readonly string[] = [],
): Promise<readonly Row[]> {
  if (!isPostgresUrl(url)) {
    const database = new DatabaseSync(url, { readOnly: true });
    const rows = database.prepare(sql).all(...values);
    database.close();
    return rows;
  }
  const client = await connect(url);
  let n = 0;
  const { rows } = await client.query<Row>(
    sql.replace(/\?/g, () => `$${++n}`),
    [...values],
  );
  await client.end();
  return rows;
}

/** Runs one writing statement on a service's database, over a separate connection. Each ? in the statement is a value. */
export async function writeRow(url: string, sql: string, values: readonly string[]): Promise<void> {
  if (isPostgresUrl(url)) return void (await readRows(url, sql, values));
  using database = new DatabaseSync(url, { timeout: 10_000 });
  database.prepare(sql).run(...values);
}

/** Blocks writes to `checks` until the returned function is called. */
export async function holdRecords(url: string): Promise<() => Promise<void>> {
  if (!isPostgresUrl(url)) {
    const database = new DatabaseSync(url);
    database.exec('BEGIN IMMEDIATE');
    return async () => database.close();
  }
  const client = await connect(url);
  await client.query('BEGIN');
  await client.query('LOCK TABLE checks IN EXCLUSIVE MODE');
  return () => client.end();
}

async function connect(url: string): Promise<pg.Client> {
  const { Client } = await import('pg');
  const client = new Client({
    connectionString: url,
    // PostgreSQL's counts are bigint, which pg returns as text.
    types: { getTypeParser: () => (text: unknown) => (/^\d+$/.test(String(text)) ? Number(text) : text) },
  });
  // Dropping the database ends open connections, which emits an error.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
