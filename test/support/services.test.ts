import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { dropAbandonedDatabases } from './abandoned-databases.ts';
import { describePostgres } from './postgres.ts';
import { leftOut, TEST_SERVICES } from './services.ts';

it('says in one line which services tests are left out for, and how to name them', () => {
  expect(leftOut({ PostgreSQL: undefined, 'Valkey or Redis': 'redis://a' })).toBe(
    'Left out: tests that need PostgreSQL (POSTERN_TEST_POSTGRES_URL not set)',
  );
  expect(leftOut({})).toMatch(/^Left out: tests that need PostgreSQL and Valkey or Redis \(.+\)$/);
  expect(leftOut({ PostgreSQL: 'postgres://a', 'Valkey or Redis': 'redis://a' })).toBeUndefined();
});

describePostgres('a database for tests', (database) => {
  it('is empty at first, and when it was emptied', async () => {
    const tables = await database.query(
      "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace",
    );
    expect(tables).toEqual([]);
    await database.query('CREATE TABLE one (id SERIAL PRIMARY KEY, other INTEGER REFERENCES one (id))');
    const add = (other: number | null) =>
      database.query('INSERT INTO one (other) VALUES ($1) RETURNING id', [other]);
    expect(await add(null)).toEqual([{ id: 1 }]);
    expect(await add(1)).toEqual([{ id: 2 }]);
    await database.empty();
    expect(await database.query('SELECT * FROM one')).toEqual([]);
    expect(await add(null)).toEqual([{ id: 1 }]);
  });

  it('goes with the next run where its own was killed', async () => {
    const server = TEST_SERVICES.PostgreSQL ?? '';
    const { pid: gone } = spawnSync('true');
    const name = `postern_test_${gone}_00`;
    await database.query(`CREATE DATABASE ${name}`);
    expect(await dropAbandonedDatabases(server)).toContain(name);
    const left = await database.query('SELECT datname FROM pg_database WHERE datname = $1', [name]);
    expect(left).toEqual([]);
    // The database of this process is not dropped.
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(await dropAbandonedDatabases('postgres://postgres@db.example:5432/test')).toEqual([]);
  });

  it('does not sort as Postern does, unless it is told to', async () => {
    const [row] = await database.query(`SELECT 'a' < 'B' AS here, 'a' < 'B' COLLATE "C" AS ours`);
    expect(row).toEqual({ here: true, ours: false });
  });
});
