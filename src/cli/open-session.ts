import { accessSync, existsSync } from 'node:fs';
import type { KeyService } from '../accounts/key-service.ts';
import type { Pipeline } from '../app/compose/pipeline.ts';
import type { LoadedConfig } from '../app/config/load-config.ts';
import { systemClock } from '../lib/system-clock.ts';
import type { Logger } from '../observability/logger.ts';
import type { AddressPrivacy } from '../privacy/address-privacy.ts';
import type { Storage } from '../storage/ports.ts';
import type { CommonOptions } from './options.ts';
import { CannotRun, type Shell } from './shell.ts';

/** The effective configuration; its warnings go to standard error. Throws a StartupError that lists every fault. */
export async function loadSettings(
  shell: Shell,
  options: CommonOptions & { readonly port?: number },
): Promise<LoadedConfig> {
  const { loadConfig } = await import('../app/config/load-config.ts');
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
export async function quietLog(shell: Shell, level: 'silent' | 'warn' = 'silent'): Promise<Logger> {
  const { createLogger } = await import('../observability/logger.ts');
  return createLogger(shell.env.POSTERN_DEBUG === '1' ? 'debug' : level);
}

interface OpenAssessor extends Pick<Pipeline, 'assessor' | 'collector' | 'policies'> {
  close(): void;
}

/** The pipeline for a command: it knows what the service has found out so far, finds out no more by SMTP, and keeps nothing. */
export async function openAssessor(loaded: LoadedConfig, log: Logger): Promise<OpenAssessor> {
  const [{ openPipeline }, { readProviderValues }] = await Promise.all([
    import('../app/compose/pipeline.ts'),
    import('../storage/sqlite/read-provider-values.ts'),
  ]);
  const { assessor, collector, policies, stores } = await openPipeline(loaded, log, systemClock);
  const values = readProviderValues(loaded.config.storage.url);
  if (values) stores.open(values);
  return {
    assessor,
    collector,
    policies,
    close() {
      policies.close();
      stores.close();
      values?.close();
    },
  };
}

/** For what finds people's records. A key made now would match nothing, and would hide that the right one is missing. */
export async function openPrivacy({ config }: LoadedConfig): Promise<AddressPrivacy> {
  const { storeAddresses, hmacKeyFile } = config.privacy;
  if (!existsSync(hmacKeyFile)) {
    throw new CannotRun(
      `${hmacKeyFile} is not there: without it no record can be matched to an address. Is --data-dir right? The first start makes it ("postern serve"); where checks are recorded already, put it back from a backup.`,
    );
  }
  const [{ AddressPrivacy }, { loadHmacKey }] = await Promise.all([
    import('../privacy/address-privacy.ts'),
    import('../storage/secret-store.ts'),
  ]);
  return new AddressPrivacy(storeAddresses, await loadHmacKey(hmacKeyFile));
}

export interface StorageSession {
  readonly loaded: LoadedConfig;
  readonly storage: Storage;
}

interface StorageNeeds {
  /** Makes the database where there is none; to read one that is not there is a mistaken path. */
  readonly create: boolean;
  /** What the store warns of belongs to the answer: that something erased still lies in a file, for example. */
  readonly warns?: true;
}

/** Opens the database for as long as `work` takes; a running service may have it open too. */
export async function withStorage(
  shell: Shell,
  options: CommonOptions,
  { create, warns }: StorageNeeds,
  work: (session: StorageSession) => Promise<void>,
): Promise<void> {
  const loaded = await loadSettings(shell, options);
  const file = loaded.config.storage.url;
  if (!create) requireDatabase(file);
  const { openSqliteStorage } = await import('../storage/sqlite/sqlite-storage.ts');
  // Nothing that a person does by hand may be lost, whatever the service's durability is.
  const log = await quietLog(shell, warns ? 'warn' : 'silent');
  const storage = await openSqliteStorage({ file, durability: 'commit', log });
  try {
    await work({ loaded, storage });
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

export async function withKeyService(
  shell: Shell,
  options: CommonOptions,
  needs: StorageNeeds,
  work: (keys: KeyService) => Promise<void>,
): Promise<void> {
  await withStorage(shell, options, needs, async ({ storage }) => {
    const [{ KeyService }, log] = await Promise.all([import('../accounts/key-service.ts'), quietLog(shell)]);
    await work(new KeyService(storage.accounts, storage.keys, systemClock, log));
  });
}
