import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import type { Answer, Ask, QuestionKind } from '../../src/insights/insights-queries.ts';
import type { NewCheck, Storage } from '../../src/storage/ports.ts';
import { InsightsReader } from '../../src/storage/shared/insights-reader.ts';
import { SqliteRecords } from '../../src/storage/sqlite/sqlite-records.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { checkOf } from '../storage/rows.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

export const PROVIDER_OF = { 'domain.has_mx': 'mx', 'mx.outcome': 'mx', 'domain.is_catch_all': 'catch_all' };

/** A database of its own, and what reads it. */
export interface Records {
  readonly file: string;
  readonly storage: Storage;
  add(...rows: readonly (Partial<NewCheck> & { readonly id: string })[]): Promise<void>;
  ask<K extends QuestionKind>(kind: K, question: Ask<K>): Promise<Answer<K>>;
  /** Counts hours that are over and stores them, as the service does between questions; resolves to whether there are no more. */
  count(countingMs?: 0): Promise<boolean>;
  /** Hours that are stored. */
  hours(): readonly string[];
}

export async function someRecords(
  now: () => number = () => Date.parse('2027-01-01T00:00:00Z'),
): Promise<Records> {
  const file = join(temporaryDirectory(), 'postern.db');
  const storage = await openSqliteStorage({ file, durability: 'commit' });
  const reading = new DatabaseSync(file, { readOnly: true });
  onTestFinished(async () => {
    reading.close();
    await storage.close();
  });
  const options = { providerOf: PROVIDER_OF, now };
  const records = new SqliteRecords(reading);
  const reader = new InsightsReader(records, options);
  const hasty = new InsightsReader(records, { ...options, countingMs: 0 });
  return {
    file,
    storage,
    async add(...rows) {
      await Promise.all(rows.map(({ id, ...fields }) => storage.checks.append(checkOf(id, fields))));
    },
    async ask(kind, question) {
      return (await reader[kind](question as never)) as never;
    },
    async count(countingMs) {
      const { hours, isDone } = await (countingMs === 0 ? hasty : reader).count();
      await storage.checkHours.keep(hours);
      return isDone;
    },
    hours: () =>
      reading
        .prepare('SELECT hour FROM check_hours ORDER BY hour')
        .all()
        .map(({ hour }) => String(hour)),
  };
}
