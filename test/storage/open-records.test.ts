import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import {
  openRecordedChecks,
  openRecords,
  readingUrl,
  readProviderValues,
} from '../../src/storage/open-storage.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

describe('records in another process', () => {
  it('are read directly, without a pooler, where the direct address is configured', () => {
    const [pooled, direct] = ['postgres://pooler/postern', 'postgres://db/postern'];
    expect(readingUrl({ url: pooled, directUrl: direct })).toBe(direct);
    expect(readingUrl({ url: 'data/postern.db', directUrl: null })).toBe('data/postern.db');
  });

  it('are not opened, and no file is created, where there is no database', async () => {
    const file = join(temporaryDirectory(), 'postern.db');
    for (const _ of [1, 2]) {
      await expect(openRecords(file)).rejects.toThrow('unable to open database file');
      await expect(openRecordedChecks(file)).rejects.toThrow('unable to open database file');
    }
  });

  it('have no stored values of providers where there is no database, another file, or one of an older version', async () => {
    const directory = temporaryDirectory();
    const [absent, other, old] = ['absent', 'other', 'old'].map((name) => join(directory, `${name}.db`));
    writeFileSync(other ?? '', 'no database');
    new DatabaseSync(old ?? '').close();
    for (const file of [absent, other, old]) expect(await readProviderValues(file ?? '')).toBeNull();
  });
});
