import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Logger } from '../../../src/observability/logger.ts';
import { notify, PostgresChangeListener } from '../../../src/storage/postgres/change-listener.ts';
import { eventually } from '../../support/eventually.ts';

const ADMIN = process.env.POSTERN_TEST_POSTGRES_URL;
const NAME = `postern_listener_${process.pid}_${Date.now()}`;

/** Between the listener and the server; `freeze` forwards nothing any more, and closes nothing. */
async function startProxy(target: URL) {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let change = (chunk: Buffer) => chunk;
  const server = createServer((client) => {
    const onward = connect(Number(target.port || 5432), target.hostname);
    for (const [from, to] of [
      [client, onward],
      [onward, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined).on('close', () => to.destroy());
      from.on('data', (chunk: Buffer) => isFrozen || to.write(change(chunk)));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    freeze: () => {
      isFrozen = true;
    },
    thaw: () => {
      isFrozen = false;
    },
    /** With as many bytes as `off`: the message keeps its length. */
    sayReadOnly: () => {
      change = (chunk) =>
        Buffer.from(chunk.toString('latin1').replace('\0\0\0\x03off', '\0\0\0\x03on '), 'latin1');
    },
  };
}

describe.skipIf(ADMIN === undefined)('the listener for changes', () => {
  const admin = new pg.Client({ connectionString: ADMIN });
  const url = new URL(ADMIN ?? 'postgres://none');
  url.pathname = `/${NAME}`;
  let pool: pg.Pool;
  let db: Kysely<never>;

  beforeAll(async () => {
    await admin.connect();
    await admin.query(`CREATE DATABASE ${NAME}`);
  });
  beforeEach(() => {
    // The database is dropped while an idle connection may still exist.
    pool = new pg.Pool({ connectionString: url.href, max: 2 }).on('error', () => undefined);
    db = new Kysely({ dialect: new PostgresDialect({ pool }) });
    onTestFinished(() => db.destroy());
  });
  afterAll(async () => {
    await admin.query(`DROP DATABASE ${NAME} WITH (FORCE)`);
    await admin.end();
  });

  /** A listener whose gauge is 0 while it listens, and the number of calls of its subscriber. */
  function listen(address: string = url.href, send = (payload: string) => notify(db, payload)) {
    const told = { changes: 0, down: undefined as number | undefined };
    const log = { warn: vi.fn(), info: vi.fn(), error: vi.fn() };
    const listener = new PostgresChangeListener({
      url: address,
      notify: send,
      log: log as unknown as Logger,
      metrics: {
        count: () => undefined,
        took: () => undefined,
        set: (name, _labels, value) => {
          if (name === 'postern_change_listener_down') told.down = value;
        },
      },
    });
    const end = listener.subscribe(() => {
      told.changes++;
    });
    listener.begin();
    onTestFinished(() => listener.close());
    const isDown = (value: number) => eventually(() => expect(told.down).toBe(value));
    return { listener, told, log, end, isDown };
  }

  it('calls subscribers once it listens, at each notification, and not after they have unsubscribed', async () => {
    const { told, end, isDown, log } = listen();
    await isDown(0);
    expect(told.changes).toBe(1);
    await notify(db, 'rules');
    await eventually(() => expect(told.changes).toBe(2));
    end();
    const other = listen();
    await other.isDown(0);
    await notify(db, 'rules');
    await eventually(() => expect(other.told.changes).toBe(2));
    expect(told.changes).toBe(2);
    expect(log.warn).not.toHaveBeenCalled();
  });

  it('is notified of a committed transaction, and of none that is rolled back', async () => {
    const { told, isDown } = listen();
    await isDown(0);
    await expect(
      db.transaction().execute(async (trx) => {
        await notify(trx, 'rules');
        throw new Error('given up');
      }),
    ).rejects.toThrow('given up');
    await db.transaction().execute(async (trx) => {
      await notify(trx, 'rules');
      await notify(trx, 'rules');
    });
    await eventually(() => expect(told.changes).toBe(2));
    // A rolled back notification would have arrived earlier.
    await notify(db, 'rules');
    await eventually(() => expect(told.changes).toBe(3));
  });

  it('polls every second while its connection is lost, logs that once, and listens again', async () => {
    const { told, log, isDown } = listen();
    await isDown(0);
    await admin.query(`ALTER DATABASE ${NAME} ALLOW_CONNECTIONS false`);
    onTestFinished(() => admin.query(`ALTER DATABASE ${NAME} ALLOW_CONNECTIONS true`).then(() => undefined));
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${NAME}' AND application_name = 'postern-listen'`,
    );
    await isDown(1);
    const before = told.changes;
    await eventually(() => expect(told.changes).toBeGreaterThanOrEqual(before + 2));
    expect(log.warn).toHaveBeenCalledTimes(1);

    await admin.query(`ALTER DATABASE ${NAME} ALLOW_CONNECTIONS true`);
    await isDown(0);
    expect(log.warn).toHaveBeenCalledTimes(1);
    expect(log.info).toHaveBeenCalledTimes(1);
    const found = told.changes;
    await notify(db, 'rules');
    await eventually(() => expect(told.changes).toBe(found + 1));
  });

  it('does not stay connected to a server that accepts no writes any more', async () => {
    const proxy = await startProxy(url);
    const through = new URL(url);
    through.host = `127.0.0.1:${proxy.port}`;
    const { isDown, log } = listen(through.href);
    await isDown(0);
    proxy.sayReadOnly();
    await isDown(1);
    expect(log.warn.mock.calls[0]?.[0].err.message).toBe('the database takes no writes');
  });

  it('detects within seconds that a connection is half open, and opens another', async () => {
    const proxy = await startProxy(url);
    const through = new URL(url);
    through.host = `127.0.0.1:${proxy.port}`;
    const { isDown } = listen(through.href);
    await isDown(0);
    proxy.freeze();
    const since = performance.now();
    await isDown(1);
    expect(performance.now() - since).toBeLessThan(6_000);
    proxy.thaw();
    await isDown(0);
  });

  it('does not trust a connection on which notifications do not arrive, as behind a pooler', async () => {
    const { isDown, log, told } = listen(url.href, async () => undefined);
    await isDown(1);
    expect(log.warn.mock.calls[0]?.[0].err.message).toContain('storage.direct_url');
    await eventually(() => expect(told.changes).toBeGreaterThan(1));
  });

  it('keeps trying where there is no server, and stops when it is closed', async () => {
    const { isDown, listener, told } = listen('postgres://postgres@127.0.0.1:1/none');
    await isDown(1);
    await eventually(() => expect(told.changes).toBeGreaterThan(0));
    await listener.close();
    const { changes } = told;
    const other = listen();
    await other.isDown(0);
    expect(told.changes).toBe(changes);
  });
});
