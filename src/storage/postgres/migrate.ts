import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { StartupError } from '../../errors.ts';
import { isoTime } from '../../lib/time.ts';
import { compareSteps, FIRST_STEP, RUNS_BESIDE, stepsOf } from '../shared/migration-steps.ts';
import { SCHEMA_0018 } from '../shared/schema-0018.ts';
import {
  type Connection,
  type ConnectionOptions,
  Connections,
  NO_TIME_OUTS,
  patient,
} from './connections.ts';

/** The steps that a program knows, by name and in order, and the last step of the oldest release that may run beside it. */
export interface KnownSchema {
  readonly steps: Readonly<Record<string, string>>;
  readonly runsBeside: string;
}

export const SCHEMA: KnownSchema = {
  steps: { [FIRST_STEP]: SCHEMA_0018.postgres, ...stepsOf('postgres') },
  runsBeside: RUNS_BESIDE,
};

const APPLIED = 'SELECT name, runs_beside FROM migrations ORDER BY name';

/** `DETACH`, triggers and partitioned indexes as they are used here; older ones have no support by November 2026 (postgresql.org/support/versioning). */
const OLDEST_SERVER = 140_000;

/**
 * Brings the database to this version's schema: all steps or none. Where several instances start at once, one migrates and the others
 * wait. Resolves to the steps that it applied. Throws a StartupError where a release that this one must not run beside made the schema.
 */
export async function migratePostgres(
  options: ConnectionOptions,
  { steps, runsBeside }: KnownSchema = SCHEMA,
): Promise<readonly string[]> {
  await using connections = new Connections({ name: 'postern migrations' }, patient(options));
  return await connections.transact(async (connection) => {
    await connection.query(NO_TIME_OUTS);
    await requireServer(connection);
    await connection.query("SELECT pg_advisory_xact_lock(hashtextextended('postern migrations', 0))");
    await connection.query(
      'CREATE TABLE IF NOT EXISTS migrations (name TEXT COLLATE "C" PRIMARY KEY, timestamp TEXT NOT NULL, runs_beside TEXT NOT NULL)',
    );
    const { rows: applied } = await connection.query(APPLIED);
    const known = Object.keys(steps);
    const refusal = refusalOf(applied, known);
    if (refusal !== undefined) throw new StartupError([`storage.url: ${refusal}; start that version`]);
    const { pending } = compareSteps(applied, known);
    for (const name of pending) {
      await connection.query(steps[name] ?? '');
      await connection.query('INSERT INTO migrations VALUES ($1, $2, $3)', [
        name,
        isoTime(Date.now()),
        runsBeside,
      ]);
    }
    return pending;
  });
}

async function requireServer(connection: Connection): Promise<void> {
  const { rows } = await connection.query(
    "SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding",
  );
  const faults: string[] = [];
  if (rows[0].version < OLDEST_SERVER) faults.push('storage.url: PostgreSQL must be of version 14 or later');
  if (rows[0].encoding !== 'UTF8') faults.push("storage.url: the database's encoding must be UTF8");
  if (faults.length > 0) throw new StartupError(faults);
}

/** Why this version must not run on the schema; undefined where it may. Steps of a newer release are harmless if it can run beside this one. */
function refusalOf(
  applied: readonly { readonly name: string; readonly runs_beside: string }[],
  known: readonly string[],
): string | undefined {
  const newer = applied.filter(
    ({ name, runs_beside }) => !known.includes(name) && !known.includes(runs_beside),
  );
  if (newer.length === 0) return undefined;
  const names = newer.map(({ name }) => name).join(', ');
  return `the database was migrated by a newer Postern (migration ${names}), beside which this version does not run`;
}

/** The facts of a PostgreSQL server in which an operator may find a fault. */
export type ServerFacts = Awaited<ReturnType<typeof examineServer>>;

/** Without parameters that a pooler refuses. */
const EXAMINATION = { name: 'postern examination', isPooler: true };

const FACTS = `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
  current_setting('server_encoding') AS encoding, current_setting('synchronous_commit') AS synchronous, current_setting('transaction_read_only') = 'off' AS takes_writes,
  extract(epoch FROM clock_timestamp()) * 1000 AS now,
  to_regclass('migrations') IS NOT NULL AS has_schema,
  (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'postern%'
   AND application_name <> 'postern examination') AS others`;

/** Reads and changes nothing. Rejects with AppError `unavailable` where the server cannot be reached. */
export async function examineServer(url: string) {
  await using connections = new Connections(EXAMINATION, { url });
  const before = Date.now();
  const [facts] = (await connections.query(FACTS)).rows;
  const here = (before + Date.now()) / 2;
  const rowsOf = async (sql: string) => (facts.has_schema ? (await connections.query(sql)).rows : []);
  const applied = await rowsOf(APPLIED);
  const known = Object.keys(SCHEMA.steps);
  const schema = { ...compareSteps(applied, known), refusal: refusalOf(applied, known) };
  const state = await rowsOf('SELECT name, value FROM service_state');
  const [record] = await rowsOf('SELECT max(created_at) AS at FROM checks');
  return {
    /** `15.14` */
    version: String(facts.version),
    /** `150014` for that version. */
    versionNumber: Number(facts.number),
    /** `UTF8` where it is to be used. */
    encoding: String(facts.encoding),
    /** Null where it has no schema yet. */
    schema: facts.has_schema ? schema : null,
    /** How far this machine's clock is ahead of the server's. */
    aheadMs: Math.round(here - Number(facts.now)),
    takesWrites: facts.takes_writes === true,
    synchronousCommit: String(facts.synchronous),
    /** Connections of other services and commands. */
    others: Number(facts.others),
    find: (name: string): string | undefined => state.find((row) => row.name === name)?.value,
    /** When the newest record was made; undefined where there is none. */
    newest: (record?.at ?? undefined) as string | undefined,
  };
}

const HEARD_WITHIN_MS = 2_000;

/** Whether `direct` hears announcements sent through `url`: false behind a pooler in transaction mode. Rejects where it cannot connect. */
export async function hearsAnnouncements(url: string, direct: string): Promise<boolean> {
  const listener = new pg.Client({
    connectionString: direct,
    connectionTimeoutMillis: HEARD_WITHIN_MS,
    query_timeout: HEARD_WITHIN_MS,
  });
  const connections = new Connections(EXAMINATION, { url });
  const heard = Promise.withResolvers<boolean>();
  listener.on('error', () => heard.resolve(false));
  listener.on('notification', () => heard.resolve(true));
  try {
    const channel = `postern_${randomUUID().replaceAll('-', '')}`;
    await listener.connect();
    await listener.query(`LISTEN ${channel}`);
    await connections.query('SELECT pg_notify($1, $2)', [channel, '']);
    const giveUp = setTimeout(() => heard.resolve(false), HEARD_WITHIN_MS);
    return await heard.promise.finally(() => clearTimeout(giveUp));
  } finally {
    await Promise.all([listener.end(), connections.end()]);
  }
}
