import { chmodSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPostgresStorage } from '../../src/storage/postgres/postgres-storage.ts';
import { startPostgresServer } from '../cluster/support/postgres-server.ts';
import { POSTGRES_BIN } from '../cluster/support/programs.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { accountOf, checkOf, hashOf, keyOf } from './rows.ts';

describe.skipIf(POSTGRES_BIN === '')('a PostgreSQL that is stopped and started again', () => {
  it('is unavailable meanwhile, keeps every answered check, and serves again without a restart of Postern', async () => {
    const root = temporaryDirectory();
    // The server runs as another user.
    chmodSync(root, 0o711);
    const server = await startPostgresServer(root);
    onTestFinished(() => server.stop());
    const storage = await openPostgresStorage({ url: server.url, durability: 'commit' });
    onTestFinished(() => storage.close());
    await storage.accounts.create(accountOf('acc_1'));
    await storage.keys.create(keyOf(1));

    const answered: string[] = [];
    let number = 0;
    let isLoaded = true;
    const load = async () => {
      while (isLoaded) {
        const id = `chk_${number++}`;
        const outcome = await storage.checks.append(checkOf(id)).then(
          () => 'recorded',
          (error) => error.code,
        );
        if (outcome === 'recorded') answered.push(id);
        else expect(outcome).toBe('unavailable');
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    };
    const loads = Array.from({ length: 4 }, load);
    await eventually(() => expect(answered.length).toBeGreaterThan(50));
    await server.stop();
    await expect(storage.keys.findByHash(hashOf(1))).rejects.toMatchObject({ code: 'unavailable' });
    await expect(storage.ping()).rejects.toMatchObject({ code: 'unavailable' });
    const before = answered.length;
    await server.start();
    await eventually(() => expect(answered.length).toBeGreaterThan(before + 50));
    isLoaded = false;
    await Promise.all(loads);
    await eventually(() => storage.ping());
    expect((await storage.keys.findByHash(hashOf(1)))?.key.id).toBe('key_1');
    const recorded = await server.query<{ id: string }>('SELECT id FROM checks');
    const ids = new Set(recorded.map(({ id }) => id));
    expect(answered.filter((id) => !ids.has(id))).toEqual([]);
    // A check that was committed but not answered is counted too.
    expect(await storage.usage.read('acc_1', '2026-11')).toBe(ids.size);
  });
});
