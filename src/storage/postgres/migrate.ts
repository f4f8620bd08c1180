import { StartupError } from '../../errors.ts';
import { isoTime } from '../../lib/time.ts';
import { RUNS_BESIDE, stepsOf } from '../shared/migration-steps.ts';
import {
  type Connection,
  type ConnectionOptions,
  Connections,
  PATIENT_CONNECT_TIMEOUT_MS,
} from './connections.ts';
import { SCHEMA_0018 } from './schema-0018.ts';

/** What a program knows: its steps by name, in their order, and the last step of the oldest release that may run beside it. */
export interface KnownSchema {
  readonly steps: Readonly<Record<string, string>>;
  readonly runsBeside: string;
}

export const SCHEMA: KnownSchema = {
  steps: { '0018-service-state': SCHEMA_0018, ...stepsOf('postgres') },
  runsBeside: RUNS_BESIDE,
};

/** `DETACH`, triggers and partitioned indexes as they are used here; older ones have no support by November 2026 (postgresql.org/support/versioning). */
const OLDEST_SERVER = 140_000;

/**
 * Brings the database to this version's schema: all steps or none. Of several instances that start at once one migrates and the others
 * wait. Resolves to the steps that it took. Throws a StartupError where the schema is that of a release that this one must not run beside.
 */
export async function migratePostgres(
  options: ConnectionOptions,
  { steps, runsBeside }: KnownSchema = SCHEMA,
): Promise<readonly string[]> {
  await using connections = new Connections(
    { name: 'postern migrations', max: 1 },
    // A step may take long, and waits for the one who is at it.
    { connectTimeoutMs: PATIENT_CONNECT_TIMEOUT_MS, ...options, statementTimeoutMs: 0 },
  );
  return await connections.transact(async (connection) => {
    await requireServer(connection);
    await connection.query("SELECT pg_advisory_xact_lock(hashtextextended('postern migrations', 0))");
    await connection.query(
      'CREATE TABLE IF NOT EXISTS migrations (name TEXT COLLATE "C" PRIMARY KEY, timestamp TEXT NOT NULL, runs_beside TEXT NOT NULL)',
    );
    const { rows: applied } = await connection.query(
      'SELECT name, runs_beside FROM migrations ORDER BY name',
    );
    requireKnown(applied, Object.keys(steps));
    const names = new Set(applied.map(({ name }) => name));
    const pending = Object.entries(steps).filter(([name]) => !names.has(name));
    for (const [name, sql] of pending) {
      await connection.query(sql);
      await connection.query('INSERT INTO migrations VALUES ($1, $2, $3)', [
        name,
        isoTime(Date.now()),
        runsBeside,
      ]);
    }
    return pending.map(([name]) => name);
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

/** Steps of a later release are no harm where that release runs beside ours. */
function requireKnown(
  applied: readonly { readonly name: string; readonly runs_beside: string }[],
  known: readonly string[],
): void {
  const newer = applied.filter(
    ({ name, runs_beside }) => !known.includes(name) && !known.includes(runs_beside),
  );
  if (newer.length === 0) return;
  throw new StartupError([
    `storage.url: the database was migrated by a newer Postern (migration ${newer.map(({ name }) => name).join(', ')}), beside which this version does not run; start that version`,
  ]);
}
