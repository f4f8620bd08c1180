import { createSecretKey } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';
import { sharedPrefix } from '../../src/app/compose/service-data.ts';
import { isPostgresUrl } from '../../src/lib/service-url.ts';
import { TEST_SERVICES } from './services.ts';

/**
 * Services that tests start run on PostgreSQL and Valkey: POSTERN_TEST_STORAGE=postgres, as the project `shared` of vitest.config.ts has
 * it, beside the addresses of both.
 */
export const isShared = process.env.POSTERN_TEST_STORAGE === 'postgres';

/** A busy machine is not taken for a Valkey that is away. */
const VALKEY_TIMEOUT_MS = 1_000;

/** Parts of `/readyz` that a service has there besides, while they are well. */
export const SHARED_STATES = isShared ? { shared_state: 'ok', changes: 'ok' } : {};

/** Settings of a service with an empty database of its own, where `isShared`; `drop` takes away what was made. */
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
      // Of a test with a key of its own only counts of the minute are left.
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

/** Rows of the database of a service, beside it. Each ? in the statement is a value. */
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

/** One statement that writes to the database of a service, beside it. Each ? in it is a value. */
export async function writeRow(url: string, sql: string, values: readonly string[]): Promise<void> {
  if (isPostgresUrl(url)) return void (await readRows(url, sql, values));
  using database = new DatabaseSync(url, { timeout: 10_000 });
  database.prepare(sql).run(...values);
}

/** Lets nothing be written to `checks` until what it resolves to is called. */
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
    // Counts are of a type that may hold more than a number can.
    types: { getTypeParser: () => (text: unknown) => (/^\d+$/.test(String(text)) ? Number(text) : text) },
  });
  // Dropping the database ends what is still open.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
