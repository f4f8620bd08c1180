import { setTimeout as wait } from 'node:timers/promises';
import { StartupError } from '../../errors.ts';
import { withoutPassword } from '../../lib/service-url.ts';
import { counted } from '../../lib/statistics.ts';
import { messageOf } from '../../lib/thrown.ts';
import { CheckPartitions } from '../postgres/check-partitions.ts';
import { type Connection, Connections, isStatementFault, numbered } from '../postgres/connections.ts';
import { migratePostgres, SCHEMA } from '../postgres/migrate.ts';
import { compareSteps } from '../shared/migration-steps.ts';
import {
  type CopyDatabase,
  CopyRefused,
  causeOf,
  quoted,
  type Row,
  RowFault,
  requireThisVersion,
  tellingFaults,
} from './copy-database.ts';

/**
 * Opens a database of which no instance is connected. The source must be of this version, and is read alone; the target is brought to it.
 * Throws a StartupError or CopyRefused.
 */
export async function openPostgresCopy(url: string, as: 'source' | 'target'): Promise<CopyDatabase> {
  const name = withoutPassword(url);
  await using opened = new AsyncDisposableStack();
  // To count millions of rows takes longer than any question of a service may.
  const connect = () =>
    opened.use(new Connections({ name: 'postern copy', max: 1 }, { url, statementTimeoutMs: 0 }));
  const connection = opened.adopt(
    await connect()
      .connect()
      .catch((error) => {
        throw new CopyRefused(`${name} cannot be opened: ${causeOf(error)}`);
      }),
    (lent) => lent.release(true),
  );
  await requireAlone(connection, name);
  if (as === 'source') await requireSchema(connection, name);
  else await migrateTarget(url, name);
  const partitions = new CheckPartitions(connect());
  const disposables = opened.move();
  const query = async (sql: string, values: readonly unknown[] = []): Promise<readonly Row[]> =>
    (await connection.query(numbered(sql), values)).rows;
  return tellingFaults({
    kind: 'postgres',
    name,
    query,
    async transact(work) {
      await query('BEGIN');
      try {
        const result = await work();
        await query('COMMIT');
        return result;
      } catch (error) {
        // A connection that is lost has nothing to roll back.
        await query('ROLLBACK').catch(() => undefined);
        throw error;
      }
    },
    columnsOf: async (table) => {
      const columns = await query(
        'SELECT attname::text AS name FROM pg_attribute WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped',
        [quoted(table)],
      );
      return columns.map(({ name: column }) => String(column));
    },
    async insert(table, columns, rows) {
      if (table === 'checks') await partitions.make(rows.map(({ created_at: at }) => String(at)));
      const names = columns.map(quoted).join(', ');
      try {
        await query(
          `INSERT INTO ${quoted(table)} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${quoted(table)}, ?)`,
          [JSON.stringify(rows, octetsAsText)],
        );
      } catch (error) {
        throw isStatementFault(error) ? new RowFault(messageOf(error)) : error;
      }
    },
    continueNumbers: async () =>
      void (await query(
        `SELECT setval(pg_get_serial_sequence('rule_versions', 'version'), max(version)) FROM rule_versions HAVING count(*) > 0`,
      )),
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  });
}

/** The server sees the end of a process a moment later than its user. */
const PATIENCE_MS = 3_000;
const BETWEEN_LOOKS_MS = 50;

/** What an instance writes meanwhile would be missing. */
async function requireAlone(connection: Connection, name: string): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += BETWEEN_LOOKS_MS) {
    const { rows } = await connection.query(
      "SELECT count(*) AS others FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'postern%' AND pid <> pg_backend_pid()",
    );
    const { others } = rows[0];
    if (others === 0) return;
    if (waitedMs >= PATIENCE_MS) {
      throw new CopyRefused(
        `${name} is in use: Postern has ${counted(others, 'connection')}. Stop every instance, and every other command`,
      );
    }
    await wait(BETWEEN_LOOKS_MS);
  }
}

async function requireSchema(connection: Connection, name: string): Promise<void> {
  const { rows } = await connection.query('SELECT name FROM migrations').catch((error) => {
    throw new CopyRefused(`${name} is no database of Postern's, or may not be read: ${causeOf(error)}`);
  });
  const applied = rows.map((row) => row.name);
  requireThisVersion(name, compareSteps(applied, Object.keys(SCHEMA.steps)));
}

async function migrateTarget(url: string, name: string): Promise<void> {
  await migratePostgres({ url }).catch((error) => {
    if (error instanceof StartupError) throw error;
    throw new CopyRefused(`${name} cannot be brought to this version: ${causeOf(error)}`);
  });
}

/** As text that BYTEA reads. */
function octetsAsText(this: Row, key: string, value: unknown): unknown {
  const octets = this[key];
  return octets instanceof Uint8Array ? `\\x${Buffer.from(octets).toString('hex')}` : value;
}
