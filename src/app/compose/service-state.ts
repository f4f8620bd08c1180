import { createHmac, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { isPostgresUrl } from '../../lib/service-url.ts';
import type { Instruments } from '../../observability/metrics.ts';
import { InMemoryAttemptThrottle } from '../../shared-state/memory/attempt-throttle.ts';
import { MonthlyQuota } from '../../shared-state/memory/monthly-quota.ts';
import { openVelocityCounters } from '../../shared-state/memory/open-velocity-counters.ts';
import { InMemoryRateLimiter } from '../../shared-state/memory/rate-limiter.ts';
import type { AttemptThrottle, Quota, RateLimiter, VelocityCounters } from '../../shared-state/ports.ts';
import type { UsageStore } from '../../storage/ports.ts';
import type { Config } from '../config/config.ts';

interface StateParts extends Instruments {
  readonly config: Config;
  readonly hmacKey: KeyObject;
}

/** What is counted, in this process or with other instances. */
export interface ServiceState {
  readonly counters: VelocityCounters;
  readonly rateLimiter: RateLimiter;
  readonly attemptThrottle: AttemptThrottle;
  /** How many instances there are: for the quota. Undefined where this process is the only one. */
  readonly instances: { readonly seen: number } | undefined;
  /** Of the counts in this process; null where they lie in a Valkey. */
  memory(): { readonly octets: number; readonly forgotten: number } | null;
  /** False while this process counts for itself what instances count together. */
  isShared(): boolean;
  close(): Promise<void>;
}

export async function openServiceState(parts: StateParts): Promise<ServiceState> {
  const { config, hmacKey, log } = parts;
  const { url } = config.sharedState;
  const isAlone = !isPostgresUrl(config.storage.url);
  if (url !== null) {
    if (isAlone)
      log.warn('shared_state.url is set, and storage.url is a file: no other instance shares either');
    const { openValkeyState } = await import('../../shared-state/valkey/open-valkey-state.ts');
    const state = await openValkeyState({ ...parts, url, prefix: sharedPrefix(hmacKey) });
    return {
      ...state,
      instances: isAlone ? undefined : state.instances,
      memory: () => null,
      isShared: () => state.isConnected,
    };
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
    // How many is not known: as if there were another, so that no quota is exceeded.
    instances: isAlone ? undefined : { seen: 2 },
    memory: () => counters.stats,
    isShared: () => true,
    close,
  };
}

export function openQuota(
  { checksPerMonth }: Config['quota'],
  usage: UsageStore,
  { clock }: Pick<Instruments, 'clock'>,
  instances: ServiceState['instances'],
): Quota | null {
  return checksPerMonth === null ? null : new MonthlyQuota(usage, clock, checksPerMonth, instances);
}

/** Begins every key in a Valkey: installations that share one do not meet. It tells nothing of the key, which is random. */
export function sharedPrefix(hmacKey: KeyObject): string {
  return `postern:${createHmac('sha256', hmacKey).update('shared state').digest('hex').slice(0, 12)}:`;
}
