import { hash } from 'node:crypto';
import { type Dialect, PostgresDialect, type PostgresPool } from 'kysely';
import pg from 'pg';
import { reasonOf } from '../../errors.ts';
import { codeOf } from '../../lib/thrown.ts';
import type { Logger } from '../../observability/logger.ts';
import { unavailable } from '../commit-queue.ts';
import { ASKED_OFTEN } from '../shared/schema.ts';

export interface ConnectionOptions {
  /** `postgres://…`, TLS and all: postgresql.org/docs/current/libpq-connect.html. Its parameters but `application_name` take precedence over ours. */
  readonly url: string;
  readonly log?: Logger | undefined;
  /** Called where a connection takes no writes: after a failover all open connections may lead to the old server. */
  readonly onReadOnly?: (() => void) | undefined;
  /** The rest has defaults and is set by tests. */
  readonly statementTimeoutMs?: number | undefined;
  readonly connectTimeoutMs?: number | undefined;
  readonly idleMs?: number | undefined;
}

interface PoolOptions {
  /** The name of the connections in `pg_stat_activity`. */
  readonly name: string;
  /** 1 unless given. */
  readonly max?: number;
  /**
   * Whether the address is that of a pooler, which refuses parameters that it does not know: then only this side cuts off slow
   * statements, and none is prepared. Also true where that is not known and queries are rare.
   */
  readonly isPooler?: boolean;
  /** Logs once when no connection can be had, and once when one can be had again. */
  readonly isForRequests?: boolean;
}

/** The longest a statement may take; a client has given up by then. */
const STATEMENT_TIMEOUT_MS = 5_000;
/** To connect, or to wait for a connection that is free. */
const CONNECT_TIMEOUT_MS = 2_000;
/** Time to connect at a start or for a job, for which no client waits: many instances may come to a busy server at once. */
const PATIENT_CONNECT_TIMEOUT_MS = 10_000;
/** Added to a statement's time-out: the server would have cancelled the statement by then, so the network or the server is away. */
const SILENCE_MS = 1_000;
/** A transaction whose process is stopped in its midst holds locks no longer than this. */
const IDLE_IN_TRANSACTION_MS = 30_000;
/** An idle connection is closed after this; one stays open. */
const IDLE_MS = 30_000;
/** Connections are retired at most once in this time: new ones do not help while no server takes writes. */
const RETIRE_MS = 1_000;
/** Keeps devices in between from dropping idle connections, and finds a dead connection before a check needs it. */
const KEEPALIVE_MS = 10_000;

const parseOctets: (text: string) => Buffer = pg.types.getTypeParser(17);
/** By type OID of pg_type.dat: `int8` (20) as a number, as none of ours comes near to 2^53; octets (17) as in SQLite, not as a Buffer. */
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
  /** The statement took too long. */
  queryCanceled: '57014',
  readOnly: '25006',
  insufficientPrivilege: '42501',
  /** Also where there are schemas, but the user may use none. */
  noSchema: '3F000',
  tooManyConnections: '53300',
} as const;

/** For a transaction that may take long: its role or its database may have time-outs of their own. */
export const NO_TIME_OUTS =
  'SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0';

/** Whether the statement or its values are at fault, so that no retry helps: data, constraints, syntax and names, limits. */
export function isStatementFault(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(22|23|42|54)/.test(error.code ?? '');
}

/** PostgreSQL refuses a text with NUL, so it stores none: a search for one must find nothing, not fail. */
function withoutNul(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
}

/** For a start or a job: its statements may take long, or wait for another instance. */
export function patient(options: ConnectionOptions): ConnectionOptions {
  return { connectTimeoutMs: PATIENT_CONNECT_TIMEOUT_MS, ...options, statementTimeoutMs: 0 };
}

/** The address with our own name for its connections, by which commands that must run alone find instances. */
export function named(url: string, name: string): string {
  const address = new URL(url);
  address.searchParams.set('application_name', name);
  return address.href;
}

/** Replaces each `?` of SQL for both dialects by `$1`, `$2` and so on. */
export function numbered(sql: string): string {
  let place = 0;
  return sql.replaceAll('?', () => `$${++place}`);
}

/** A connection lent by the pool. Rejects as `Connections` does. */
export interface Connection {
  // biome-ignore lint/suspicious/noExplicitAny: the statement says what its rows are
  query(sql: string | pg.QueryConfig, values?: readonly unknown[]): Promise<pg.QueryResult<any>>;
  /** Id of the server process, as the server or a pooler has named it when it was connected. */
  readonly processId: number | null;
  /** Gives the connection back. No transaction may be open, unless `destroy` closes the connection and so ends it. */
  release(destroy?: boolean): void;
  [Symbol.dispose](): void;
}

/**
 * A pool of connections. Rejects with AppError `unavailable` where the server is away or busy, and with the server's own error where
 * the statement is at fault. Throws away a connection that was lost, or whose state is unknown after a time-out.
 */
export class Connections implements AsyncDisposable {
  readonly #pool: pg.Pool;
  /** False behind a pooler, which in transaction mode gives each transaction another connection. */
  readonly #canPrepare: boolean;
  readonly #onReadOnly: () => void;
  /** Null where outages are not logged. */
  readonly #log: Logger | null;
  #isAway = false;
  /** Connections made since the last were retired. */
  #current = new WeakSet<pg.PoolClient>();
  #retiredAt = Number.NEGATIVE_INFINITY;

  constructor({ name, max = 1, isPooler = false, isForRequests }: PoolOptions, options: ConnectionOptions) {
    const { url, log, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
    this.#onReadOnly = options.onReadOnly ?? (() => this.retire());
    this.#canPrepare = !isPooler;
    this.#log = (isForRequests && log) || null;
    this.#pool = new pg.Pool({
      connectionString: named(url, name),
      // Without an open connection a check of a quiet hour would take some 20 ms to connect, with TLS more.
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
    });
    this.#pool.on('error', (err) =>
      log?.warn({ reason: err.message, name }, 'a connection to PostgreSQL was lost'),
    );
    this.#pool.on('connect', (client) => {
      this.#current.add(client);
      // A lent connection was lost between two statements: its next statement rejects. Without a listener the process would end.
      client.on('error', () => undefined);
    });
  }

  async connect(): Promise<Connection> {
    // All connections are lent: a time-out then means load, not that the server is away.
    const { totalCount, idleCount, options } = this.#pool;
    const isBusy = totalCount >= options.max && idleCount === 0;
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
          // The cast picks an overload with values: `query` takes them beside a configuration too.
          return await client.query(this.#prepared(sql) as string, values.map(withoutNul));
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

  /** Logs once for each change, because every request fails while the server is away. */
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

  /** From now on only connections that are made anew are lent. */
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
    // Kysely's type of a pool differs from this class: it has cursors, needed only for streams, and fewer names of commands.
    return new PostgresDialect({ pool: this as unknown as PostgresPool });
  }

  /** One statement, committed alone, in one round trip. */
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

  /** Lends no more connections, and waits for those that are lent. */
  end(): Promise<void> {
    return this.#pool.end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end();
  }
}

/**
 * Whether the address is that of a pooler. At the connect a pooler names a process id of its own making (for cancelling statements),
 * while a query returns the id of the real server process. https://www.postgresql.org/docs/current/protocol-flow.html
 */
export async function isBehindPooler(options: ConnectionOptions): Promise<boolean> {
  await using connections = new Connections({ name: 'postern' }, { ...options, statementTimeoutMs: 0 });
  using connection = await connections.connect();
  const { rows } = await connection.query('SELECT pg_backend_pid() AS id');
  return rows[0].id !== connection.processId;
}

/** Identifies the database that an address leads to, through a pooler too; empty where the server does not let this user ask. */
export async function databaseAt(options: ConnectionOptions): Promise<string> {
  await using connections = new Connections({ name: 'postern', isPooler: true }, options);
  try {
    const { rows } = await connections.query(
      "SELECT concat_ws('/', system_identifier, oid) AS id FROM pg_control_system(), pg_database WHERE datname = current_database()",
    );
    return rows[0].id;
  } catch (error) {
    if (isStatementFault(error)) return '';
    throw error;
  }
}

const causeOf = (error: unknown) =>
  error instanceof Error && error.cause !== undefined ? error.cause : error;

/** The SQLSTATE of an error of the server, or of the cause of an AppError; undefined for other errors. */
export function sqlstateOf(error: unknown): string | undefined {
  const cause = causeOf(error);
  return cause instanceof pg.DatabaseError ? cause.code : undefined;
}

/** Whether another attempt is useless: the credentials (28), the name of the database (3D), or a certificate file of the address is wrong. */
export function isRefusal(error: unknown): boolean {
  const isFile = Object(causeOf(error)).syscall === 'open';
  return isFile || /^(28|3D)/.test(sqlstateOf(error) ?? '');
}
