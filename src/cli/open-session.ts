import { accessSync } from 'node:fs';
import { resolve } from 'node:path';
import { AuditTrail } from '../accounts/audit-trail.ts';
import { KeyService } from '../accounts/key-service.ts';
import type { Config } from '../app/config/config.ts';
import { type LoadedConfig, loadConfig } from '../app/config/load-config.ts';
import { StartupError } from '../errors.ts';
import { isPostgresUrl } from '../lib/service-url.ts';
import { systemClock } from '../lib/time.ts';
import { createLogger, type Logger } from '../observability/logger.ts';
import { AddressPrivacy } from '../privacy/address-privacy.ts';
import { lockData } from '../storage/file-lock.ts';
import { openStorage } from '../storage/open-storage.ts';
import type { Storage } from '../storage/ports.ts';
import { RevocationLog } from '../storage/revocation-log.ts';
import { readHmacKey } from '../storage/secret-store.ts';
import { openUntouched } from '../storage/sqlite/database.ts';
import { compareSchema } from '../storage/sqlite/migrate.ts';
import { CannotRun, type Shell } from './shell.ts';

/** The effective configuration; its warnings go to standard error. Throws a StartupError that lists every fault. */
export async function loadSettings(shell: Shell, port?: number): Promise<LoadedConfig> {
  const { dir } = shell.options;
  const loaded = await loadConfig(shell.configSources(port));
  for (const warning of loaded.warnings) shell.warn(warning);
  if (dir === undefined) return loaded;
  const { config } = loaded;
  return {
    ...loaded,
    config: {
      ...config,
      rules: { ...config.rules, source: 'directory', dir: resolve(shell.cwd, dir), shippedDir: null },
    },
  };
}

/** A command's log is silent by default: on a terminal, log lines would stand between the lines of the answer. */
export function quietLog(shell: Shell, level: 'silent' | 'warn' = 'silent'): Logger {
  return createLogger(shell.env.POSTERN_DEBUG === '1' ? 'debug' : level);
}

/** The options with which a command opens the providers: a quiet log, and a warning about a long wait. */
export function quietly(shell: Shell, level?: 'silent' | 'warn') {
  return { log: quietLog(shell, level), tellWait: (what: string) => shell.warn(what) };
}

/** Hashes addresses, to find a person's records. Makes no key: a new one would match no record, and hide that the right one is missing. */
export async function openPrivacy({ loaded, storage }: StorageSession): Promise<AddressPrivacy> {
  const { config } = loaded;
  const { storeAddresses, hmacKeyFile } = config.privacy;
  const hmacKey = await readHmacKey(config, storage.state);
  if (hmacKey === undefined) {
    throw new CannotRun(
      `${hmacKeyFile ?? 'the key of addresses'} is not there: without it no record can be matched to an address. Is --data-dir right? The first start makes it ("postern serve"); where checks are recorded already, put it back from a backup.`,
    );
  }
  return new AddressPrivacy(storeAddresses, hmacKey);
}

export interface StorageSession {
  readonly shell: Shell;
  readonly loaded: LoadedConfig;
  readonly storage: Storage;
}

interface StorageNeeds {
  /** Makes the database where there is none. Otherwise a missing database counts as a mistaken path, and the command cannot run. */
  readonly create?: true;
  /** The store's warnings are part of the answer: that erased data still lies in a file, for example. */
  readonly warns?: true;
}

/**
 * Opens the database for as long as `work` takes, and migrates it to this version's schema. A running service may have it open too, but
 * an SQLite file that needs a migration is refused while a service runs.
 */
export async function withStorage<Result>(
  shell: Shell,
  work: (session: StorageSession) => Promise<Result>,
  { create, warns }: StorageNeeds = {},
): Promise<Result> {
  const loaded = await loadSettings(shell);
  const { url } = loaded.config.storage;
  const isFile = !isPostgresUrl(url);
  if (isFile && !create) requireDatabase(url);
  const storage = await whileAlone(shell, loaded, isFile ? pendingSteps(url) : [], () =>
    openStorage(loaded.config.storage, {
      // What a person does by hand must not be lost, whatever the service's durability is.
      durability: 'commit',
      log: quietLog(shell, warns ? 'warn' : 'silent'),
      ...(isFile && { revocations: new RevocationLog(loaded.config.dataDir) }),
    }),
  );
  try {
    return await work({ shell, loaded, storage });
  } finally {
    await storage.close();
  }
}

/** For commands on an SQLite file: throws CannotRun where the database is a PostgreSQL. `instead` says what to use there. */
export function requireFile({ storage }: Pick<Config, 'storage'>, instead: string): void {
  if (isPostgresUrl(storage.url))
    throw new CannotRun(`storage.url is a PostgreSQL: ${instead} (docs/scale.md)`);
}

/** The migrations that the database lacks. Empty where there is no database yet, or the file is none: opening the file reports that. */
export function pendingSteps(file: string): readonly string[] {
  try {
    using database = openUntouched(file);
    return compareSchema(database).pending;
  } catch {
    return [];
  }
}

/** Locks services out of a migration: a running one is of an earlier version, and would go on with tables that it does not know. */
async function whileAlone<Result>(
  shell: Shell,
  { config }: LoadedConfig,
  steps: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  if (steps.length === 0) return await work();
  try {
    using _lock = lockData({ dataDir: config.dataDir, database: config.storage.url });
    shell.note('bringing the database to this version; a large one takes minutes …');
    return await work();
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    const lacks = `${config.storage.url} is of an earlier version (it lacks ${steps.join(', ')})`;
    throw new CannotRun(`${lacks} and cannot be brought to this one: ${error.faults.join('; ')}`);
  }
}

/** `withStorage` as the action of a command: the session comes first, the parsed arguments and options after it. */
export function onStorage<Given extends readonly unknown[]>(
  shell: Shell,
  work: (session: StorageSession, ...given: Given) => Promise<void>,
  needs?: StorageNeeds,
): (...given: Given) => Promise<void> {
  return (...given) => withStorage(shell, (session) => work(session, ...given), needs);
}

/** Throws CannotRun where there is no database, or where the user may not look for it. */
export function requireDatabase(file: string): void {
  try {
    accessSync(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CannotRun(
      code === 'ENOENT' || code === 'ENOTDIR'
        ? `there is no database at ${file}: is --data-dir right? The first start makes it.`
        : `cannot look for the database: ${message}`,
    );
  }
}

/** The service that makes accounts and keys. */
export function keysOf({ shell, storage: { accounts, keys } }: StorageSession): KeyService {
  return new KeyService(accounts, keys, systemClock, quietLog(shell));
}

/** Makes entries of the audit trail for a command. The services commit an entry together with the change itself. */
export function noteOf({ storage }: StorageSession) {
  return new AuditTrail(storage.peopleStorage.trail, systemClock).noting(null);
}

/** Notes in the audit trail that a command has erased records; never whose, which the trail would keep for ever. */
export async function noteErased(
  session: StorageSession,
  detail: { readonly command: string; readonly records: number; readonly labels: number },
): Promise<void> {
  if (detail.records + detail.labels === 0) return;
  await session.storage.peopleStorage.trail.add(noteOf(session)({ action: 'check.erased', detail }));
}
