import { expect, it } from 'vitest';
import { describePostgres } from './postgres.ts';
import { leftOut } from './services.ts';

it('says in one line which services tests are left out for, and how to name them', () => {
  expect(leftOut({ PostgreSQL: undefined, 'Valkey or Redis': 'redis://a' })).toBe(
    'Left out: tests that need PostgreSQL (POSTERN_TEST_POSTGRES_URL not set)',
  );
  expect(leftOut({})).toMatch(/^Left out: tests that need PostgreSQL and Valkey or Redis \(.+\)$/);
  expect(leftOut({ PostgreSQL: 'postgres://a', 'Valkey or Redis': 'redis://a' })).toBeUndefined();
});

describePostgres('a database for tests', (database) => {
  it('is empty at first, and when it was emptied', async () => {
    const tables = () =>
      database.query("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace");
    expect(await tables()).toEqual([]);
    await database.query('CREATE TABLE one (id TEXT)');
    expect(await tables()).toEqual([{ relname: 'one' }]);
    await database.empty();
    expect(await tables()).toEqual([]);
  });

  it('does not sort as Postern does, unless it is told to', async () => {
    const [row] = await database.query(`SELECT 'a' < 'B' AS here, 'a' < 'B' COLLATE "C" AS ours`);
    expect(row).toEqual({ here: true, ours: false });
  });
});
