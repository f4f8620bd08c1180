import { accessSync, existsSync } from 'node:fs';
import { KeyService } from '../accounts/key-service.ts';
import { type LoadedConfig, loadConfig } from '../app/config/load-config.ts';
import { systemClock } from '../lib/system-clock.ts';
import { createLogger, type Logger } from '../observability/logger.ts';
import { AddressPrivacy } from '../privacy/address-privacy.ts';
import type { Storage } from '../storage/ports.ts';
import { loadHmacKey } from '../storage/secret-store.ts';
import { openSqliteStorage } from '../storage/sqlite/sqlite-storage.ts';
import type { CommonOptions } from './options.ts';
import { CannotRun, type Shell } from './shell.ts';

/** The effective configuration; its warnings go to standard error. Throws a StartupError that lists every fault. */
export async function loadSettings(
  shell: Shell,
  options: CommonOptions & { readonly port?: number },
): Promise<LoadedConfig> {
  const loaded = await loadConfig({
    dataDir: options.dataDir,
    files: options.config ?? [],
    env: shell.env,
    cwd: shell.cwd,
    port: options.port,
    ...(shell.configDir !== undefined && { configDir: shell.configDir }),
  });
  for (const warning of loaded.warnings) shell.note(`warning: ${warning}`);
  return loaded;
}

/** Outside the service, log lines would mostly stand between the lines of an answer. */
export function quietLog(shell: Shell, level: 'silent' | 'warn' = 'silent'): Logger {
  return createLogger(shell.env.POSTERN_DEBUG === '1' ? 'debug' : level);
}

/** For finding a person's records. A key made now would match nothing, and would hide that the right one is missing. */
export async function openPrivacy({ config }: LoadedConfig): Promise<AddressPrivacy> {
  const { storeAddresses, hmacKeyFile } = config.privacy;
  if (!existsSync(hmacKeyFile)) {
    throw new CannotRun(
      `${hmacKeyFile} is not there: without it no record can be matched to an address. Is --data-dir right? The first start makes it ("postern serve"); where checks are recorded already, put it back from a backup.`,
    );
  }
  return new AddressPrivacy(storeAddresses, await loadHmacKey(hmacKeyFile));
}

export interface StorageSession {
  readonly loaded: LoadedConfig;
  readonly storage: Storage;
}

interface StorageNeeds {
  /** Makes the database where there is none. Without it that is a mistaken path, and the command cannot run. */
  readonly create?: true;
  /** The store's warnings are part of the answer: that erased data still lies in a file, for example. */
  readonly warns?: true;
}

/** Opens the database for as long as `work` takes; a running service may have it open too. */
export async function withStorage<Result>(
  shell: Shell,
  options: CommonOptions,
  work: (session: StorageSession) => Promise<Result>,
  { create, warns }: StorageNeeds = {},
): Promise<Result> {
  const loaded = await loadSettings(shell, options);
  const file = loaded.config.storage.url;
  if (!create) requireDatabase(file);
  const log = quietLog(shell, warns ? 'warn' : 'silent');
  // What a person does by hand must not be lost, whatever the service's durability is.
  const storage = await openSqliteStorage({ file, durability: 'commit', log });
  try {
    return await work({ loaded, storage });
  } finally {
    await storage.close();
  }
}

/** Throws CannotRun where there is no database, or where the user may not look for it. */
function requireDatabase(file: string): void {
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

export function withKeyService(
  shell: Shell,
  options: CommonOptions,
  work: (keys: KeyService) => Promise<void>,
  needs: StorageNeeds = {},
): Promise<void> {
  return withStorage(
    shell,
    options,
    ({ storage }) => work(new KeyService(storage.accounts, storage.keys, systemClock, quietLog(shell))),
    needs,
  );
}
