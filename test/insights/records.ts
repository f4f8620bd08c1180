import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import type { Answer, Ask, QuestionKind } from '../../src/insights/insights-queries.ts';
import { openRecords } from '../../src/storage/open-storage.ts';
import type { NewCheck, Storage } from '../../src/storage/ports.ts';
import { openPostgresStorage } from '../../src/storage/postgres/postgres-storage.ts';
import { insightsReader } from '../../src/storage/shared/insights-reader.ts';
import type { RecordsDatabase } from '../../src/storage/shared/records-database.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { checkOf } from '../storage/rows.ts';
import { describePostgres, type PostgresDatabase } from '../support/postgres.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

export const PROVIDER_OF = { 'domain.has_mx': 'mx', 'mx.outcome': 'mx', 'domain.is_catch_all': 'catch_all' };

/** A database of its own, and what reads it. */
export interface Records {
  /** As `storage.url` has it. */
  readonly url: string;
  readonly storage: Storage;
  readonly database: RecordsDatabase;
  add(...rows: readonly (Partial<NewCheck> & { readonly id: string })[]): Promise<void>;
  ask<K extends QuestionKind>(kind: K, question: Ask<K>): Promise<Answer<K>>;
  /** Counts hours that are over and stores them, as the service does between questions; resolves to whether there are no more. */
  count(countingMs?: 0): Promise<boolean>;
  /** Hours that are stored. */
  hours(): Promise<readonly string[]>;
}

type MakeRecords = (now?: () => number) => Promise<Records>;

/** Tests that every driver must pass. */
export function describeRecords(
  name: string,
  tests: (someRecords: MakeRecords, driver: 'SQLite' | 'PostgreSQL') => void,
): void {
  describe(`${name}, in SQLite`, () => tests(someRecords, 'SQLite'));
  describePostgres(`${name}, in PostgreSQL`, (server) =>
    tests((now) => somePostgresRecords(server, now), 'PostgreSQL'),
  );
}

/** In SQLite. */
export async function someRecords(now?: () => number): Promise<Records> {
  const url = join(temporaryDirectory(), 'postern.db');
  return readBy(url, await openSqliteStorage({ file: url, durability: 'commit' }), now);
}

export async function somePostgresRecords(server: PostgresDatabase, now?: () => number): Promise<Records> {
  const { url } = server;
  const storage = await openPostgresStorage({ url, durability: 'commit', maxConnections: 2 });
  await server.empty();
  return readBy(url, storage, now);
}

const LONG_AFTER = Date.parse('2027-01-01T00:00:00Z');

async function readBy(url: string, storage: Storage, now = () => LONG_AFTER): Promise<Records> {
  const database = await openRecords(url);
  onTestFinished(async () => {
    await database.close();
    await storage.close();
  });
  const options = { providerOf: PROVIDER_OF, now };
  const reader = insightsReader(database, options);
  const hasty = insightsReader(database, { ...options, countingMs: 0 });
  return {
    url,
    storage,
    database,
    async add(...rows) {
      await Promise.all(rows.map(({ id, ...fields }) => storage.checks.append(checkOf(id, fields))));
    },
    async ask(kind, question) {
      return (await reader[kind](question as never)) as never;
    },
    async count(countingMs) {
      const { hours, isDone } = await (countingMs === 0 ? hasty : reader).count(null);
      await storage.checkHours.keep(hours);
      return isDone;
    },
    async hours() {
      const kept = await database.all<{ readonly hour: string }>(
        'SELECT hour FROM check_hours ORDER BY hour',
      );
      return kept.map(({ hour }) => hour);
    },
  };
}
