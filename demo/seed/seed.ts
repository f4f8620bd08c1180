import { createSecretKey } from 'node:crypto';
import { monotonicFactory, ulid } from 'ulid';
import type { ApiKey } from '../../src/accounts/key.ts';
import { openPipeline } from '../../src/app/compose/pipeline.ts';
import type { LoadedConfig } from '../../src/app/config/load-config.ts';
import { type Check, CheckRecorder } from '../../src/checks/check-record.ts';
import { CheckService } from '../../src/checks/check-service.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { noMetrics } from '../../src/observability/metrics.ts';
import { AddressPrivacy } from '../../src/privacy/address-privacy.ts';
import { InMemoryVelocityCounters } from '../../src/shared-state/memory/velocity-counters.ts';
import type { SignalCollector } from '../../src/signals/signal-collector.ts';
import { openSecrets } from '../../src/storage/secret-store.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { DAYS, planTraffic } from '../traffic/plan-traffic.ts';
import { Random } from '../traffic/random.ts';
import { type Failing, zoneResolver } from '../world/zone-resolver.ts';
import { seedAccounts } from './accounts.ts';
import { outageOf } from './moments.ts';
import { PlausibleTimings } from './plausible-timings.ts';
import { planChanges } from './rule-changes.ts';
import { seedLabels, type ToldLater } from './seed-labels.ts';
import { seedLists } from './seed-lists.ts';
import { type SeededPeople, seedPeople } from './seed-people.ts';

export interface SeedOptions {
  /** The configuration of a data directory that holds only the rules to begin with. */
  readonly loaded: LoadedConfig;
  /** Where the thirty days end, in ms since the epoch. */
  readonly until: number;
  /** About how many checks are made. */
  readonly checks: number;
  readonly seed: string;
  /** Told how many of how many checks are made. */
  readonly onProgress?: (made: number, of: number) => void;
}

export interface Seeded {
  readonly checks: number;
  readonly labels: number;
  readonly shop: string;
  readonly office: string;
  /** The secret of a live key of the shop. */
  readonly secret: string;
  readonly people: SeededPeople;
}

/** The queue of the store holds twice as many. */
const MOST_PENDING = 5_000;
const PROGRESS_EVERY = 250;
/** The share of look-ups that fail at random. */
const BAD_LUCK = 0.002;
/** The share of look-ups that fail during the outage; the others are answered, as from a cache. */
const FAILING = 0.8;

/**
 * Makes thirty days of checks by the pipeline that answers requests: what is recorded replays exactly. The same options and the
 * same secrets give the same records. No look-up leaves the process.
 */
export async function seedDemo({ loaded, until, checks, seed, onProgress }: SeedOptions): Promise<Seeded> {
  const { config } = loaded;
  const random = new Random(seed);
  const from = until - DAYS * 86_400_000;
  let now = from;
  const clock = { now: () => now };
  const idRandom = random.stream('ids');
  const dns = zoneResolver(failingBy(until, () => now, random.stream('dns')));
  await seedLists(config, until, dns, random.stream('lists'));

  const log = createLogger('silent');
  const { collector, policies, assessor } = await openPipeline({ loaded, log, clock, resolver: dns });
  // A crash may lose writes: the demo is then made again.
  const storage = await openSqliteStorage({ file: config.storage.url, durability: 'async' });
  try {
    // An older record may be made later: its id carries its own time.
    const idOf = <Kind extends string>(kind: Kind, at: number) =>
      `${kind}_${ulid(at, () => idRandom.next())}`;
    const nextUlid = monotonicFactory(() => idRandom.next());
    const accounts = await seedAccounts(storage, until, idOf);
    const changes = await planChanges({ config, from, until, policies, collector, clock, storage });

    const people = await seedPeople({
      storage,
      accounts,
      editions: changes.editions,
      until,
      nextId: idOf,
    });

    const timings = new PlausibleTimings(networkProvidersOf(collector), random.stream('timings'));
    const { hmacKey } = await openSecrets(config, storage);
    const privacy = new AddressPrivacy(config.privacy.storeAddresses, hmacKey);
    const recorder = new CheckRecorder(storage.checks, privacy, collector.catalogue);
    const service = new CheckService(
      assessor,
      { record: (check: Check, key: ApiKey) => recorder.record(timings.of(check), key) } as CheckRecorder,
      clock,
      () => `chk_${nextUlid(now)}`,
      new InMemoryVelocityCounters(createSecretKey(Buffer.alloc(32, 1))),
      noMetrics,
    );
    const planned = planTraffic(until, checks, random.stream('traffic'));
    const told: ToldLater[] = [];
    for (const [made, { at, sender, email, isBad }] of planned.entries()) {
      await changes.until(at, (instant) => {
        now = instant;
      });
      now = at;
      const key = accounts.keyOf(sender, at);
      const { check, recorded } = await service.check(email, key);
      await recorded;
      if (key.environment === 'live') told.push({ checkId: check.id, accountId: key.accountId, at, isBad });
      if (made % PROGRESS_EVERY === 0) onProgress?.(made, planned.length);
      while (storage.checks.pending > MOST_PENDING) await new Promise(setImmediate);
    }
    while (storage.checks.pending > 0) await new Promise(setImmediate);
    const labels = await seedLabels(storage, told, until, random.stream('labels'));
    const { shop, office, secret } = accounts;
    return { checks: planned.length, labels, shop, office, secret, people };
  } finally {
    policies.close();
    await storage.close();
  }
}

function failingBy(until: number, now: () => number, random: Random): Failing {
  const outage = outageOf(until);
  return () => {
    const isOut = now() >= outage.from && now() < outage.until;
    if (!random.isOnce(isOut ? FAILING : BAD_LUCK)) return null;
    return random.isOnce(0.8) ? 'timeout' : 'servfail';
  };
}

function networkProvidersOf({ providers }: SignalCollector): readonly string[] {
  return providers.filter(({ stage }) => stage === 'network').map(({ id }) => id);
}
