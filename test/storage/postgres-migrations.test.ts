import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { StartupError } from '../../src/errors.ts';
import { type KnownSchema, migratePostgres, SCHEMA } from '../../src/storage/postgres/migrate.ts';
import { openPostgresStorage } from '../../src/storage/postgres/postgres-storage.ts';
import { prepareDatabaseFile } from '../../src/storage/sqlite/database.ts';
import { migrate } from '../../src/storage/sqlite/migrate.ts';
import { describePostgres, makeDatabase, SOME_TENTHS_OF_A_SECOND } from '../support/postgres.ts';
import { TEST_SERVICES } from '../support/services.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** The tables that replace files of the data directory, which SQLite does not have. */
const IN_FILES = ['downloaded_lists', 'list_snapshots'];

describePostgres('migrations in PostgreSQL', (database) => {
  beforeEach(async () => {
    await database.query('DROP SCHEMA public CASCADE');
    await database.query('CREATE SCHEMA public');
  });
  const names = async () =>
    (await database.query<{ name: string }>('SELECT name FROM migrations ORDER BY name')).map(
      ({ name }) => name,
    );
  const migrateTo = (schema: KnownSchema) => migratePostgres({ url: database.url }, schema);
  /** The schema of a release with this many steps, which can run beside the previous release. */
  const release = (steps: number): KnownSchema => ({
    steps: Object.fromEntries(
      Array.from({ length: steps }, (_, step) => [`000${step + 1}`, `CREATE TABLE t_${step + 1} (id TEXT)`]),
    ),
    runsBeside: `000${steps - 1}`,
  });

  it('are run by one of several instances that start at once; the others wait for it', async () => {
    const took = await Promise.all(Array.from({ length: 5 }, () => migratePostgres({ url: database.url })));
    expect(took.filter((steps) => steps.length > 0)).toEqual([Object.keys(SCHEMA.steps)]);
    expect(await names()).toEqual(Object.keys(SCHEMA.steps));
    expect(Object.keys(SCHEMA.steps)).toContain(SCHEMA.runsBeside);
    expect(await migratePostgres({ url: database.url })).toEqual([]);
  });

  it('are run all or none', async () => {
    await migrateTo(release(1));
    const { steps, runsBeside } = release(2);
    const broken = migrateTo({ steps: { ...steps, '0003': 'CREATE TABLE t_1 (id TEXT)' }, runsBeside });
    await expect(broken).rejects.toThrow('relation "t_1" already exists');
    expect(await names()).toEqual(['0001']);
    expect(await database.query("SELECT to_regclass('t_2') AS t")).toEqual([{ t: null }]);
    expect(await migrateTo(release(2))).toEqual(['0002']);
  });

  it('take as long as they need, whatever time-outs the role or the database has', async () => {
    const hasty = new URL(database.url);
    hasty.searchParams.set('options', '-c statement_timeout=50 -c lock_timeout=50');
    const slow: KnownSchema = { steps: { '0001': SOME_TENTHS_OF_A_SECOND }, runsBeside: '0001' };
    const both = [1, 2].map(() => migratePostgres({ url: hasty.href }, slow));
    expect((await Promise.all(both)).flat()).toEqual(['0001']);
  });

  it('let the previous release run at the same time, and refuse an older one', async () => {
    await migrateTo(release(2));
    await migrateTo(release(3));
    expect(await migrateTo(release(2))).toEqual([]);
    await expect(migrateTo(release(1))).rejects.toThrow(
      'storage.url: the database was migrated by a newer Postern (migration 0003), beside which this version does not run; start that version',
    );
    await expect(migrateTo(release(1))).rejects.toThrow(StartupError);
  });

  it('create the same tables as those of SQLite, with texts in byte order', async () => {
    await migratePostgres({ url: database.url });
    const file = join(temporaryDirectory(), 'postern.db');
    prepareDatabaseFile(file);
    await migrate(file);
    const sqlite = new DatabaseSync(file);
    const wanted = sqlite
      .prepare(
        `SELECT t.name AS "table", c.name AS "column", c.type FROM sqlite_schema t, pragma_table_info(t.name) c
         WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name <> 'migrations'`,
      )
      .all()
      .map(({ table, column, type }) => `${table}.${column} ${type}`);
    sqlite.close();
    const types: Readonly<Record<string, string>> = {
      text: 'TEXT',
      bytea: 'BLOB',
      bigint: 'INTEGER',
      integer: 'INTEGER',
    };
    const made = await database.query<Record<'table' | 'column' | 'type' | 'collation', string>>(
      `SELECT table_name AS "table", column_name AS "column", data_type AS type, collation_name AS collation
       FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'migrations' AND table_name <> ALL ($1)`,
      [IN_FILES],
    );
    const told = made.map(({ table, column, type }) => `${table}.${column} ${types[type]}`);
    expect(told.toSorted()).toEqual(wanted.toSorted());
    expect(made.filter(({ type, collation }) => type === 'text' && collation !== 'C')).toEqual([]);
  });

  it('are refused in a database that cannot store every text', async () => {
    const { url, drop } = await makeDatabase(TEST_SERVICES.PostgreSQL ?? '', "ENCODING 'LATIN1' LOCALE 'C'");
    try {
      await expect(openPostgresStorage({ url, durability: 'commit' })).rejects.toThrow(
        new StartupError(["storage.url: the database's encoding must be UTF8"]),
      );
    } finally {
      await drop();
    }
  });

  it.each([
    [
      'postgres://ann:secret@127.0.0.1:1/postern',
      // Where the server closes the connection before the first write, the system reports EPIPE.
      /127\.0\.0\.1:1\/postern cannot be opened: (connect ECONNREFUSED|write EPIPE)/,
      true,
    ],
    [`${TEST_SERVICES.PostgreSQL}_none`, '_none cannot be opened: database "', false],
    [`${TEST_SERVICES.PostgreSQL}?sslmode=verify-full&sslrootcert=/none.pem`, /ENOENT.*\/none\.pem/, false],
  ])(
    'report why a start fails, without the password, and whether a later one may succeed: %#',
    async (url, message, isTemporary) => {
      const opening = openPostgresStorage({ url, durability: 'commit' });
      const error: unknown = await opening.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(StartupError);
      expect(error).toHaveProperty('isTemporary', isTemporary);
      expect(String(error)).toMatch(message);
      expect(String(error)).not.toContain('secret');
    },
  );

  it('refuse a storage.direct_url of another database, and create no tables in it', async () => {
    const other = await makeDatabase(TEST_SERVICES.PostgreSQL ?? '');
    onTestFinished(() => other.drop());
    const direct = (directUrl: string) =>
      openPostgresStorage({ url: database.url, directUrl, durability: 'commit' });
    await expect(direct(other.url)).rejects.toThrow(
      new StartupError(['storage.direct_url: leads to another database than storage.url']),
    );
    await expect(migratePostgres({ url: other.url })).resolves.toEqual(Object.keys(SCHEMA.steps));
    const storage = await direct(`${database.url}?application_name=direct`);
    await storage.close();
  });

  it.each([
    ['CONNECTION LIMIT 10', /schema.*; the user must own the database, or/],
    ['CONNECTION LIMIT 0', /too many connections for role .*; an instance takes storage.pool_size/],
  ])('name the remedy for a user of %s', async (limit, message) => {
    await database.query(`CREATE ROLE postern_limited LOGIN ${limit}`);
    onTestFinished(async () => void (await database.query('DROP ROLE postern_limited')));
    const url = new URL(database.url);
    url.username = 'postern_limited';
    await expect(openPostgresStorage({ url: url.href, durability: 'commit' })).rejects.toThrow(message);
  });
});
