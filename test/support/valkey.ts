import { createSecretKey, randomBytes } from 'node:crypto';
import { Redis } from 'iovalkey';
import { afterAll, describe } from 'vitest';
import { systemClock } from '../../src/lib/time.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { noMetrics } from '../../src/observability/metrics.ts';
import type { VelocityCounters } from '../../src/shared-state/ports.ts';
import type { ValkeyState, ValkeyStateOptions } from '../../src/shared-state/valkey/open-valkey-state.ts';
import { openValkeyState } from '../../src/shared-state/valkey/open-valkey-state.ts';
import { TEST_SERVICES } from './services.ts';

/** Long enough for a busy machine; tests of time-outs set their own. */
const PATIENT_MS = 10_000;

export interface ValkeyForTests {
  readonly url: string;
  readonly port: number;
  /** Prefix of every key of these tests alone; keys with it are deleted after the last test. */
  readonly prefix: string;
  /** Opens the state as an instance does; closed after the last test. */
  open(options?: Partial<ValkeyStateOptions>, timeoutMs?: number): Promise<ValkeyState>;
  /** A client of the test's own, which adds no prefix; closed after the last test. */
  readonly client: Redis;
}

/** Tests with the Valkey, or Redis 7, of POSTERN_TEST_VALKEY_URL; skipped where that is not set. */
export function describeValkey(name: string, tests: (valkey: ValkeyForTests) => void): void {
  const url = TEST_SERVICES['Valkey or Redis'] ?? '';
  describe.skipIf(url === '')(name, () => {
    const prefix = `postern-test-${randomBytes(6).toString('hex')}:`;
    const opened: ValkeyState[] = [];
    const client = new Redis(url, { lazyConnect: true });
    afterAll(async () => {
      for (const state of opened) await state.close();
      await deleteKeys(client, prefix);
      client.disconnect();
    });
    tests({
      url,
      port: Number(URL.parse(url)?.port || 6379),
      prefix,
      client,
      async open(options = {}, timeoutMs = undefined) {
        const state = await openValkeyState({ ...stateOptions(url, timeoutMs), prefix, ...options });
        opened.push(state);
        return state;
      },
    });
  });
}

/** Options of an instance. The HMAC key is fixed, so all instances belong to one installation. */
export function stateOptions(url: string, timeoutMs = PATIENT_MS): ValkeyStateOptions {
  return {
    url,
    config: { rateLimit: { requests: 600, windowSeconds: 60 }, sharedState: { url, timeoutMs } },
    hmacKey: createSecretKey(Buffer.alloc(32, 7)),
    clock: systemClock,
    log: createLogger('silent'),
    metrics: noMetrics,
  };
}

/** Counters that are independent for each `place`, over one connection. */
export function ofItsOwn(counters: VelocityCounters, place: number): VelocityCounters {
  return {
    count: (check, counts) => counters.count({ ...check, accountId: `${place} ${check.accountId}` }, counts),
  };
}

async function deleteKeys(client: Redis, prefix: string): Promise<void> {
  // A scan yields lists of keys, which the library leaves untyped.
  const scan: AsyncIterable<string[]> = client.scanStream({ match: `${prefix}*`, count: 1_000 });
  for await (const keys of scan) if (keys.length > 0) await client.unlink(keys);
}
