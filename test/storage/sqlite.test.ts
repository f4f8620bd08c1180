import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { describeStorage } from './contract.ts';

describeStorage('sqlite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-storage-'));
  const file = join(folder, 'data', 'postern.db');
  onTestFinished(() => rm(folder, { recursive: true }));
  return { open: (durability = 'commit') => openSqliteStorage({ file, durability }) };
});
