import { join } from 'node:path';
import { beforeEach, describe, onTestFinished } from 'vitest';
import type { Storage } from '../../src/storage/ports.ts';
import { openPostgresStorage } from '../../src/storage/postgres/postgres-storage.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { describePostgres } from '../support/postgres.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** Opens the test's own database, which is empty at first; may be called several times. */
export type OpenStorage = (durability?: 'commit' | 'async') => Promise<Storage>;

/** Declares tests of what every driver promises, once for each. */
export function describeDrivers(name: string, tests: (open: OpenStorage) => void): void {
  const closing = async (opening: Promise<Storage>) => {
    const opened = await opening;
    onTestFinished(() => opened.close());
    return opened;
  };
  describe(`${name}, in SQLite`, () => {
    let file: string;
    beforeEach(() => {
      file = join(temporaryDirectory(), 'data', 'postern.db');
    });
    tests((durability = 'commit') => closing(openSqliteStorage({ file, durability })));
  });
  describePostgres(`${name}, in PostgreSQL`, (database) => {
    beforeEach(() => database.empty());
    tests((durability = 'commit') =>
      closing(openPostgresStorage({ url: database.url, durability, maxConnections: 3 })),
    );
  });
}
