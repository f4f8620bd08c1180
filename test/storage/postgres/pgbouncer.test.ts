import { describe, expect, it, onTestFinished } from 'vitest';
import { NO_LISTS } from '../../../src/lists/list-store.ts';
import { openListStore } from '../../../src/lists/open-list-store.ts';
import { openRecordedChecks, openRecords } from '../../../src/storage/open-storage.ts';
import { openPostgresStorage } from '../../../src/storage/postgres/postgres-storage.ts';
import { searchChecks } from '../../../src/storage/shared/search-checks.ts';
import { aPgBouncer, PGBOUNCER } from '../../support/pgbouncer.ts';
import { describePostgres } from '../../support/postgres.ts';
import { checkOf } from '../rows.ts';

describe.skipIf(PGBOUNCER === null)('behind PgBouncer in transaction mode', () => {
  describePostgres('without ignored parameters and prepared statements', (server) => {
    it('records are read by another process', async () => {
      const storage = await openPostgresStorage({ url: server.url, durability: 'commit', maxConnections: 2 });
      onTestFinished(() => storage.close());
      await server.empty();
      await storage.checks.append(checkOf('chk_1'));
      const url = await aPgBouncer(server.url);
      const records = await openRecords(url);
      onTestFinished(() => records.close());
      expect((await searchChecks(records, { limit: 5 })).checks.map(({ id }) => id)).toEqual(['chk_1']);
      const recorded = await openRecordedChecks(url);
      onTestFinished(() => recorded.close());
      expect(await recorded.count({})).toBe(1);
    });

    it('downloaded lists are read, also by processes that know no other address', async () => {
      const storage = await openPostgresStorage({ url: server.url, durability: 'commit', maxConnections: 2 });
      await storage.close();
      const url = await aPgBouncer(server.url);
      await using kept = await openListStore({ dataDir: '', storage: { url } });
      expect(await kept.store.read()).toEqual(NO_LISTS);
    });

    it.each([
      ['without storage.direct_url', () => null],
      ['with it', () => server.url],
    ])('checks are recorded and keys found, by many concurrent clients, %s', async (_, direct) => {
      const storage = await openPostgresStorage({
        ...{
          url: await aPgBouncer(server.url),
          directUrl: direct(),
          durability: 'commit',
          maxConnections: 5,
        },
      });
      onTestFinished(() => storage.close());
      await server.empty();
      // More than once each: a statement that one connection has prepared is then executed on another.
      for (let round = 0; round < 5; round += 1) {
        await Promise.all(
          Array.from({ length: 8 }, async (_, n) => {
            expect(await storage.keys.findByHash(new Uint8Array(32).fill(n))).toBeUndefined();
            await storage.checks.append(checkOf(`chk_${round}_${n}`));
          }),
        );
      }
      const [counted] = await server.query<{ n: number }>('SELECT count(*)::int AS n FROM checks');
      expect(counted).toEqual({ n: 40 });
    });
  });
});
