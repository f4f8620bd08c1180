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
  /** The installation's, the same in every instance: by it alone the instances' counts meet. */
  readonly hmacKey: KeyObject;
  /** Begins every key; one of its own for each test, or installation that shares a server. */
  readonly prefix?: string;
}

export type ValkeyState = Awaited<ReturnType<typeof openValkeyState>>;

/**
 * State that instances share, in place of the drivers in memory. To be imported only where `shared_state.url` is set: it loads the
 * client. Waits up to two seconds for Valkey, then starts without it and logs a warning; throws a StartupError only at what is no URL.
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
    /** Whether what is sent is done. For readiness, as an extra: no request fails while it is false. */
    get isConnected() {
      return connection.isUsable;
    },
    /** Why it is not connected. */
    get reason() {
      return connection.reason;
    },
    /** To be called after the last check has ended; sends what is to be undone still. Never rejects. */
    async close() {
      await instances.close();
      await connection.close();
    },
  };
  await connection.begin();
  return state;
}
