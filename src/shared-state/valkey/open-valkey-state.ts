import type { KeyObject } from 'node:crypto';
import type { Config } from '../../app/config/config.ts';
import type { Instruments } from '../../observability/metrics.ts';
import { countHash } from '../count-keys.ts';
import { ValkeyAttemptThrottle } from './attempt-throttle.ts';
import { InstanceRegister, ValkeyConnection } from './connection.ts';
import { ValkeyRateLimiter } from './rate-limiter.ts';
import { ValkeyVelocityCounters } from './velocity-counters.ts';

export interface ValkeyStateOptions extends Instruments {
  /** `shared_state.url`: `valkey://` or `redis://`, with TLS `valkeys://` or `rediss://`; a name, password and number of a database in it count. */
  readonly url: string;
  readonly config: Pick<Config, 'rateLimit' | 'sharedState'>;
  /** The installation's key, the same in every instance: with another key an instance would count apart from the others. */
  readonly hmacKey: KeyObject;
  /** Begins every key. Each test, or installation that shares a server, needs its own. */
  readonly prefix?: string;
}

export type ValkeyState = Awaited<ReturnType<typeof openValkeyState>>;

/**
 * State that instances share, in place of the drivers in memory. Import it only where `shared_state.url` is set, because it loads the
 * client. Waits up to two seconds for Valkey, then starts without it and logs a warning. Throws a StartupError only where `url` is no URL.
 */
export async function openValkeyState(options: ValkeyStateOptions) {
  const { url, config, hmacKey, clock, prefix = 'postern:' } = options;
  const connection = new ValkeyConnection(url, prefix, options, config.sharedState.timeoutMs);
  const hashOf = countHash(hmacKey);
  const instances = new InstanceRegister(connection, `instances:${hashOf('instances')}`);
  const state = {
    rateLimiter: new ValkeyRateLimiter(connection, instances, config.rateLimit),
    attemptThrottle: new ValkeyAttemptThrottle(connection, hashOf, clock),
    counters: new ValkeyVelocityCounters(connection, hashOf),
    instances,
    /** Why Valkey executes no commands; undefined while it does. For readiness, as an extra: no request fails for it. */
    unsharedBecause: () => connection.unusableBecause,
    /** Call it after the last check has ended; waits for the commands under way. Never rejects. */
    async close() {
      await instances.close();
      await connection.close();
    },
  };
  await connection.begin();
  return state;
}
