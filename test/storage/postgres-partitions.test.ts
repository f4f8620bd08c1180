import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { Storage } from '../../src/storage/ports.ts';
import {
  openPostgresStorage,
  type PostgresStorageOptions,
} from '../../src/storage/postgres/postgres-storage.ts';
import { describePostgres } from '../support/postgres.ts';
import { accountOf, checkOf } from './rows.ts';

const OLD = '2026-01-07T10:00:00.000Z';
const OLDER = '2025-12-31T10:00:00.000Z';
const NEW = '2026-11-20T10:00:00.000Z';

describePostgres('checks in partitions', (database) => {
  let storage: Storage;
  const open = async (options: Partial<PostgresStorageOptions> = {}) => {
    const opened = await openPostgresStorage({
      ...{ url: database.url, durability: 'commit', maxConnections: 3 },
      ...options,
    });
    onTestFinished(() => opened.close());
    return opened;
  };
  beforeEach(async () => {
    // The schema is created again: partitions too.
    await database.query('DROP SCHEMA public CASCADE');
    await database.query('CREATE SCHEMA public');
    storage = await open();
    await storage.accounts.create(accountOf('acc_1'));
  });

  const partitions = async () => {
    const rows = await database.query<{ relname: string }>(
      "SELECT relname FROM pg_class WHERE relispartition AND relkind = 'r' ORDER BY 1",
    );
    return rows.map(({ relname }) => relname);
  };
  const append = (...rows: readonly (readonly [id: string, created_at: string])[]) =>
    Promise.all(rows.map(([id, created_at]) => storage.checks.append(checkOf(id, { created_at }))));
  const label = (checkId: string) => ({
    ...{ subject: { checkId }, label: 'bad' as const, source: 'test', author: null, labelledAt: NEW },
  });
  const labels = () => database.query('SELECT check_id FROM labels ORDER BY 1');
  const hours = () => database.query('SELECT hour FROM check_hours ORDER BY 1');
  const hourOf = (created_at: string, checks = 1) => ({
    ...{ accountId: 'acc_1', hour: created_at.slice(0, 13), checks, tally: '{}' },
  });

  const THURSDAY = '2026-11-19T23:59:59.999Z';
  const SUNDAY = '2026-11-22T00:00:00.000Z';
  const MONDAY = '2026-11-23T00:00:00.000Z';

  it('have one partition for the week of a check, and the next once it is prepared', async () => {
    await append(['chk_1', THURSDAY], ['chk_2', SUNDAY]);
    expect(await partitions()).toEqual(['checks_2026_11_16']);
    await storage.checks.prepare(SUNDAY);
    expect(await partitions()).toEqual(['checks_2026_11_16']);
    await storage.checks.prepare(MONDAY);
    expect(await partitions()).toEqual(['checks_2026_11_16', 'checks_2026_11_23']);
  });

  it('are recorded while the table is analysed, also on the last day of a week, and in the next week where that is prepared', async () => {
    storage = await open({ statementTimeoutMs: 600 });
    await append(['chk_1', THURSDAY]);
    const analysis = await database.begin('LOCK TABLE checks IN SHARE UPDATE EXCLUSIVE MODE');
    await append(['chk_2', SUNDAY]);
    await analysis.query('ROLLBACK');
    await storage.checks.prepare(MONDAY);
    await database.begin('LOCK TABLE checks IN SHARE UPDATE EXCLUSIVE MODE');
    await append(['chk_3', MONDAY]);
    expect(await storage.checks.count({})).toBe(3);
  });

  it('are recorded while the preparation of the next partition waits', async () => {
    await append(['chk_1', THURSDAY]);
    const other = await open({ statementTimeoutMs: 600 });
    const analysis = await database.begin('LOCK TABLE checks IN SHARE UPDATE EXCLUSIVE MODE');
    const prepared = storage.checks.prepare(MONDAY);
    await database.someWait();
    await other.checks.append(checkOf('chk_2', { created_at: SUNDAY }));
    await analysis.query('ROLLBACK');
    await prepared;
    expect(await partitions()).toEqual(['checks_2026_11_16', 'checks_2026_11_23']);
  });

  it('have one partition for each week, also where several instances need it at once', async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => open()));
    const weeks = ['2027-01-01', '2027-01-08', '2027-01-15'];
    await Promise.all(
      others.flatMap(({ checks }, instance) =>
        weeks.map((day) =>
          checks.append(checkOf(`chk_${instance}_${day}`, { created_at: `${day}T10:00:00.000Z` })),
        ),
      ),
    );
    expect(await storage.checks.count({})).toBe(12);
    expect(await partitions()).toEqual(['checks_2026_12_28', 'checks_2027_01_04', 'checks_2027_01_11']);
  });

  it('are dropped by week when past, with labels and counted hours, and deleted row by row in the current week', async () => {
    const inWeek = '2026-01-12T10:00:00.000Z';
    await append(['chk_older', OLDER], ['chk_old', OLD], ['chk_in_week', inWeek], ['chk_new', NEW]);
    await storage.labels.put('acc_1', ['chk_older', 'chk_old', 'chk_in_week', 'chk_new'].map(label), NEW);
    await storage.checkHours.keep([OLDER, OLD, inWeek, NEW].map((at) => hourOf(at)));
    expect(await hours()).toHaveLength(4);
    expect(await storage.checks.deleteBefore('2026-01-13T00:00:00.000Z')).toBe(3);
    expect(await labels()).toEqual([{ check_id: 'chk_new' }]);
    expect(await hours()).toEqual([{ hour: '2026-11-20T10' }]);
    expect(await partitions()).toEqual(['checks_2026_01_12', 'checks_2026_11_16']);
    expect(await storage.checks.count({})).toBe(1);
  });

  it('are recorded in a week whose partition another instance has dropped', async () => {
    await append(['chk_1', OLD]);
    await (await open()).checks.deleteBefore(NEW);
    expect(await partitions()).toEqual([]);
    await append(['chk_2', OLD]);
    expect(await storage.checks.find('chk_2')).toBeDefined();
  });

  it('are deleted from a partition that is being read, which is dropped the next time', async () => {
    await append(['chk_1', OLD]);
    const reader = await database.begin('SELECT * FROM checks');
    expect(await storage.checks.deleteBefore(NEW)).toBe(1);
    expect(await storage.checks.find('chk_1')).toBeUndefined();
    expect(await partitions()).toEqual(['checks_2026_01_05']);
    await reader.query('ROLLBACK');
    expect(await storage.checks.deleteBefore(NEW)).toBe(0);
    expect(await partitions()).toEqual([]);
  });

  it('are dropped without the time limit of a check, because a week with many labels takes longer', async () => {
    await append(['chk_1', OLD]);
    const { checks, labels } = await open({ statementTimeoutMs: 600 });
    const holder = await database.begin('LOCK TABLE labels IN ACCESS EXCLUSIVE MODE');
    const dropped = checks.deleteBefore(NEW);
    await database.someWait();
    // Longer than the client waits for the server to report a cancelled statement.
    for (let cut = 0; cut < 3; cut += 1)
      await expect(labels.list(undefined, 1)).rejects.toMatchObject({ code: 'unavailable' });
    await holder.query('ROLLBACK');
    expect(await dropped).toBe(1);
    expect(await partitions()).toEqual([]);
  });

  it('are deleted row by row where dropping their week takes too long', async () => {
    await append(['chk_1', OLD], ['chk_2', OLD]);
    await database.query(`
      CREATE FUNCTION take_too_long() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF current_query() LIKE 'DELETE FROM labels%' THEN
          RAISE SQLSTATE '57014';
        END IF;
        RETURN NULL;
      END $$`);
    await database.query(
      'CREATE TRIGGER take_too_long BEFORE DELETE ON labels FOR EACH STATEMENT EXECUTE FUNCTION take_too_long()',
    );
    expect(await storage.checks.deleteBefore(NEW)).toBe(2);
    expect(await storage.checks.count({})).toBe(0);
    expect(await partitions()).toEqual(['checks_2026_01_05']);
  });

  it('are found by id, whatever the week', async () => {
    await append(['chk_1', OLDER], ['chk_2', OLD], ['chk_3', NEW]);
    const found = await Promise.all(['chk_1', 'chk_2', 'chk_3'].map((id) => storage.checks.find(id)));
    expect(found.map((row) => row?.created_at)).toEqual([OLDER, OLD, NEW]);
  });

  it.each(['DELETE FROM checks', "DELETE FROM checks WHERE id = 'chk_1'"])(
    'keep no count of an hour of which a check is deleted at the same time: %s',
    async (statement) => {
      await append(['chk_1', NEW], ['chk_2', NEW]);
      const deletion = await database.begin(statement);
      const keeping = storage.checkHours.keep([hourOf(NEW, 2)]);
      await database.someWait();
      await deletion.query('COMMIT');
      await keeping;
      expect(await hours()).toEqual([]);
    },
  );

  it('delete the count of an hour that is stored while one of its checks is being deleted', async () => {
    await append(['chk_1', NEW]);
    const keeping = await database.begin(
      'LOCK TABLE check_hours IN SHARE ROW EXCLUSIVE MODE',
      `INSERT INTO check_hours VALUES ('acc_1', '2026-11-20T10', 1, '{}')`,
    );
    const deletion = storage.checks.deleteBefore('2026-11-21T00:00:00.000Z');
    await database.someWait();
    await keeping.query('COMMIT');
    expect(await deletion).toBe(1);
    expect(await hours()).toEqual([]);
  });

  it('give no label to a check that is deleted at the same time', async () => {
    await append(['chk_1', NEW], ['chk_2', NEW]);
    const deletion = await database.begin("DELETE FROM checks WHERE id = 'chk_1'");
    const putting = storage.labels.put('acc_1', [label('chk_1'), label('chk_2')], NEW);
    await database.someWait();
    await deletion.query('COMMIT');
    expect(await putting).toMatchObject({ added: 1, absent: 1 });
    expect(await labels()).toEqual([{ check_id: 'chk_2' }]);
  });
});
