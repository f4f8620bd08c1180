import { accessSync } from 'node:fs';
import type { KeyService } from '../accounts/keys/key-service.ts';
import type { LoadedConfig } from '../app/config/load-config.ts';
import type { Storage } from '../storage/ports.ts';
import { CannotRun } from './cannot-run.ts';
import type { CommonOptions } from './options.ts';
import { loadSettings, quietLog } from './settings.ts';
import type { Shell } from './shell.ts';

export interface StorageSession {
  readonly loaded: LoadedConfig;
  readonly storage: Storage;
}

export interface StorageNeeds {
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

/** Throws `CannotRun`, also when it cannot be told whether it is there, as by who may not look into the directory. */
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
    const [{ KeyService }, { systemClock }, log] = await Promise.all([
      import('../accounts/keys/key-service.ts'),
      import('../lib/system-clock.ts'),
      quietLog(shell),
    ]);
    await work(new KeyService(storage.accounts, storage.keys, systemClock, log));
  });
}
