import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { lockData } from '../../src/storage/file-lock.ts';
import { aWorldWith } from './recorded-world.ts';
import { aWorld, type World } from './world.ts';

const LAST = '0018-service-state';

function onDatabase({ cwd }: World, sql: string) {
  const database = new DatabaseSync(join(cwd, 'data/postern.db'));
  try {
    database.exec(sql);
    return database
      .prepare('SELECT name FROM migrations ORDER BY name')
      .all()
      .map(({ name }) => name)
      .at(-1);
  } finally {
    database.close();
  }
}

/** A database with the schema of the previous version. */
async function anEarlierWorld(): Promise<World> {
  const world = await aWorldWith({ id: 'chk_1' });
  onDatabase(world, `DROP TABLE service_state; DELETE FROM migrations WHERE name = '${LAST}'`);
  return world;
}

it('runs the missing steps, names them, and keeps the records', async () => {
  const world = await anEarlierWorld();
  const file = join(world.cwd, 'data/postern.db');
  const first = await world.postern(['migrate', '--json']);
  expect([first.code, first.json()]).toEqual([0, { database: file, steps: [LAST] }]);
  expect(onDatabase(world, 'SELECT * FROM service_state')).toBe(LAST);
  expect((await world.postern(['checks', 'show', 'chk_1'])).code).toBe(0);
  const { code, stdout } = await world.postern(['migrate']);
  expect([code, stdout]).toEqual([0, `${file} has the schema of this version already\n`]);
});

it('reports how many steps there were', async () => {
  const { stdout, stderr } = await (await anEarlierWorld()).postern(['migrate']);
  expect(stderr).toBe('bringing the database to this version; a large one takes minutes …\n');
  expect(stdout).toMatch(/: 1 step taken: 0018-service-state\n$/);
});

it.each([['migrate'], ['keys', 'list']])(
  'changes nothing beside a running service: %s %s',
  async (...argv) => {
    const world = await anEarlierWorld();
    const dataDir = join(world.cwd, 'data');
    using _service = lockData({ dataDir, database: join(dataDir, 'postern.db') });
    const { code, stderr } = await world.postern(argv);
    expect(code).toBe(2);
    expect(stderr).toContain(`is of an earlier version (it lacks ${LAST})`);
    expect(stderr).not.toContain('bringing the database');
    expect(stderr).toContain('another postern serves this data directory; stop it');
    expect(onDatabase(world, 'SELECT 1')).not.toBe(LAST);
  },
);

it('has nothing to do beside a running service of this version', async () => {
  const world = await aWorldWith({ id: 'chk_1' });
  const dataDir = join(world.cwd, 'data');
  using _service = lockData({ dataDir, database: join(dataDir, 'postern.db') });
  expect((await world.postern(['migrate'])).code).toBe(0);
});

it('refuses a database of a newer version, and a file that is not a database, as a start does', async () => {
  const world = await aWorldWith({ id: 'chk_1' });
  onDatabase(world, "INSERT INTO migrations VALUES ('9999-from-the-future', '2099')");
  const newer = await world.postern(['migrate']);
  expect([newer.code, newer.stderr]).toEqual([2, expect.stringContaining('written by a newer Postern')]);
  world.write('data/postern.db', 'no database '.repeat(1000));
  const none = await world.postern(['migrate']);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('file is not a database')]);
});

it('creates no database', async () => {
  const { code, stderr } = await aWorld().postern(['migrate']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('there is no database at')]);
});
