import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Kysely, type QueryExecutorProvider, sql } from 'kysely';
import pg from 'pg';
import type { Instruments } from '../../observability/metrics.ts';
import type { ChangeFeed, Storage } from '../ports.ts';

const CHANGE_CHANNEL = 'postern_changes';
const RULES = 'rules';

/** Within a transaction it is sent by the commit, and never where there is none. Of two that are the same one is sent. */
export async function notify(db: QueryExecutorProvider, payload: string): Promise<void> {
  await sql`SELECT pg_notify(${CHANGE_CHANNEL}, ${payload})`.execute(db);
}

export function announceRules(db: QueryExecutorProvider): Promise<void> {
  return notify(db, RULES);
}

interface ChangeListenerOptions extends Pick<Instruments, 'log' | 'metrics'> {
  /** Of the server itself: a pooler in transaction mode gives the connection that has said LISTEN to others. */
  readonly url: string;
  /** Sends an announcement by a connection of the pool. */
  readonly notify: (payload: string) => Promise<void>;
}

/** How often subscribers look for themselves while announcements are not heard. */
const POLL_MS = 1_000;
/** How often the server is asked whether the connection is alive, and how long it may take to answer. */
const CHECK_MS = 1_000;
const CHECK_TIMEOUT_MS = 2_000;
/** Between two attempts to connect, by chance half as long again: not all instances come at once. */
const RETRY_MS = 1_000;
/** For what no check finds, such as a server that answers and whose host is being moved. */
const KEEPALIVE_MS = 10_000;

/**
 * LISTEN on a connection of its own. A connection counts once an announcement that was sent by the pool has come back by it: behind a
 * pooler in transaction mode LISTEN succeeds, and then nothing is ever heard. While there is none, subscribers are called every second.
 */
export class PostgresChangeListener implements ChangeFeed {
  readonly #subscribers = new Set<() => void>();
  readonly #closing = new AbortController();
  #polling: NodeJS.Timeout | undefined;
  /** Undefined until the first connection, or the first failure. */
  #isUp: boolean | undefined;
  #running: Promise<void> | undefined;

  constructor(private readonly options: ChangeListenerOptions) {}

  /** Whether announcements are heard; else subscribers are called every second. True before the first attempt has come to an end. */
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
      connectionString: this.options.url,
      application_name: 'postern-listen',
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
      // Once for all: each race would leave something behind with a promise that stays open for weeks.
      return await Promise.race([this.#askOften(client), gone.promise]);
    } finally {
      // Where a question is unanswered it destroys the socket; else it waits for a server that may be away.
      await Promise.race([client.end(), wait(CHECK_MS, undefined, { ref: false })]).catch(() => undefined);
    }
  }

  /** Rejects once there is no answer, the server takes no writes, or the listener is closed. */
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

  /** Announcements are heard from now on; those of before may be lost. */
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

/** After a failover the old server may go on to answer: what changes is announced by the new one. */
async function requireWrites(client: pg.Client): Promise<void> {
  const { rows } = await client.query('SHOW transaction_read_only');
  if (rows[0].transaction_read_only !== 'off') throw new Error('the database takes no writes');
}

/** Begins to listen for what instances announce. `url` is the server's own, not a pooler's. */
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
      // Retires connections that lead to the old server: an instance which only reads meets no refusal.
      await storage.ping().catch(() => undefined);
      await notify(db, payload);
    },
  });
  listener.begin();
  return listener;
}
