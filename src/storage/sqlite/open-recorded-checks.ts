import type { CheckStore } from '../ports.ts';
import { openReadOnly } from './open-database.ts';
import { countChecks, readPages, readTriedPages } from './read-checks.ts';

/** The checks on record, for another process than the one that records them: read, never written. */
export interface RecordedChecks extends Pick<CheckStore, 'count' | 'pages' | 'triedPages'> {
  close(): void;
}

/** Throws when there is no such database. */
export function openRecordedChecks(file: string): RecordedChecks {
  const database = openReadOnly(file);
  return {
    count: async (selection) => countChecks(database, selection),
    pages: (selection) => readPages(database, selection),
    triedPages: (selection) => readTriedPages(database, selection),
    close: () => database.close(),
  };
}
