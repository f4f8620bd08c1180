import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Kysely, type QueryExecutorProvider, sql } from 'kysely';
import pg from 'pg';
import type { Instruments } from '../../observability/metrics.ts';
import type { ChangeFeed, Storage } from '../ports.ts';
import { named } from './connections.ts';

const CHANGE_CHANNEL = 'postern_changes';
const RULES = 'rules';

/** Within a transaction the announcement is sent by the commit, and not at all after a rollback. Equal ones of a transaction are sent once. */
export async function notify(db: QueryExecutorProvider, payload: string): Promise<void> {
  await sql`SELECT pg_notify(${CHANGE_CHANNEL}, ${payload})`.execute(db);
}

export function announceRules(db: QueryExecutorProvider): Promise<void> {
  return notify(db, RULES);
}

interface ChangeListenerOptions extends Pick<Instruments, 'log' | 'metrics'> {
  /** Address of the server itself: a pooler in transaction mode gives the connection that has said LISTEN to other clients. */
  readonly url: string;
  /** Sends an announcement by a connection of the pool. */
  readonly notify: (payload: string) => Promise<void>;
}

/** How often subscribers are called while announcements are not heard. */
const POLL_MS = 1_000;
/** How often the server is asked whether the connection is alive, and how long it may take to answer. */
const CHECK_MS = 1_000;
const CHECK_TIMEOUT_MS = 2_000;
/** Between two attempts to connect; up to half as long again at random, so that not all instances connect at once. */
const RETRY_MS = 1_000;
/** For what no check finds, such as a server that answers and whose host is being moved. */
const KEEPALIVE_MS = 10_000;

/**
 * LISTEN on a connection of its own. The connection counts as up once it has heard a probe that was sent through the pool: behind a
 * pooler in transaction mode LISTEN succeeds, but nothing is ever heard. While no connection is up, subscribers are called every second.
 */
export class PostgresChangeListener implements ChangeFeed {
  readonly #subscribers = new Set<() => void>();
  readonly #closing = new AbortController();
  #polling: NodeJS.Timeout | undefined;
  /** Undefined until the first connection, or the first failure. */
  #isUp: boolean | undefined;
  #running: Promise<void> | undefined;

  constructor(private readonly options: ChangeListenerOptions) {}

  /** Whether announcements are heard; else subscribers are called every second. True until the first attempt to connect has ended. */
  get isListening(): boolean {
    return this.#isUp !== false;
  }

  /** Does not wait for the connection. */
  begin(): void {
    this.#poll();
    this.#running ??= this.#run();
  }

  subscribe(onChange: () => void): () => void {
    this.#subscribers.add(onChange);
    return () => this.#subscribers.delete(onChange);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#polling);
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      try {
        await this.#listen();
      } catch (err) {
        if (this.#closing.signal.aborted) return;
        this.#lost(err);
      }
      await this.#pause(RETRY_MS * (1 + Math.random() / 2));
    }
  }

  /** Listens until the connection is lost; then rejects. */
  async #listen(): Promise<never> {
    const client = new pg.Client({
      connectionString: named(this.options.url, 'postern-listen'),
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEPALIVE_MS,
      connectionTimeoutMillis: CHECK_TIMEOUT_MS,
      query_timeout: CHECK_TIMEOUT_MS,
    });
    const gone = Promise.withResolvers<never>();
    gone.promise.catch(() => undefined);
    client.on('error', gone.reject);
    client.on('end', () => gone.reject(new Error('the server has ended the connection')));
    const probe = `probe ${randomUUID()}`;
    const heard = Promise.withResolvers<void>();
    client.on('notification', ({ payload = '' }) => {
      if (payload === probe) heard.resolve();
      if (payload === RULES) this.#tellAll();
    });
    try {
      await Promise.race([client.connect(), gone.promise]);
      await client.query(`LISTEN ${CHANGE_CHANNEL}`);
      await requireWrites(client);
      await this.options.notify(probe);
      await Promise.race([heard.promise, gone.promise, this.#notHeard()]);
      this.#found();
      // One race for the whole connection: each race leaves a handler on `gone.promise`, which may stay pending for weeks.
      return await Promise.race([this.#askOften(client), gone.promise]);
    } finally {
      // `end` destroys the socket where a query is unanswered. Else it waits for the server, which may be away: hence the time limit.
      await Promise.race([client.end(), wait(CHECK_MS, undefined, { ref: false })]).catch(() => undefined);
    }
  }

  /** Asks the server every second. Rejects once it does not answer or takes no writes, or the listener is closed. */
  async #askOften(client: pg.Client): Promise<never> {
    for (;;) {
      await this.#pause(CHECK_MS);
      this.#closing.signal.throwIfAborted();
      await requireWrites(client);
    }
  }

  async #notHeard(): Promise<never> {
    await this.#pause(CHECK_TIMEOUT_MS);
    throw new Error(
      'an announcement has not come back: a pooler in transaction mode needs storage.direct_url',
    );
  }

  /** Announcements are heard from now on. Earlier ones may be lost, so all subscribers are called. */
  #found(): void {
    clearInterval(this.#polling);
    this.options.metrics.set('postern_change_listener_down', {}, 0);
    if (this.#isUp === false) this.options.log.info({}, 'changes by other instances are announced again');
    this.#isUp = true;
    this.#tellAll();
  }

  #lost(err: unknown): void {
    if (this.#isUp === false) return;
    this.#isUp = false;
    this.options.metrics.set('postern_change_listener_down', {}, 1);
    this.options.log.warn({ err }, 'changes by other instances are not announced: looking every second');
    this.#poll();
  }

  #poll(): void {
    clearInterval(this.#polling);
    this.#polling = setInterval(() => this.#tellAll(), POLL_MS).unref();
  }

  #tellAll(): void {
    for (const subscriber of this.#subscribers) subscriber();
  }

  /** Ends early, and does not reject, when the listener is closed. */
  async #pause(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: this.#closing.signal, ref: false }).catch(() => undefined);
  }
}

/** Rejects where the server takes no writes: after a failover the old server may still answer, but only the new one announces changes. */
async function requireWrites(client: pg.Client): Promise<void> {
  const { rows } = await client.query('SHOW transaction_read_only');
  if (rows[0].transaction_read_only !== 'off') throw new Error('the database takes no writes');
}

/** Begins to listen for announcements of instances. `url` is the server's own, not a pooler's. */
export async function openChangeFeed(
  url: string,
  storage: Storage,
  instruments: Pick<Instruments, 'log' | 'metrics'>,
): Promise<PostgresChangeListener> {
  const db = new Kysely<never>({ dialect: await storage.peopleStorage.sessionDialect() });
  const listener = new PostgresChangeListener({
    ...instruments,
    url,
    async notify(payload) {
      // After a failover the ping retires connections to the old server. An instance that only reads would go on to use them.
      await storage.ping().catch(() => undefined);
      await notify(db, payload);
    },
  });
  listener.begin();
  return listener;
}
