import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { compareSteps } from '../shared/migration-steps.ts';
import { Connections } from './connections.ts';
import { SCHEMA } from './migrate.ts';

/** What an operator may have to mend at a PostgreSQL. */
export interface ServerFacts {
  /** `15.14` */
  readonly version: string;
  /** `180000`, of that version. */
  readonly versionNumber: number;
  /** Steps that the database lacks, and those of a newer Postern; null where it has no schema yet. */
  readonly schema: { readonly pending: readonly string[]; readonly newer: readonly string[] } | null;
  /** By which this machine's clock is ahead of the server's. */
  readonly aheadMs: number;
  readonly synchronousCommit: string;
  /** Connections of services and commands, this one aside. */
  readonly others: number;
  find(state: string): string | undefined;
  /** When the newest record was made; undefined where there is none. */
  readonly newest: string | undefined;
}

/** Without parameters that a pooler refuses. */
const EXAMINATION = { name: 'postern examination', max: 1, isPooler: true };

const FACTS = `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
  current_setting('synchronous_commit') AS synchronous, extract(epoch FROM clock_timestamp()) * 1000 AS now,
  to_regclass('migrations') IS NOT NULL AS has_schema,
  (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'postern%'
   AND application_name <> 'postern examination') AS others`;

/** Reads and changes nothing. Rejects with AppError `unavailable` where the server cannot be reached. */
export async function examineServer(url: string): Promise<ServerFacts> {
  await using connections = new Connections(EXAMINATION, { url });
  const before = Date.now();
  const [facts] = (await connections.query(FACTS)).rows;
  const here = (before + Date.now()) / 2;
  const rowsOf = async (sql: string) => (facts.has_schema ? (await connections.query(sql)).rows : []);
  const applied = (await rowsOf('SELECT name FROM migrations')).map(({ name }) => String(name));
  const schema = compareSteps(applied, Object.keys(SCHEMA.steps));
  const state = await rowsOf('SELECT name, value FROM service_state');
  const [record] = await rowsOf('SELECT max(created_at) AS at FROM checks');
  return {
    version: facts.version,
    versionNumber: facts.number,
    schema: facts.has_schema ? schema : null,
    aheadMs: Math.round(here - Number(facts.now)),
    synchronousCommit: facts.synchronous,
    others: facts.others,
    find: (name) => state.find((row) => row.name === name)?.value,
    newest: record?.at ?? undefined,
  };
}

const HEARD_WITHIN_MS = 2_000;

/** Whether `direct` hears what is announced through `url`: not so behind a pooler in transaction mode. Rejects where it cannot connect. */
export async function hearsAnnouncements(url: string, direct: string): Promise<boolean> {
  const listener = new pg.Client({ connectionString: direct, connectionTimeoutMillis: HEARD_WITHIN_MS });
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
