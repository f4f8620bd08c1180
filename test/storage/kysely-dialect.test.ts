import { join } from 'node:path';
import { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Storage } from '../../src/storage/ports.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { checkOf } from './rows.ts';

interface Tables {
  accounts: { id: string; name: string; created_at: string };
}

let storage: Storage;
let db: Kysely<Tables>;
beforeEach(async () => {
  storage = await openSqliteStorage({ file: join(temporaryDirectory(), 'postern.db'), durability: 'commit' });
  db = new Kysely<Tables>({ dialect: await storage.peopleStorage.sessionDialect() });
});
afterEach(() => storage.close());

const SHOP = { id: 'acc_1', name: 'Shop', created_at: '2026-11-20T10:00:00.000Z' };

describe('queries of a library with its own Kysely dialect', () => {
  it('write, return what they wrote, and all readers see it at once', async () => {
    expect(await db.insertInto('accounts').values(SHOP).returningAll().execute()).toEqual([SHOP]);
    expect(await storage.accounts.find('acc_1')).toMatchObject({ name: 'Shop' });
    expect((await db.updateTable('accounts').set({ name: 'Store' }).executeTakeFirst()).numUpdatedRows).toBe(
      1n,
    );
    expect(await db.selectFrom('accounts').select('name').execute()).toEqual([{ name: 'Store' }]);
    expect((await db.deleteFrom('accounts').executeTakeFirst()).numDeletedRows).toBe(1n);
  });

  it('report an invalid row', async () => {
    await db.insertInto('accounts').values(SHOP).execute();
    await expect(db.insertInto('accounts').values(SHOP).execute()).rejects.toThrow(/UNIQUE/);
  });

  it('form a transaction, which sees its own writes and for which checks wait', async () => {
    let recording: Promise<void> | undefined;
    await db.transaction().execute(async (trx) => {
      await trx.insertInto('accounts').values(SHOP).execute();
      recording = storage.checks.append(checkOf('chk_1'));
      expect(await trx.selectFrom('accounts').selectAll().execute()).toEqual([SHOP]);
      expect(await storage.accounts.find('acc_1')).toBeUndefined();
      expect(await storage.checks.find('chk_1')).toBeUndefined();
    });
    await recording;
    expect(await storage.checks.find('chk_1')).toBeDefined();
    expect(await storage.accounts.find('acc_1')).toMatchObject({ name: 'Shop' });
  });

  it('leave nothing of a failed transaction, and block no one', async () => {
    const failing = db.transaction().execute(async (trx) => {
      await trx.insertInto('accounts').values(SHOP).execute();
      await trx.insertInto('accounts').values(SHOP).execute();
    });
    await expect(failing).rejects.toThrow(/UNIQUE/);
    expect(await storage.accounts.find('acc_1')).toBeUndefined();
    await storage.checks.append(checkOf('chk_1'));
  });

  it('do not support streaming', async () => {
    const first = db.selectFrom('accounts').selectAll().stream().next();
    await expect(first).rejects.toThrow(/nothing is streamed/);
  });
});
