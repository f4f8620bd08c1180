import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { PAGE_SIZE } from '../../src/storage/sqlite/database.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { checkOf } from './rows.ts';

/** The state of a database after Postern has recorded a check in it. */
async function pageSizeOf(file: string): Promise<unknown> {
  const storage = await openSqliteStorage({ file, durability: 'commit' });
  await storage.checks.append(checkOf('chk_1'));
  await storage.close();
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare('PRAGMA page_size').get()?.page_size;
  } finally {
    database.close();
  }
}

describe('the pages of a database', () => {
  it('hold several records in a new database', async () => {
    expect(await pageSizeOf(join(temporaryDirectory(), 'postern.db'))).toBe(PAGE_SIZE);
  });

  it('keep their size in an existing database', async () => {
    const file = join(temporaryDirectory(), 'postern.db');
    const database = new DatabaseSync(file);
    // A table must have existed: from then on the size is stored in the file.
    database.exec(
      'PRAGMA page_size=4096; PRAGMA journal_mode=WAL; CREATE TABLE other (id TEXT); DROP TABLE other',
    );
    database.close();
    expect(await pageSizeOf(file)).toBe(4_096);
  });
});
