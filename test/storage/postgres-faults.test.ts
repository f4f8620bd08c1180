import { Kysely, sql } from 'kysely';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import type { Instruments } from '../../src/observability/metrics.ts';
import type { Storage } from '../../src/storage/ports.ts';
import { openChangeFeed } from '../../src/storage/postgres/change-listener.ts';
import { Connections } from '../../src/storage/postgres/connections.ts';
import {
  openPostgresStorage,
  type PostgresStorageOptions,
} from '../../src/storage/postgres/postgres-storage.ts';
import { eventually } from '../support/eventually.ts';
import { describePostgres } from '../support/postgres.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { accountOf, checkOf, hashOf, keyOf, rowOf } from './rows.ts';

const UNAVAILABLE = { code: 'unavailable' };

describePostgres('storage in PostgreSQL', (database) => {
  const open = async (options: Partial<PostgresStorageOptions> = {}): Promise<Storage> => {
    const storage = await openPostgresStorage({
      ...{ url: database.url, durability: 'commit', maxConnections: 2 },
      ...options,
    });
    onTestFinished(async () => {
      await storage.close();
      await database.empty();
    });
    return storage;
  };
  const terminate = (name: string) =>
    database.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE $1',
      [name],
    );

  it("records checks although other clients use up the server's connections", async () => {
    const owner = await open();
    await owner.checks.append(checkOf('chk_0'));
    const role = `postern_narrow_${process.pid}`;
    await database.query(`CREATE ROLE ${role} LOGIN CONNECTION LIMIT 3`);
    onTestFinished(async () => {
      await database.query(`DROP OWNED BY ${role}`);
      await database.query(`DROP ROLE ${role}`);
    });
    await database.query(`GRANT ALL ON SCHEMA public TO ${role}`);
    await database.query(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`);
    const url = new URL(database.url);
    url.username = role;
    const storage = await open({ url: url.href, maxConnections: 10 });
    const asked = Array.from({ length: 10 }, () => storage.checks.find('chk_0'));
    const refused = (await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected');
    expect(refused).not.toEqual([]);
    await storage.checks.append(checkOf('chk_1'));
    expect(await owner.checks.find('chk_1')).toBeDefined();
  });

  it('refuses a check whose connection is closed during its commit, and records the next', async () => {
    const storage = await open();
    await storage.checks.append(checkOf('chk_0'));
    const holder = await database.begin('LOCK TABLE usage IN EXCLUSIVE MODE');
    const refused = storage.checks.append(checkOf('chk_1')).catch((error: unknown) => error);
    await database.someWait('postern commits');
    await terminate('postern commits');
    expect(await refused).toMatchObject({ ...UNAVAILABLE, retryAfterMs: 1_000 });
    await expect(storage.ping()).rejects.toThrow(
      /^the last checks could not be committed: (terminating connection|Connection terminated)/,
    );
    await holder.query('ROLLBACK');
    expect(await storage.checks.find('chk_1')).toBeUndefined();
    await storage.checks.append(checkOf('chk_2'));
    await storage.ping();
    expect(await storage.usage.read('acc_1', '2026-11')).toBe(2);
  });

  it('commits under async a check that was answered, once the connection is back', async () => {
    const storage = await open({ durability: 'async' });
    const holder = await database.begin('LOCK TABLE usage IN EXCLUSIVE MODE');
    await storage.checks.append(checkOf('chk_1'));
    await database.someWait('postern commits');
    await terminate('postern commits');
    await holder.query('ROLLBACK');
    await eventually(async () => expect(await storage.checks.find('chk_1')).toBeDefined());
    expect(await storage.usage.read('acc_1', '2026-11')).toBe(1);
  });

  it('recognizes a repeated check after a commit whose answer was lost as recorded, and counts it once', async () => {
    const proxy = await startTcpProxy(Number(new URL(database.url).port));
    onTestFinished(() => proxy.close());
    const url = new URL(database.url);
    url.port = String(proxy.port);
    const lines: string[] = [];
    const log = pino({}, { write: (line) => lines.push(line) });
    const storage = await open({ url: url.href, durability: 'async', log });
    await storage.checks.append(checkOf('chk_0'));
    await eventually(async () => expect(await storage.checks.find('chk_0')).toBeDefined());
    proxy.delayMs = 60_000;
    await storage.checks.append(checkOf('chk_1'));
    await eventually(async () =>
      expect(await database.query("SELECT 1 FROM checks WHERE id = 'chk_1'")).toHaveLength(1),
    );
    proxy.cut();
    proxy.delayMs = 0;
    proxy.mend();
    await eventually(() => expect(storage.checks.pending).toBe(0));
    expect(await storage.usage.read('acc_1', '2026-11')).toBe(2);
    expect(lines.join('')).toContain('checks cannot be recorded');
    expect(lines.join('')).not.toContain('is not recorded');
  });

  it('sends one query to look up a key, and one to commit all waiting checks', async () => {
    const proxy = await startTcpProxy(Number(new URL(database.url).port));
    onTestFinished(() => proxy.close());
    const url = new URL(database.url);
    url.port = String(proxy.port);
    const storage = await open({ url: url.href });
    await storage.accounts.create(accountOf('acc_1'));
    await storage.keys.create(keyOf(1));
    await storage.checks.append(checkOf('chk_0'));
    const before = proxy.roundTrips;
    expect(await storage.keys.findByHash(hashOf(1))).toBeDefined();
    expect(proxy.roundTrips - before).toBe(1);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => storage.checks.append(checkOf(`chk_a${index}`))),
    );
    expect(proxy.roundTrips - before).toBe(2);
  });

  it('retries a commit that the server chose to end a deadlock', async () => {
    const storage = await open();
    for (const account of ['acc_1', 'acc_2'])
      await storage.checks.append(checkOf(`chk_of_${account}`, { account_id: account }));
    const use = (account: string) => `UPDATE usage SET checks = checks + 10 WHERE account_id = '${account}'`;
    const other = await database.begin("SET LOCAL deadlock_timeout = '60s'", use('acc_2'));
    const appended = Promise.all(
      ['acc_1', 'acc_2'].map((account) =>
        storage.checks.append(checkOf(`chk_2_of_${account}`, { account_id: account })),
      ),
    );
    await database.someWait('postern commits');
    // Now each waits for the other.
    await other.query(use('acc_1'));
    await other.query('COMMIT');
    await appended;
    expect(await storage.usage.read('acc_1', '2026-11')).toBe(12);
    expect(await storage.usage.read('acc_2', '2026-11')).toBe(12);
  });

  it('reports unavailable where the server takes too long, and answers again when it does not', async () => {
    const storage = await open({ statementTimeoutMs: 600 });
    await storage.checks.append(checkOf('chk_0'));
    const holder = await database.begin('LOCK TABLE usage, api_keys, checks IN ACCESS EXCLUSIVE MODE');
    await expect(storage.checks.append(checkOf('chk_1'))).rejects.toMatchObject(UNAVAILABLE);
    await expect(storage.keys.findByHash(hashOf(1))).rejects.toMatchObject(UNAVAILABLE);
    await expect(storage.usage.read('acc_1', '2026-11')).rejects.toMatchObject(UNAVAILABLE);
    await expect(storage.checks.find('chk_0')).rejects.toMatchObject(UNAVAILABLE);
    await holder.query('ROLLBACK');
    await storage.checks.append(checkOf('chk_2'));
    expect(await storage.keys.findByHash(hashOf(1))).toBeUndefined();
  });

  it('counts and reads checks without the time limit of a check, because millions take longer', async () => {
    const storage = await open({ statementTimeoutMs: 600 });
    await storage.checks.append(checkOf('chk_0'));
    const holder = await database.begin('LOCK TABLE checks IN ACCESS EXCLUSIVE MODE');
    const counted = storage.checks.count({});
    const due = storage.checks.countBefore('2027-01-01T00:00:00.000Z', 10);
    const page = storage.checks.pages({})[Symbol.asyncIterator]().next();
    await expect(storage.checks.find('chk_0')).rejects.toMatchObject(UNAVAILABLE);
    await holder.query('ROLLBACK');
    expect(await counted).toBe(1);
    expect(await due).toBe(1);
    expect((await page).value).toMatchObject([{ id: 'chk_0' }]);
  });

  it('reports unavailable where a server stops answering, and reconnects to it', async () => {
    const proxy = await startTcpProxy(Number(new URL(database.url).port));
    onTestFinished(() => proxy.close());
    const url = new URL(database.url);
    url.port = String(proxy.port);
    const storage = await open({ url: url.href, statementTimeoutMs: 600 });
    await storage.ping();
    await storage.checks.append(checkOf('chk_0'));
    proxy.delayMs = 60_000;
    const asked = [
      storage.ping(),
      storage.checks.append(checkOf('chk_1')),
      storage.keys.findByHash(hashOf(1)),
    ];
    for (const { status } of await Promise.allSettled(asked)) expect(status).toBe('rejected');
    proxy.cut();
    proxy.delayMs = 0;
    proxy.mend();
    await storage.checks.append(checkOf('chk_2'));
    await storage.ping();
  });

  it('logs once that the server is unreachable, and once that it is back', async () => {
    const proxy = await startTcpProxy(Number(new URL(database.url).port));
    onTestFinished(() => proxy.close());
    const url = new URL(database.url);
    url.port = String(proxy.port);
    const lines: string[] = [];
    const log = pino({}, { write: (line) => lines.push(line) });
    const storage = await open({ url: url.href, log });
    await storage.accounts.list();
    proxy.cut();
    for (let n = 0; n < 5; n += 1) await expect(storage.accounts.list()).rejects.toMatchObject(UNAVAILABLE);
    proxy.mend();
    await storage.accounts.list();
    await storage.accounts.list();
    const told = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith('PostgreSQL'));
    expect(told).toMatchObject([
      {
        level: 50,
        msg: 'PostgreSQL cannot be used: every request is 503',
        reason: expect.stringContaining('ECONN'),
      },
      { level: 30, msg: 'PostgreSQL can be used again' },
    ]);
  });

  it('records checks while every connection of the pool is busy; other queries are unavailable', async () => {
    const lines: string[] = [];
    const log = pino({}, { write: (line) => lines.push(line) });
    const storage = await open({ maxConnections: 1, connectTimeoutMs: 1_000, log });
    const holder = await database.begin('LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE');
    const accounts = storage.accounts.list();
    await database.someWait('postern');
    await expect(storage.keys.findByHash(hashOf(1))).rejects.toMatchObject(UNAVAILABLE);
    await storage.checks.append(checkOf('chk_1'));
    expect(lines).toEqual([]);
    await holder.query('ROLLBACK');
    expect(await accounts).toEqual([]);
    expect(await storage.checks.find('chk_1')).toEqual(rowOf(checkOf('chk_1')));
  });

  it('survives the end of every idle connection', async () => {
    const lines: string[] = [];
    const storage = await open({ log: pino({}, { write: (line) => lines.push(line) }) });
    await storage.checks.append(checkOf('chk_1'));
    await storage.ping();
    await terminate('postern%');
    await eventually(() => expect(lines).toHaveLength(2));
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(
      Array(2).fill('a connection to PostgreSQL was lost'),
    );
    await storage.ping();
    await storage.checks.append(checkOf('chk_2'));
  });

  it('closes unused connections, except one for queries and one for commits', async () => {
    const connected = () =>
      database.query<{ application_name: string; pid: number }>(
        "SELECT application_name, pid FROM pg_stat_activity WHERE application_name LIKE 'postern%' AND datname = current_database() ORDER BY 1",
      );
    const storage = await open({ idleMs: 50 });
    await storage.checks.append(checkOf('chk_1'));
    await Promise.all([storage.accounts.list(), storage.accounts.list()]);
    await eventually(async () => expect(await connected()).toHaveLength(2));
    const before = await connected();
    expect(before.map(({ application_name }) => application_name)).toEqual(['postern', 'postern commits']);
    await storage.checks.append(checkOf('chk_2'));
    await storage.accounts.list();
    expect(await connected()).toEqual(before);
  });

  it('changes nothing where a connection is closed between two statements of a change', async () => {
    const revocations = { append: async () => void (await terminate('postern')) };
    const storage = await open({ revocations });
    await storage.accounts.create(accountOf('acc_1'));
    await storage.keys.create(keyOf(1));
    await expect(storage.keys.revoke('key_1', '2026-11-20T11:00:00.000Z')).rejects.toMatchObject(UNAVAILABLE);
    expect((await storage.keys.find('key_1'))?.revokedAt).toBeNull();
  });

  it('is not ready with a server that accepts no writes, and is ready when it does again', async () => {
    const storage = await open();
    await storage.checks.append(checkOf('chk_0'));
    const { pathname } = new URL(database.url);
    const name = pathname.slice(1);
    await database.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await terminate('postern%');
    await eventually(() => expect(storage.ping()).rejects.toThrow('the database takes no writes'));
    await expect(storage.checks.append(checkOf('chk_1'))).rejects.toMatchObject(UNAVAILABLE);
    await database.query(
      `BEGIN READ WRITE; ALTER DATABASE ${name} RESET default_transaction_read_only; COMMIT`,
    );
    // On a new connection: the old one would refuse forever.
    await storage.checks.append(checkOf('chk_2'));
    await eventually(() => storage.ping());
  });

  it.each<[string, (storage: Storage, reset: () => Promise<unknown>) => Promise<unknown>]>([
    [
      'a commit',
      (storage) => expect(storage.checks.append(checkOf('chk_1'))).rejects.toMatchObject(UNAVAILABLE),
    ],
    ['readiness', (storage) => expect(storage.ping()).rejects.toThrow('the database takes no writes')],
    [
      'an instance that only reads',
      async (storage, reset) => {
        await reset();
        const instruments = { log: pino({ enabled: false }), metrics: { set: () => undefined } };
        const feed = await openChangeFeed(database.url, storage, instruments as unknown as Instruments);
        onTestFinished(() => feed.close());
        await new Promise<void>((resolve) => void feed.subscribe(resolve));
      },
    ],
  ])(
    'closes every connection to a server that accepts no writes any more, detected by %s',
    async (_, meet) => {
      const ours = async () =>
        (
          await database.query<{ pid: number }>(
            "SELECT pid FROM pg_stat_activity WHERE application_name IN ('postern', 'postern commits') AND datname = current_database()",
          )
        ).map(({ pid }) => pid);
      const storage = await open();
      const { pathname } = new URL(database.url);
      const name = pathname.slice(1);
      const readSeveral = () => Promise.all([storage.accounts.list(), storage.accounts.list()]);
      const reset = () =>
        database.query(
          `BEGIN READ WRITE; ALTER DATABASE ${name} RESET default_transaction_read_only; COMMIT`,
        );
      onTestFinished(async () => void (await reset()));
      await database.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
      await terminate('postern%');
      await eventually(async () => expect(await ours()).toEqual([]));
      await readSeveral();
      const old = await ours();
      expect(old).toHaveLength(2);
      await meet(storage, reset);
      await readSeveral();
      expect((await ours()).filter((pid) => old.includes(pid))).toEqual([]);
    },
  );

  it('sets time-outs with the server, and sends a pooler no parameter that it would refuse', async () => {
    const timeouts = async (isPooler: boolean) => {
      const connections = new Connections({ name: 'test', max: 1, isPooler }, { url: database.url });
      onTestFinished(() => connections.end());
      const settings = ['statement_timeout', 'idle_in_transaction_session_timeout'];
      const { rows } = await connections.query(
        'SELECT current_setting(name) AS value FROM unnest($1::text[]) AS name',
        [settings],
      );
      return rows.map(({ value }) => value);
    };
    expect(await timeouts(false)).toEqual(['5s', '30s']);
    expect(await timeouts(true)).toEqual(['0', '0']);
  });

  it('prepares the statements of each request once for a connection', async () => {
    const storage = await open({ maxConnections: 1 });
    for (let asked = 0; asked < 10; asked += 1) await storage.keys.findByHash(hashOf(asked));
    const db = new Kysely<never>({ dialect: await storage.peopleStorage.sessionDialect() });
    const { rows } =
      await sql`SELECT (generic_plans + custom_plans)::int AS asked FROM pg_prepared_statements`.execute(db);
    expect(rows).toEqual([{ asked: 10 }]);
  });

  it('answers requests while a newer release adds a column to each of its tables', async () => {
    const storage = await open({ maxConnections: 1 });
    await storage.accounts.create(accountOf('acc_1'));
    await storage.keys.create(keyOf(1));
    const answers = async (id: string) => {
      await storage.checks.append(checkOf(id));
      return storage.keys.findByHash(hashOf(1));
    };
    const before = await answers('chk_before');
    expect(before?.key.id).toBe('key_1');
    const tables = await database.query<{ name: string }>(
      "SELECT oid::regclass::text AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace",
    );
    const alter = (change: string) =>
      database.query(tables.map(({ name }) => `ALTER TABLE ${name} ${change}`).join('; '));
    onTestFinished(async () => void (await alter('DROP COLUMN later')));
    await alter('ADD COLUMN later TEXT');
    expect(await answers('chk_after')).toEqual(before);
  });

  it('refuses a row that the server cannot store, and records its neighbours', async () => {
    const storage = await open();
    const rows = [
      checkOf('chk_1'),
      checkOf('chk_nul', { domain: 'a\0b' }),
      checkOf('chk_1', { risk_score: 99 }),
      checkOf('chk_timeless', { created_at: 'tomorrow' }),
      checkOf('chk_2', { domain: 'half \ud800 of a pair' }),
    ];
    const outcomes = await Promise.allSettled(rows.map((row) => storage.checks.append(row)));
    expect(
      outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : 'recorded')),
    ).toEqual([
      'recorded',
      expect.stringContaining('the database refuses a check'),
      'Error: the database refuses a check: there is a check chk_1',
      expect.stringContaining('no partition'),
      'recorded',
    ]);
    expect((await storage.checks.find('chk_1'))?.risk_score).toBe(12);
    expect((await storage.checks.find('chk_2'))?.domain).toBe('half \ufffd of a pair');
    expect(await storage.usage.read('acc_1', '2026-11')).toBe(2);
  });

  it('makes a check durable before it is answered, and does not wait for the disk where that is configured', async () => {
    await database.query(`CREATE TABLE IF NOT EXISTS seen (setting TEXT)`);
    const storages = [await open(), await open({ durability: 'async' })];
    await database.query(`
      CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER note AFTER INSERT ON usage DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note();
      CREATE TRIGGER note_changes AFTER UPDATE ON usage FOR EACH ROW EXECUTE FUNCTION note()`);
    onTestFinished(async () => void (await database.query('DROP FUNCTION note CASCADE; DROP TABLE seen')));
    for (const [index, storage] of storages.entries()) {
      await storage.checks.append(checkOf(`chk_${index}`, { account_id: `acc_${index}` }));
      await eventually(() => expect(storage.checks.pending).toBe(0));
    }
    expect(await database.query('SELECT setting FROM seen')).toEqual([{ setting: 'on' }, { setting: 'off' }]);
  });
});
