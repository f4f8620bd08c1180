import { AppError, reasonOf, StartupError } from '../../errors.ts';
import { once } from '../../lib/concurrency.ts';
import type { Storage } from '../ports.ts';
import type { StorageOptions } from '../shared/queued-check-store.ts';
import { sharedStores } from '../shared/shared-stores.ts';
import { announceRules } from './change-listener.ts';
import {
  type ConnectionOptions,
  Connections,
  databaseAt,
  isBehindPooler,
  isRefusal,
  SQLSTATE,
  sqlstateOf,
} from './connections.ts';
import { AdvisoryJobLock, holdTable } from './locks.ts';
import { migratePostgres } from './migrate.ts';
import { PostgresCheckStore } from './postgres-check-store.ts';
import { READING_TIMEOUT_MS } from './postgres-records.ts';

export interface PostgresStorageOptions extends ConnectionOptions, StorageOptions {
  /** Address of the server past a pooler in transaction mode, for migrations, commits of checks and locks; null where `url` is that address. */
  readonly directUrl?: string | null | undefined;
  /** Size of the pool, without the connection that commits checks and those of running jobs. */
  readonly maxConnections?: number | undefined;
}

const MAX_CONNECTIONS = 10;
/** For readiness: a load balancer asks again soon. */
const PING_TIMEOUT_MS = 1_000;

/** Throws a StartupError when the database cannot be opened, or its schema is of a release that must not run beside this one. */
export async function openPostgresStorage(options: PostgresStorageOptions): Promise<Storage> {
  const direct = { ...options, url: options.directUrl ?? options.url };
  let isPooler = false;
  try {
    // Before tables are made: checks would lie in one database, and keys, people and rules in the other.
    if (direct.url !== options.url && (await databaseAt(direct)) !== (await databaseAt(options)))
      throw new StartupError(['storage.direct_url: leads to another database than storage.url']);
    await migratePostgres(direct);
    isPooler = await isBehindPooler(direct);
  } catch (error) {
    throw cannotStart(error, direct.url);
  }
  const { revocations, maxConnections: max = MAX_CONNECTIONS } = options;
  const onReadOnly = () => {
    for (const pool of [connections, committing, reading]) pool.retire();
  };
  const connections = new Connections(
    { name: 'postern', max, isPooler: isPooler || direct.url !== options.url, isForRequests: true },
    { ...options, onReadOnly },
  );
  const committing = new Connections({ name: 'postern commits', isPooler }, { ...direct, onReadOnly });
  try {
    // Opens the connection and keeps it: later the other pools may use up all that the server allows, and no check could be recorded.
    await committing.query('SELECT');
  } catch (error) {
    await committing.end();
    throw cannotStart(error, direct.url);
  }
  // For commands and for retention; a service reads in processes of its own. Connects at its first query.
  const patient = { ...direct, statementTimeoutMs: READING_TIMEOUT_MS };
  const reading = new Connections({ name: 'postern replays', max: 2, isPooler }, patient);
  const checks = new PostgresCheckStore(connections, committing, reading, options);
  return {
    ...sharedStores(connections.dialect(), revocations, holdTable, announceRules),
    checks,
    jobLock: new AdvisoryJobLock(direct),
    async ping() {
      const asked = { text: 'SHOW transaction_read_only', query_timeout: PING_TIMEOUT_MS };
      const { rows } = await connections.query(asked);
      if (rows[0].transaction_read_only !== 'off') {
        // New connections may lead to the server that takes writes.
        onReadOnly();
        throw new Error('the database takes no writes');
      }
      checks.requireHealthy();
    },
    close: once(async () => {
      await checks.close();
      await Promise.all([committing.end(), connections.end(), reading.end()]);
    }),
  };
}

const OWN_IT = 'the user must own the database, or have the right to create tables in its schema';
const REMEDIES: Readonly<Record<string, string>> = {
  [SQLSTATE.insufficientPrivilege]: OWN_IT,
  [SQLSTATE.noSchema]: OWN_IT,
  [SQLSTATE.tooManyConnections]:
    'an instance takes storage.pool_size connections, and up to ten more: allow more of them, or take a smaller pool',
};

/** The StartupError with which a start or a command ends. Returns a StartupError, and an AppError that is not `unavailable`, unchanged. */
export function cannotStart(error: unknown, url: string): unknown {
  if (error instanceof StartupError || (error instanceof AppError && error.code !== 'unavailable'))
    return error;
  const isAway = error instanceof AppError && !isRefusal(error);
  const remedy = REMEDIES[sqlstateOf(error) ?? ''];
  const fault = `storage.url: ${placeOf(url)} cannot be opened: ${reasonOf(error)}${remedy === undefined ? '' : `; ${remedy}`}`;
  return new StartupError([fault], isAway);
}

/** Host and database of an address, without the password. */
function placeOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? 'the database' : `${parsed.host}${parsed.pathname}`;
}
