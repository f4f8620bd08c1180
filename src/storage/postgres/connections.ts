import { hash } from 'node:crypto';
import { type Dialect, PostgresDialect, type PostgresPool } from 'kysely';
import pg from 'pg';
import { reasonOf } from '../../errors.ts';
import { codeOf } from '../../lib/thrown.ts';
import type { Logger } from '../../observability/logger.ts';
import { unavailable } from '../commit-queue.ts';
import { ASKED_OFTEN } from '../shared/schema.ts';

export interface ConnectionOptions {
  /** `postgres://…`, TLS and all: postgresql.org/docs/current/libpq-connect.html. What it sets is not overridden. */
  readonly url: string;
  readonly log?: Logger | undefined;
  /** Where a connection takes no writes: after a failover all that are open may lead to the old server. */
  readonly onReadOnly?: (() => void) | undefined;
  /** The rest has defaults and is set by tests. */
  readonly statementTimeoutMs?: number | undefined;
  readonly connectTimeoutMs?: number | undefined;
  readonly idleMs?: number | undefined;
}

interface PoolOptions {
  /** Whose connections they are, for `pg_stat_activity`. */
  readonly name: string;
  readonly max: number;
  /**
   * A pooler refuses parameters that it does not know: then only this side ends what takes too long. Nothing is prepared there. True
   * too where it may be one, and what is asked is rare.
   */
  readonly isPooler?: boolean;
  /** The log says once that none can be had, and once that they can again. */
  readonly isForRequests?: boolean;
}

/** What a statement takes at most; a client has given up by then. */
const STATEMENT_TIMEOUT_MS = 5_000;
/** To connect, or to wait for a connection that is free. */
const CONNECT_TIMEOUT_MS = 2_000;
/** For what no caller waits for, at a start or for a job: many instances may come to a busy server at once. */
export const PATIENT_CONNECT_TIMEOUT_MS = 10_000;
/** Beyond the statement's own time: the server would have said by then that it was cut, so the network or its machine is away. */
const SILENCE_MS = 1_000;
/** A transaction whose process is stopped in its midst holds locks no longer than this. */
const IDLE_IN_TRANSACTION_MS = 30_000;
/** An idle connection is closed after this; one stays open. */
const IDLE_MS = 30_000;
/** Connections are retired once in this time: all new ones are in vain while there is no server that takes writes. */
const RETIRE_MS = 1_000;
/** So that what stands between drops no idle connection, and a dead one is found before a check is to use it. */
const KEEPALIVE_MS = 10_000;

const parseOctets: (text: string) => Buffer = pg.types.getTypeParser(17);
/** `int8`, such as counts, as numbers: none of ours comes near to 2^53. Octets as SQLite has them, not as a Buffer. Numbers of pg_type.dat. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  20: Number,
  17: (text) => Uint8Array.from(parseOctets(text)),
};
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => PARSERS[oid] ?? pg.types.getTypeParser(oid, format),
};

/** Codes of postgresql.org/docs/current/errcodes-appendix.html. */
export const SQLSTATE = {
  serializationFailure: '40001',
  deadlock: '40P01',
  /** Also where no partition takes a row. */
  checkViolation: '23514',
  lockNotAvailable: '55P03',
  /** It took too long. */
  queryCanceled: '57014',
  readOnly: '25006',
  insufficientPrivilege: '42501',
  /** Also where the user may use none that there is. */
  noSchema: '3F000',
  tooManyConnections: '53300',
} as const;

/** Whether the statement or its values are at fault, so that no retry helps: data, constraints, syntax and names, limits. */
export function isStatementFault(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(22|23|42|54)/.test(error.code ?? '');
}

/** SQL with `$1` and so on for its `?`, as both dialects' queries have them. */
export function numbered(sql: string): string {
  let place = 0;
  return sql.replaceAll('?', () => `$${++place}`);
}

/** A connection that was lent; all that it rejects with is translated. */
export interface Connection {
  // biome-ignore lint/suspicious/noExplicitAny: the statement says what its rows are
  query(sql: string | pg.QueryConfig, values?: readonly unknown[]): Promise<pg.QueryResult<any>>;
  /** Of the server, as whatever answered has named it. */
  readonly processId: number | null;
  /** Nothing may be open: a transaction is ended by destroying the connection. */
  release(destroy?: boolean): void;
  [Symbol.dispose](): void;
}

/**
 * A pool. Rejects with AppError `unavailable` where the server is away or busy, and with the server's own error where the statement is
 * at fault. A connection that was lost, or of which nothing is known after a time-out, is thrown away; the next is made anew.
 */
export class Connections implements AsyncDisposable {
  readonly #pool: pg.Pool;
  /** A pooler in transaction mode gives each transaction another connection. */
  readonly #canPrepare: boolean;
  readonly #onReadOnly: () => void;
  /** Null where the log says nothing of it. */
  readonly #log: Logger | null;
  readonly #max: number;
  #isAway = false;
  /** Connections made since the last were retired. */
  #current = new WeakSet<pg.PoolClient>();
  #retiredAt = Number.NEGATIVE_INFINITY;
  readonly options: object;

  constructor({ name, max, isPooler = false, isForRequests }: PoolOptions, options: ConnectionOptions) {
    const { url, log, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
    this.#onReadOnly = options.onReadOnly ?? (() => this.retire());
    this.#canPrepare = !isPooler;
    this.#log = (isForRequests && log) || null;
    this.#max = max;
    this.options = {
      connectionString: url,
      application_name: name,
      // To connect anew would take a check of a quiet hour some 20 ms, with TLS more.
      min: 1,
      max,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEPALIVE_MS,
      types: TYPES,
      idleTimeoutMillis: options.idleMs ?? IDLE_MS,
      connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + SILENCE_MS }),
      ...(statementTimeoutMs > 0 &&
        !isPooler && {
          statement_timeout: statementTimeoutMs,
          idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
        }),
    } satisfies pg.PoolConfig;
    this.#pool = new pg.Pool(this.options);
    this.#pool.on('error', (err) =>
      log?.warn({ reason: err.message, name }, 'a connection to PostgreSQL was lost'),
    );
    this.#pool.on('connect', (client) => {
      this.#current.add(client);
      // One that is lent and lost between two statements: its next statement says so. Without a listener the process would end.
      client.on('error', () => undefined);
    });
  }

  async connect(): Promise<Connection> {
    // Then a time-out tells of those that ask, not of the server.
    const isBusy = this.#pool.totalCount >= this.#max && this.#pool.idleCount === 0;
    const client = await this.#take().catch((error) => {
      if (!isBusy) this.#tell(true, error);
      throw unavailable(error);
    });
    this.#tell(false);
    let isSpoilt = false;
    const release = (destroy = false) => client.release(isSpoilt || destroy || !this.#current.has(client));
    return {
      // Missing in the types of the client.
      processId: (client as unknown as { readonly processID: number | null }).processID,
      query: async (sql, values = []) => {
        try {
          // Of the two forms of the method the configuration is one that takes values beside it.
          return await client.query(this.#prepared(sql) as string, [...values]);
        } catch (error) {
          const isReadOnly = codeOf(error) === SQLSTATE.readOnly;
          isSpoilt ||= !(error instanceof pg.DatabaseError) || isReadOnly;
          if (isReadOnly) this.#onReadOnly();
          throw isStatementFault(error) ? error : unavailable(error);
        }
      },
      release,
      [Symbol.dispose]: release,
    };
  }

  /** Once for each change: every request meets a server that is away. */
  #tell(isAway: boolean, error?: unknown): void {
    if (isAway === this.#isAway) return;
    this.#isAway = isAway;
    if (isAway)
      this.#log?.error({ reason: reasonOf(error) }, 'PostgreSQL cannot be used: every request is 503');
    else this.#log?.info('PostgreSQL can be used again');
  }

  async #take(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.#pool.connect();
      if (this.#current.has(client)) return client;
      client.release(true);
    }
  }

  /** From now on every statement goes by a connection that is made anew. */
  retire(): void {
    const now = performance.now();
    if (now - this.#retiredAt < RETIRE_MS) return;
    this.#retiredAt = now;
    this.#current = new WeakSet();
  }

  #prepared(sql: string | pg.QueryConfig): string | pg.QueryConfig {
    if (typeof sql !== 'string') return this.#canPrepare ? sql : { ...sql, name: undefined };
    if (!this.#canPrepare || !sql.endsWith(ASKED_OFTEN)) return sql;
    return { name: hash('sha256', sql, 'base64url'), text: sql };
  }

  /** For Kysely, which leaves the pool open. */
  dialect(): Dialect {
    // Its type of a pool has cursors, which are asked for where one streams, and knows fewer names of commands than there are.
    return new PostgresDialect({ pool: this as unknown as PostgresPool });
  }

  /** One statement, committed alone: one way to the server and back. */
  async query(...statement: Parameters<Connection['query']>): ReturnType<Connection['query']> {
    using connection = await this.connect();
    return await connection.query(...statement);
  }

  async transact<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    using connection = await this.connect();
    try {
      await connection.query('BEGIN');
      const result = await work(connection);
      await connection.query('COMMIT');
      return result;
    } catch (error) {
      await connection.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  /** Waits for what is lent; nothing can be asked for any more. */
  end(): Promise<void> {
    return this.#pool.end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end();
  }
}

/**
 * Whether a pooler stands before the server. To a client that connects it names a process of its own making, by which the client may
 * cancel a statement; the server itself names the one that answers. https://www.postgresql.org/docs/current/protocol-flow.html
 */
export async function isBehindPooler(options: ConnectionOptions): Promise<boolean> {
  const patient = { ...options, statementTimeoutMs: 0 };
  await using connections = new Connections({ name: 'postern', max: 1 }, patient);
  using connection = await connections.connect();
  const { rows } = await connection.query('SELECT pg_backend_pid() AS id');
  return rows[0].id !== connection.processId;
}

/** The server's code of what a rejection of ours was caused by. */
export function sqlstateOf(error: unknown): string | undefined {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return cause instanceof pg.DatabaseError ? cause.code : undefined;
}

/** Whether the server does not let us in: who we are (28), or the database that is asked for (3D), is wrong. */
export function isRefusal(error: unknown): boolean {
  return /^(28|3D)/.test(sqlstateOf(error) ?? '');
}
