import { createHmac, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { openJudge } from '../../checks/rule-judge.ts';
import { readRules } from '../../checks/rule-source.ts';
import { publishedVersions, RulesDatabase } from '../../checks/rules-database.ts';
import { RulesReloader } from '../../checks/rules-reloader.ts';
import { StartupError } from '../../errors.ts';
import { InsightsQueue } from '../../insights/insights-queue.ts';
import { isPostgresUrl } from '../../lib/service-url.ts';
import { ListRefresher } from '../../lists/list-refresher.ts';
import { inProcess } from '../../lists/update-in-process.ts';
import type { Instruments } from '../../observability/metrics.ts';
import {
  fillRules,
  findUpgrade,
  placeInDatabase,
  UPGRADE_OFFERED,
} from '../../rule-lab/versions/shipped-rules.ts';
import { InMemoryAttemptThrottle } from '../../shared-state/memory/attempt-throttle.ts';
import { openVelocityCounters } from '../../shared-state/memory/open-velocity-counters.ts';
import { InMemoryRateLimiter } from '../../shared-state/memory/rate-limiter.ts';
import { openStorage, readingUrl } from '../../storage/open-storage.ts';
import type { ChangeFeed, Storage } from '../../storage/ports.ts';
import { startRetention } from '../../storage/retention.ts';
import { RevocationLog } from '../../storage/revocation-log.ts';
import { openSecrets, requireDatabaseOf } from '../../storage/secret-store.ts';
import type { Config } from '../config/config.ts';
import type { Pipeline, PipelineSettings } from './pipeline.ts';

export interface ServiceStorage {
  readonly storage: Storage;
  /** Changes that other instances announce; null where there are no other instances. */
  readonly feed: (ChangeFeed & { readonly isListening: boolean }) | null;
}

/** Opens PostgreSQL; null where the database is a file, which this process alone may serve. Closed by `parts`. */
export async function openSharedStorage(
  { config, log, metrics }: Pick<Base, 'config' | 'log' | 'metrics'>,
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

/** Opens the rules that are published in the database. Where none are, the first start publishes the rules that the operator has had. */
export function sharedRules(
  { config: { rules }, clock, log }: Pick<Base, 'config' | 'clock' | 'log'>,
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

/** Opens the file. Closed by `parts`. */
async function openOwnStorage(
  { config, log }: Pick<Base, 'config' | 'log'>,
  parts: AsyncDisposableStack,
): Promise<ServiceStorage> {
  const { durability } = config.audit;
  requireDatabaseOf(config.storage.url, config.dataDir);
  const revocations = new RevocationLog(config.dataDir);
  const storage = await openStorage(config.storage, { durability, revocations, log });
  parts.defer(() => storage.close());
  await revocations
    .begin()
    .catch((err) => log.error({ err }, 'revocations.log cannot be written: nothing can be revoked'));
  return { storage, feed: null };
}

type StateParts = Pick<Base, 'config' | keyof Instruments> & { readonly hmacKey: KeyObject };

export type ServiceState = Awaited<ReturnType<typeof openServiceState>>;

/** Opens the counters and limits, in this process or shared with other instances. */
export async function openServiceState(parts: StateParts) {
  const { config, hmacKey, log } = parts;
  const { url } = config.sharedState;
  const isAlone = !isPostgresUrl(config.storage.url);
  if (url !== null) {
    if (isAlone)
      log.warn('shared_state.url is set, and storage.url is a file: no other instance shares either');
    const { openValkeyState } = await import('../../shared-state/valkey/open-valkey-state.ts');
    const state = await openValkeyState({ ...parts, url, prefix: sharedPrefix(hmacKey) });
    return { ...state, isQuotaShared: !isAlone, memory: () => null };
  }
  if (!isAlone) {
    log.warn('shared_state.url is null: with several instances each has rate limits and velocity of its own');
  }
  const { requests, windowSeconds } = config.rateLimit;
  const directory = join(config.dataDir, 'counters');
  const { counters, close } = await openVelocityCounters({ ...parts, directory });
  return {
    counters,
    rateLimiter: new InMemoryRateLimiter(requests, windowSeconds),
    attemptThrottle: new InMemoryAttemptThrottle(),
    isQuotaShared: !isAlone,
    /** Statistics of the counts in this process; null where Valkey holds the counts. */
    memory: () => counters.stats,
    /** Why this process counts alone though the counts should be shared; undefined while it does not. */
    unsharedBecause: () => undefined,
    close,
  };
}

/** The prefix of all keys in Valkey, so that installations can share a Valkey. It reveals nothing of `hmacKey`, which is random. */
export function sharedPrefix(hmacKey: KeyObject): string {
  return `postern:${createHmac('sha256', hmacKey).update('shared state').digest('hex').slice(0, 12)}:`;
}

/** The pipeline of a service, with the clock, the log and the metrics of all its parts. */
export interface Base extends Pipeline, Instruments {
  readonly config: Config;
}

export type Data = Awaited<ReturnType<typeof openData>>;
export type Updates = Awaited<ReturnType<typeof openUpdates>>;

/** Opens all that is stored, in the data directory or in a database that instances share, and gives the pipeline its part of it. */
export async function openData(base: Base, shared: ServiceStorage | null, parts: AsyncDisposableStack) {
  const { config, clock, log, collector, stores } = base;
  const { storage, feed } = shared ?? (await openOwnStorage(base, parts));
  const { hmacKey, sessionKey } = await openSecrets(config, storage, shared !== null);
  base.buckets.open(hmacKey);
  const state = parts.adopt(await openServiceState({ ...base, hmacKey }), close);
  stores.open(storage.providerValues);
  parts.adopt(base, close);
  const facts = [...collector.catalogue.facts.values()];
  const providerOf = Object.fromEntries(facts.map(({ id, provider }) => [id, provider]));
  const { checkHours: hours, jobLock } = storage;
  // Closed before the storage: it reads the same database, which the storage's last checkpoint needs for itself.
  const insights = parts.adopt(
    new InsightsQueue({ url: readingUrl(config.storage), providerOf, hours, jobLock, log }),
    close,
  );
  // Only the dashboard asks for these counts.
  if (config.dashboard.enabled) insights.begin(clock);
  const { ruleVersions: versions } = storage;
  const ruleVersions = config.rules.source === 'database' ? publishedVersions(versions) : versions;
  return { hmacKey, sessionKey, state, storage, feed, ruleVersions, insights };
}

/** Opens the parts that change data while the service runs: rules, downloaded lists, and the deletion of records past their days. */
export async function openUpdates(base: Base & Data, parts: AsyncDisposableStack) {
  const { policies, storage, ruleVersions: versions, config } = base;
  const isDirectory = config.rules.source === 'directory';
  if (isDirectory && (await fillRules(config.rules, { ...base, versions }))) {
    const faults = await policies.take(() => readRules(policies.source, base), 'change');
    if (faults.length > 0) throw new StartupError(faults);
  }
  const reloader = parts.adopt(
    new RulesReloader({ ...base, policies, judge: openJudge(base), versions }),
    close,
  );
  await reloader.begin();
  const place = isDirectory ? undefined : placeInDatabase(policies.source, storage.state);
  if (await findUpgrade(config.rules, {}, place)) base.log.info({ dir: config.rules.dir }, UPGRADE_OFFERED);
  const { checks, labels, jobLock, state, peopleStorage } = storage;
  const order = (url: string) => ({ url, allowed: policies.current.ruleSet.lists.allow });
  const refresher = parts.adopt(
    new ListRefresher({
      ...base,
      config: config.lists,
      store: base.listStore,
      update: (url, looked, signal) => inProcess('update', { ...order(url), ...looked }, config, signal),
      preview: (url, accepted, signal) => inProcess('preview', { ...order(url), accepted }, config, signal),
      jobLock,
      takeNews: () => policies.reloadDownloads(),
    }),
    (opened) => opened.stop(),
  );
  const retention = parts.adopt(
    startRetention({
      ...base,
      checks,
      labels,
      jobLock,
      state,
      people: peopleStorage.people,
      days: config.retention.days,
    }),
    (started) => started.stop(),
  );
  return { reloader, refresher, retention };
}

function close(part: { close(): void | Promise<void> }): void | Promise<void> {
  return part.close();
}
