import { setTimeout as wait } from 'node:timers/promises';
import { reasonOf, StartupError } from '../../errors.ts';
import { withoutPassword } from '../../lib/service-url.ts';
import { counted } from '../../lib/statistics.ts';
import { messageOf } from '../../lib/thrown.ts';
import { CheckPartitions } from '../postgres/check-partitions.ts';
import { type Connection, Connections, isStatementFault, numbered } from '../postgres/connections.ts';
import { migratePostgres, SCHEMA } from '../postgres/migrate.ts';
import {
  type CopyDatabase,
  CopyRefused,
  copyDatabase,
  quoted,
  type Row,
  RowFault,
  requireThisVersion,
} from './copy-database.ts';

/**
 * Opens a database to which no instance is connected. The source must be of this version, and is only read; the target is migrated to this
 * version. Throws a StartupError or CopyRefused.
 */
export async function openPostgresCopy(url: string, as: 'source' | 'target'): Promise<CopyDatabase> {
  const name = withoutPassword(url);
  await using opened = new AsyncDisposableStack();
  // No time-out: counting millions of rows takes longer than a service lets any query take.
  const connect = () => opened.use(new Connections({ name: 'postern copy' }, { url, statementTimeoutMs: 0 }));
  const connection = opened.adopt(
    await connect()
      .connect()
      .catch((error) => {
        throw new CopyRefused(`${name} cannot be opened: ${reasonOf(error)}`);
      }),
    (lent) => lent.release(true),
  );
  await requireAlone(connection, name);
  const partitions = new CheckPartitions(connect());
  const query = async (sql: string, values: readonly unknown[] = []): Promise<readonly Row[]> =>
    (await connection.query(numbered(sql), values)).rows;
  if (as === 'source') await requireThisVersion({ name, query }, Object.keys(SCHEMA.steps));
  else await migrateTarget(url, name);
  const disposables = opened.move();
  return copyDatabase({
    kind: 'postgres',
    name,
    query,
    columns: `SELECT attname::text AS name FROM pg_attribute
      WHERE attrelid = to_regclass(quote_ident(?)) AND attnum > 0 AND NOT attisdropped`,
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
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  });
}

/** The server sees the end of a process a moment later than its user. */
const PATIENCE_MS = 3_000;
const BETWEEN_LOOKS_MS = 50;

/** Rejects where an instance stays connected: the copy would miss rows that it writes meanwhile. */
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

async function migrateTarget(url: string, name: string): Promise<void> {
  await migratePostgres({ url }).catch((error) => {
    if (error instanceof StartupError) throw error;
    throw new CopyRefused(`${name} cannot be brought to this version: ${reasonOf(error)}`);
  });
}

/** A replacer for JSON.stringify: octets as text that BYTEA reads. */
function octetsAsText(this: Row, key: string, value: unknown): unknown {
  const octets = this[key];
  return octets instanceof Uint8Array ? `\\x${Buffer.from(octets).toString('hex')}` : value;
}
