import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../src/storage/sqlite/migrate.ts';
import { packRows } from '../../src/storage/sqlite/packed-rows.ts';
import { valuesOf } from '../../src/storage/sqlite/schema.ts';
import { WriterThread } from '../../src/storage/sqlite/writer-thread.ts';
import { checkOf, rowOf } from './rows.ts';

const packed = (...ids: readonly string[]) => packRows(ids.map((id) => valuesOf(rowOf(checkOf(id)))));
const INSERT = "INSERT INTO accounts (id, name, created_at) VALUES (?, 'shop', '2026-11-20T10:00:00.000Z')";

describe('what is asked between staged checks and their commit', () => {
  let writer: WriterThread;
  let database: DatabaseSync;

  beforeEach(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'postern-writer-'));
    const file = join(folder, 'postern.db');
    await migrate(file);
    writer = new WriterThread({ file, busyTimeoutMs: 100 });
    await writer.open();
    database = new DatabaseSync(file);
    onTestFinished(async () => {
      database.close();
      await writer.close();
      await rm(folder, { recursive: true });
    });
  });

  const idsOf = (table: string) => database.prepare(`SELECT id FROM ${table} ORDER BY id`).all();

  it('is answered after the commit, in the order it came', async () => {
    const answered: string[] = [];
    const told = (name: string) => () => void answered.push(name);
    writer.send('stageChecks', packed('chk_1'), []);
    const calls = [
      writer.call('run', INSERT, ['acc_1']).then(told('first')),
      writer.call('run', INSERT, ['acc_2']).then(told('second')),
      writer.call('commitChecks', packed('chk_2'), []).then(told('commit')),
    ];
    await Promise.all(calls);
    expect(answered).toEqual(['commit', 'first', 'second']);
    expect(idsOf('checks')).toMatchObject([{ id: 'chk_1' }, { id: 'chk_2' }]);
    expect(idsOf('accounts')).toMatchObject([{ id: 'acc_1' }, { id: 'acc_2' }]);
  });

  it('does not share the fate of the checks', async () => {
    database.exec('ALTER TABLE usage RENAME TO elsewhere');
    writer.send('stageChecks', packed('chk_1'), []);
    const account = writer.call('run', INSERT, ['acc_1']);
    writer.send('stageChecks', packed('chk_2'), []);
    await expect(writer.call('commitChecks', packed(), [])).rejects.toThrow('no such table');
    expect(await account).toBe(1);
    expect(idsOf('checks')).toEqual([]);
    expect(idsOf('accounts')).toMatchObject([{ id: 'acc_1' }]);
  });

  it('waits for checks that cannot be written too', async () => {
    database.exec('BEGIN IMMEDIATE');
    writer.send('stageChecks', packed('chk_1'), []);
    const commit = writer.call('commitChecks', packed('chk_2'), []);
    await expect(commit).rejects.toThrow('database is locked');
    database.exec('COMMIT');
    expect(await writer.call('commitChecks', packed('chk_3'), [])).toEqual([]);
    expect(idsOf('checks')).toMatchObject([{ id: 'chk_3' }]);
  });
});
