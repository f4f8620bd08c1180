import type { RecordsDatabase } from './shared/records-database.ts';

/** The records of a service, for another process than the one that records. Rejects where there is no such database. */
export async function openRecords(url: string): Promise<RecordsDatabase> {
  const { openReadOnly } = await import('./sqlite/database.ts');
  const { SqliteRecords } = await import('./sqlite/sqlite-records.ts');
  return new SqliteRecords(openReadOnly(url));
}
