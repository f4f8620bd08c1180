import { DatabaseSync } from 'node:sqlite';
import type { CheckStore } from '../ports.ts';
import { countChecks, readPages, readTriedPages } from './read-checks.ts';

/** The checks on record, for another process than the one that records them: read, never written. */
export interface RecordedChecks extends Pick<CheckStore, 'count' | 'pages' | 'triedPages'> {
  close(): void;
}

/** Who writes holds the database for milliseconds. */
const BUSY_TIMEOUT_MS = 2_000;

/** Throws when there is no such database. */
export function openRecordedChecks(file: string): RecordedChecks {
  const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  return {
    count: async (selection) => countChecks(database, selection),
    pages: (selection) => readPages(database, selection),
    triedPages: (selection) => readTriedPages(database, selection),
    close: () => database.close(),
  };
}
