import { expect, it, onTestFinished } from 'vitest';
import { openRecordedChecks, openRecords, readProviderValues } from '../../../src/storage/open-storage.ts';
import { openPostgresStorage } from '../../../src/storage/postgres/postgres-storage.ts';
import type { RecordsDatabase } from '../../../src/storage/shared/records-database.ts';
import { searchChecks } from '../../../src/storage/shared/search-checks.ts';
import { describePostgres } from '../../support/postgres.ts';
import { checkOf } from '../rows.ts';

describePostgres('records in PostgreSQL, in another process', (server) => {
  async function aStorage() {
    const storage = await openPostgresStorage({ url: server.url, durability: 'commit', maxConnections: 2 });
    onTestFinished(() => storage.close());
    await server.empty();
    return storage;
  }

  async function opened(url: string): Promise<RecordsDatabase> {
    const records = await openRecords(url);
    onTestFinished(() => records.close());
    return records;
  }

  it('are read through read-only connections, whatever else the address sets', async () => {
    const storage = await aStorage();
    await storage.checks.append(checkOf('chk_1'));
    const url = new URL(server.url);
    url.searchParams.set('options', '-c work_mem=7MB');
    for (const records of [await opened(server.url), await opened(url.href)]) {
      await expect(records.all('DELETE FROM checks WHERE id = ?', 'chk_1')).rejects.toMatchObject({
        code: 'unavailable',
        cause: { code: '25006' },
      });
    }
    const [set] = await (await opened(url.href)).all('SHOW work_mem');
    expect(set).toEqual({ work_mem: '7MB' });
    expect(await storage.checks.find('chk_1')).toBeDefined();
  });

  it('cancel a statement that no process waits for by the time-out of the server', async () => {
    const [set] = await (await opened(server.url)).all('SHOW statement_timeout');
    expect(set).toEqual({ statement_timeout: '1min' });
  });

  it('are replayed, and then close their connections', async () => {
    const storage = await aStorage();
    await storage.checks.append(checkOf('chk_1'));
    const checks = await openRecordedChecks(server.url);
    for await (const page of checks.pages({})) expect(page.map(({ id }) => id)).toEqual(['chk_1']);
    const connected = () =>
      server.query(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'postern replays'",
      );
    expect(await connected()).toEqual([{ n: 1 }]);
    await checks.close();
    await expect.poll(connected).toEqual([{ n: 0 }]);
  });

  it('contain the stored values of providers, until these expire', async () => {
    const storage = await aStorage();
    await storage.providerValues.keep('smtp', 'example.org', 'kept', 2_000, 1_000);
    const values = await readProviderValues(server.url);
    onTestFinished(() => values?.close());
    expect(await values?.find('smtp', 'example.org', 1_999)).toBe('kept');
    expect(await values?.find('smtp', 'example.org', 2_000)).toBeUndefined();
    await values?.keep('smtp', 'example.org', 'other', 9_000, 1_000);
    expect(await storage.providerValues.find('smtp', 'example.org', 1_999)).toBe('kept');
  });

  it('have no stored values of providers where no server answers', async () => {
    expect(await readProviderValues('postgres://127.0.0.1:1/none')).toBeNull();
  });

  it('are searched by the index of time, of an account or of a person, and only the checks of a person are sorted', async () => {
    const storage = await aStorage();
    for (const week of ['05', '12', '19']) {
      await storage.checks.append(checkOf(`chk_${week}`, { created_at: `2026-11-${week}T10:00:00.000Z` }));
    }
    // For three checks, the planner would prefer to read them all.
    const url = new URL(server.url);
    url.searchParams.set('options', '-c enable_seqscan=off -c enable_bitmapscan=off');
    const records = await opened(url.href);
    const plans: string[] = [];
    const spied: RecordsDatabase = {
      ...{ dialect: 'postgres', close: () => undefined },
      async all(sql, ...parameters) {
        const plan = await records.all<object>(`EXPLAIN ${sql}`, ...parameters);
        plans.push(plan.flatMap((row) => Object.values(row)).join('\n'));
        return records.all(sql, ...parameters);
      },
    };
    const at = '2026-11-12T10:00:00.000Z';
    await searchChecks(spied, { limit: 1 });
    await searchChecks(spied, { limit: 1, accountId: 'acc_1', since: at });
    await searchChecks(spied, { limit: 1, accountId: 'acc_1', person: 'aa' });
    await searchChecks(spied, { limit: 1, person: 'aa' });
    const ofChecks = /checks_\d+_\d+_\d+_(created_at|account_id|address_hmac)/;
    expect(plans.map((plan) => ofChecks.exec(plan)?.[1])).toEqual([
      ...['created_at', 'created_at', 'account_id', 'account_id', 'address_hmac', 'address_hmac'],
      ...['address_hmac', 'address_hmac'],
    ]);
    expect(plans.filter((plan) => plan.includes('Seq Scan on checks'))).toEqual([]);
    expect(plans.slice(0, 4).filter((plan) => plan.includes('Sort'))).toEqual([]);
    // Partitions before `since` are not read.
    expect(plans[2]).not.toContain('checks_2026_11_02');
  });
});
