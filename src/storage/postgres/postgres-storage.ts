import { AppError, StartupError } from '../../errors.ts';
import { once } from '../../lib/concurrency.ts';
import { messageOf } from '../../lib/thrown.ts';
import type { Storage } from '../ports.ts';
import { NO_REVOCATIONS, type Revocations } from '../revocation-log.ts';
import { sharedStores } from '../shared/shared-stores.ts';
import { AdvisoryJobLock } from './advisory-job-lock.ts';
import { announceChange } from './announce.ts';
import { type ConnectionOptions, Connections, isRefusal } from './connections.ts';
import { holdTable } from './hold-table.ts';
import { migratePostgres } from './migrate.ts';
import { PostgresCheckStore } from './postgres-check-store.ts';

export interface PostgresStorageOptions extends ConnectionOptions {
  /** The server past a pooler in transaction mode, for migrations, commits of checks and locks; null where `url` is that. */
  readonly directUrl?: string | null | undefined;
  readonly durability: 'commit' | 'async';
  readonly revocations?: Revocations | undefined;
  /** Beside the one that commits checks and those of jobs that run. */
  readonly maxConnections?: number | undefined;
  /** Set by tests. */
  readonly queueCapacity?: number | undefined;
}

const MAX_CONNECTIONS = 10;
/** For readiness: a load balancer asks again soon. */
const PING_TIMEOUT_MS = 1_000;

/** Throws a StartupError when the database cannot be opened, or its schema is of a release that must not run beside this one. */
export async function openPostgresStorage(options: PostgresStorageOptions): Promise<Storage> {
  const direct = { ...options, url: options.directUrl ?? options.url };
  try {
    await migratePostgres(direct);
  } catch (error) {
    if (error instanceof StartupError) throw error;
    const why = messageOf(error instanceof AppError ? error.cause : error);
    const isAway = error instanceof AppError && !isRefusal(error);
    throw new StartupError([`storage.url: ${placeOf(direct.url)} cannot be opened: ${why}`], isAway);
  }
  const { durability, revocations = NO_REVOCATIONS, maxConnections: max = MAX_CONNECTIONS } = options;
  const isPooler = direct.url !== options.url;
  const connections = new Connections({ name: 'postern', max, isPooler }, options);
  const committing = new Connections({ name: 'postern commits', max: 1 }, direct);
  const checks = new PostgresCheckStore(connections, committing, { ...options, durability, revocations });
  return {
    ...sharedStores(connections.dialect(), revocations, holdTable, announceChange),
    checks,
    jobLock: new AdvisoryJobLock(direct),
    async ping() {
      const connection = await connections.connect();
      let isReadOnly = true;
      try {
        const asked = { text: 'SHOW transaction_read_only', query_timeout: PING_TIMEOUT_MS };
        const { rows } = await connection.query(asked);
        isReadOnly = rows[0].transaction_read_only !== 'off';
      } finally {
        // After a failover the next one may lead to the server that takes writes.
        connection.release(isReadOnly);
      }
      if (isReadOnly) throw new Error('the database takes no writes');
      if (!checks.isHealthy) throw new Error('the last checks could not be committed');
    },
    close: once(async () => {
      await checks.close();
      await Promise.all([committing.end(), connections.end()]);
    }),
  };
}

/** Of an address, without the password. */
function placeOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? 'the database' : `${parsed.host}${parsed.pathname}`;
}
