import { StartupError } from '../../errors.ts';
import { messageOf } from '../../lib/thrown.ts';
import type { Logger } from '../../observability/logger.ts';
import type { PeopleStorage } from '../people-ports.ts';
import type { Storage } from '../ports.ts';
import { Connections } from './connections.ts';
import { prepareDatabaseFile } from './database-file.ts';
import { migrate } from './migrate.ts';
import { BUSY_TIMEOUT_MS, openDatabase } from './open-database.ts';
import { SqliteAccountStore } from './sqlite-account-store.ts';
import { SqliteCheckHourStore } from './sqlite-check-hour-store.ts';
import { SqliteCheckStore } from './sqlite-check-store.ts';
import { SqliteKeyStore } from './sqlite-key-store.ts';
import { SqliteLabelStore } from './sqlite-label-store.ts';
import { SqlitePeopleStorage } from './sqlite-people-storage.ts';
import { SqliteProviderValueStore } from './sqlite-provider-value-store.ts';
import { SqliteRuleDraftStore } from './sqlite-rule-draft-store.ts';
import { SqliteRuleVersionStore } from './sqlite-rule-version-store.ts';
import { SqliteUsageStore } from './sqlite-usage-store.ts';
import { WriterThread } from './writer-thread.ts';

export interface SqliteStorageOptions {
  /** Made when it is missing, for the owner alone. */
  readonly file: string;
  readonly durability: 'commit' | 'async';
  readonly log?: Logger | undefined;
  /** The rest has defaults and is set by tests. */
  readonly queueCapacity?: number;
  readonly busyTimeoutMs?: number;
  readonly maxPages?: number;
  readonly logPages?: number;
  readonly worker?: URL;
}

/** The thread that will write. It loads from now on, but touches nothing; it is to be closed where the storage is not opened. */
export function launchWriter(options: SqliteStorageOptions): WriterThread {
  return new WriterThread({ busyTimeoutMs: BUSY_TIMEOUT_MS, ...options });
}

/** Throws a StartupError when the file cannot be opened as a database of this version; the writer is closed then. */
export async function openSqliteStorage(
  options: SqliteStorageOptions,
  writer = launchWriter(options),
): Promise<Storage> {
  try {
    return await open(options, writer);
  } catch (error) {
    await writer.close();
    throw error;
  }
}

async function open(options: SqliteStorageOptions, writer: WriterThread): Promise<Storage> {
  const { file, log, busyTimeoutMs = BUSY_TIMEOUT_MS } = options;
  if (file === '' || file === ':memory:') {
    throw new StartupError([
      'storage.url: a database in memory is not supported: its records would not last',
    ]);
  }
  try {
    prepareDatabaseFile(file);
    await migrate(file);
    await writer.open();
    const reader = openDatabase(file, busyTimeoutMs);
    // Whoever forgets that writes belong to the worker is told at once.
    reader.exec('PRAGMA query_only=ON');
    return new SqliteStorage(new Connections(reader, writer), options);
  } catch (error) {
    if (error instanceof StartupError) throw error;
    log?.error({ err: error, file }, 'database not opened');
    throw new StartupError([`${file}: cannot be opened as a database: ${messageOf(error)}`]);
  }
}

class SqliteStorage implements Storage {
  readonly accounts: SqliteAccountStore;
  readonly keys: SqliteKeyStore;
  readonly checks: SqliteCheckStore;
  readonly labels: SqliteLabelStore;
  readonly checkHours: SqliteCheckHourStore;
  readonly usage: SqliteUsageStore;
  readonly providerValues: SqliteProviderValueStore;
  readonly ruleVersions: SqliteRuleVersionStore;
  readonly peopleStorage: PeopleStorage;
  readonly ruleDrafts: SqliteRuleDraftStore;
  readonly #connections: Connections;
  #closed: Promise<void> | undefined;

  constructor(connections: Connections, options: SqliteStorageOptions) {
    this.accounts = new SqliteAccountStore(connections);
    this.keys = new SqliteKeyStore(connections);
    this.checks = new SqliteCheckStore(connections, options);
    this.labels = new SqliteLabelStore(connections);
    this.checkHours = new SqliteCheckHourStore(connections);
    this.usage = new SqliteUsageStore(connections);
    this.providerValues = new SqliteProviderValueStore(connections);
    this.ruleVersions = new SqliteRuleVersionStore(connections);
    this.peopleStorage = new SqlitePeopleStorage(connections);
    this.ruleDrafts = new SqliteRuleDraftStore(connections);
    this.#connections = connections;
  }

  async ping(): Promise<void> {
    const { reader, writer } = this.#connections;
    reader.prepare('SELECT id FROM checks LIMIT 1').get();
    if (!writer.isUp) throw new Error('the writing thread is down');
    if (!this.checks.isHealthy) throw new Error('the last checks could not be committed');
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.checks.close();
    // Before the writer: its last checkpoint empties the log only when nobody else has it open.
    this.#connections.reader.close();
    await this.#connections.writer.close();
  }
}
