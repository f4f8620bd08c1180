import { RulesDatabase } from '../../checks/rules-database.ts';
import { isPostgresUrl } from '../../lib/service-url.ts';
import type { Instruments } from '../../observability/metrics.ts';
import { lockData } from '../../storage/file-lock.ts';
import { openStorage } from '../../storage/open-storage.ts';
import type { ChangeFeed, Storage } from '../../storage/ports.ts';
import { RevocationLog } from '../../storage/revocation-log.ts';
import { requireDatabaseOf } from '../../storage/secret-store.ts';
import type { Config } from '../config/config.ts';
import type { PipelineSettings } from './pipeline.ts';

interface StorageParts extends Pick<Instruments, 'log' | 'metrics'> {
  readonly config: Config;
}

/** The database of a service. */
export interface ServiceStorage {
  readonly storage: Storage;
  /** What other instances announce; null where there is none. */
  readonly feed: (ChangeFeed & { readonly isListening: boolean }) | null;
}

/** Null where the database is a file, which this process alone may serve. Closed by `parts`. */
export async function openSharedStorage(
  { config, log, metrics }: StorageParts,
  parts: AsyncDisposableStack,
): Promise<ServiceStorage | null> {
  const { url, directUrl } = config.storage;
  if (!isPostgresUrl(url)) return null;
  const { durability } = config.audit;
  const storage = await openStorage(config.storage, { durability, log });
  parts.defer(() => storage.close());
  const { openChangeFeed } = await import('../../storage/postgres/change-listener.ts');
  const feed = await openChangeFeed(directUrl ?? url, storage, { log, metrics });
  parts.defer(() => feed.close());
  return { storage, feed };
}

/** Rules that are published in the database; the first start of all instances publishes those that the operator has had. */
export function sharedRules(
  { config: { rules }, clock, log }: Pick<Instruments, 'clock' | 'log'> & { readonly config: Config },
  shared: ServiceStorage | null,
): Pick<PipelineSettings, 'openRules'> {
  if (rules.source === 'directory' || !shared) return {};
  const { storage, feed } = shared;
  return {
    async openRules({ catalogue }) {
      const { publishFirstRules } = await import('../../rule-lab/versions/shipped-rules.ts');
      await publishFirstRules({ rules, storage, catalogue, clock, log });
      return new RulesDatabase({ versions: storage.ruleVersions, clock, feed });
    },
  };
}

/** Locks the data directory, and a file of a database, against other processes. */
export function lockFiles({ dataDir, storage }: Config): Disposable {
  return lockData({ dataDir, database: storage.url });
}

/** Opens the file. Closed by `parts`. */
export async function openOwnStorage(
  { config, log }: Pick<StorageParts, 'config' | 'log'>,
  parts: AsyncDisposableStack,
): Promise<ServiceStorage> {
  const { durability } = config.audit;
  requireDatabaseOf(config.storage.url, config.dataDir);
  const revocations = new RevocationLog(config.dataDir);
  const storage = await openStorage(config.storage, { durability, isThreaded: true, revocations, log });
  parts.defer(() => storage.close());
  await revocations
    .begin()
    .catch((err) => log.error({ err }, 'revocations.log cannot be written: nothing can be revoked'));
  return { storage, feed: null };
}
