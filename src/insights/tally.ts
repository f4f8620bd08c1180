import { LRUCache } from 'lru-cache';
import { NOT_STORED } from '../privacy/address-privacy.ts';
import type { LedgerEntry } from '../rules/decision.ts';
import type { CheckRow } from '../storage/ports.ts';

/** Two digits: 90 steps a decade, none further than 5 % from what was measured. */
const MOST_DIGITS = 100;

/** Microseconds to two significant digits, so that a million durations are some hundred counters. */
export function roundDuration(us: number): number {
  let step = 1;
  while (us >= step * MOST_DIGITS) step *= 10;
  return Math.round(us / step) * step;
}

/** Percentiles in microseconds, by nearest rank; null where nothing was measured. `counts`: how often each duration was measured. */
export function percentilesOf(counts: ReadonlyMap<number | string, number>) {
  const sorted = [...counts].map(([us, count]) => [Number(us), count] as const).sort(([a], [b]) => a - b);
  const measured = sorted.reduce((sum, [, count]) => sum + count, 0);
  const at = (share: number): number | null => {
    let rank = Math.ceil(measured * share);
    for (const [us, count] of sorted) {
      rank -= count;
      if (rank <= 0) return us;
    }
    return null;
  };
  return { measured, p50_us: at(0.5), p95_us: at(0.95), p99_us: at(0.99) };
}

/** Series of counters by key. A key of two words has a space between them: no id, level or reason contains one. */
const SERIES = [
  /** `BLOCK high`. This and all below, up to `keys`, are of live checks. */
  'decisions',
  /** `75 BLOCK` */
  'scores',
  /** Microseconds, rounded; of checks whose record says how long they took. */
  'durations',
  /** `mx timeout`: checks in which the provider left a fact unknown for that reason. */
  'unknown',
  /** By provider: checks in which it left any fact unknown. */
  'unknown_checks',
  /** By rule: checks in which it fired. */
  'fires',
  /** By rule: of those, the ones that were answered BLOCK. */
  'blocks',
  /** By rule: the points it added, less what another rule absorbed; may be below 0. */
  'points',
  /** By rule: checks in which unknown facts made it stand aside. */
  'stood_aside',
  'domains',
  /** By domain: checks that were answered BLOCK. */
  'blocked_domains',
  /** By key, live or test: its checks. */
  'keys',
  /** `checks`: those of test keys. */
  'test',
] as const;
export type Series = (typeof SERIES)[number];

type Counts = Readonly<Record<string, number>>;

/** A tally as it is stored: by series, by key. */
export type WrittenTally = Partial<Record<Series, Counts>> & {
  /** By provider: how often it took how many microseconds, rounded. Each check that asked it counts once. */
  readonly timings?: Readonly<Record<string, Counts>>;
  readonly last_used?: Readonly<Record<string, string>>;
};

/** Counters of some checks. Two tallies of different checks add up to the tally of both: there is nothing else in it. */
export class Tally {
  readonly #series = new Map<Series, Map<string, number>>(SERIES.map((name) => [name, new Map()]));
  /** By provider: how often it took how many microseconds, rounded. */
  readonly timings = new Map<string, Map<number, number>>();
  /** By key: when its last check was, in ISO 8601. */
  readonly lastUsed = new Map<string, string>();

  of(series: Series): Map<string, number> {
    // The constructor has made every series.
    return this.#series.get(series) as Map<string, number>;
  }

  add(series: Series, key: string, count = 1): void {
    const counters = this.of(series);
    counters.set(key, (counters.get(key) ?? 0) + count);
  }

  /** Hot: a check has twenty of them. */
  time(provider: string, us: number, count = 1): void {
    let counters = this.timings.get(provider);
    if (counters === undefined) {
      counters = new Map();
      this.timings.set(provider, counters);
    }
    counters.set(us, (counters.get(us) ?? 0) + count);
  }

  use(key: string, at: string): void {
    if ((this.lastUsed.get(key) ?? '') < at) this.lastUsed.set(key, at);
  }

  merge(written: WrittenTally): void {
    this.mergeSeries(written, SERIES);
    for (const [provider, counts] of Object.entries(written.timings ?? {})) {
      for (const us of Object.keys(counts)) this.time(provider, Number(us), counts[us]);
    }
    for (const [key, at] of Object.entries(written.last_used ?? {})) this.use(key, at);
  }

  mergeSeries(written: WrittenTally, wanted: readonly Series[]): void {
    for (const series of wanted) {
      const more = written[series];
      if (more === undefined) continue;
      for (const key of Object.keys(more)) this.add(series, key, more[key] ?? 0);
    }
  }

  /** Only what was counted. */
  write(): WrittenTally {
    const counted = [...this.#series].filter(([, counters]) => counters.size > 0);
    return {
      ...Object.fromEntries(counted.map(([series, counters]) => [series, Object.fromEntries(counters)])),
      ...(this.timings.size > 0 && {
        timings: Object.fromEntries(
          [...this.timings].map(([provider, counters]) => [provider, Object.fromEntries(counters)]),
        ),
      }),
      ...(this.lastUsed.size > 0 && { last_used: Object.fromEntries(this.lastUsed) }),
    };
  }
}

export const COUNTED_COLUMNS = [
  'created_at',
  'key_id',
  'environment',
  'action',
  'risk_score',
  'risk_level',
  'unknown',
  'ledger',
  'timings',
  'domain',
  'duration_us',
] as const satisfies readonly (keyof CheckRow)[];
export type CountedCheck = Pick<CheckRow, (typeof COUNTED_COLUMNS)[number]>;

/** By fact: the provider that answers it. */
export type ProviderOfFact = Readonly<Record<string, string>>;

/** Texts whose result is cached: a million ledgers have some hundreds of different texts. */
const MOST_TEXTS = 5_000;

/** Counts records. Ledgers and unknown facts repeat from record to record, so most are cache hits and are not parsed again. */
export class CheckTallier {
  readonly #ledgers = memoryOf(readLedger);
  readonly #unknowns;

  constructor(providerOf: ProviderOfFact) {
    this.#unknowns = memoryOf((unknown) => readUnknown(unknown, providerOf));
  }

  add(tally: Tally, check: CountedCheck): void {
    tally.add('keys', check.key_id);
    tally.use(check.key_id, check.created_at);
    if (check.environment !== 'live') {
      tally.add('test', 'checks');
      return;
    }
    const { action, domain } = check;
    tally.add('decisions', `${action} ${check.risk_level}`);
    tally.add('scores', `${check.risk_score} ${action}`);
    if (check.duration_us !== null) tally.add('durations', String(roundDuration(check.duration_us)));
    if (domain !== null) tally.add('domains', domain);
    if (domain !== null && action === 'BLOCK') tally.add('blocked_domains', domain);
    this.#addProviders(tally, check);
    this.#addRules(tally, check);
  }

  #addProviders(tally: Tally, { timings, unknown }: CountedCheck): void {
    const took: Readonly<Record<string, number>> = JSON.parse(timings);
    for (const provider in took) {
      tally.time(provider, roundDuration(took[provider] ?? 0));
    }
    const { providers, reasons } = this.#unknowns.memo(unknown);
    for (const provider of providers) tally.add('unknown_checks', provider);
    for (const reason of reasons) tally.add('unknown', reason);
  }

  #addRules(tally: Tally, { ledger, action }: CountedCheck): void {
    const { fires, points, stoodAside } = this.#ledgers.memo(ledger);
    for (const rule of fires) {
      tally.add('fires', rule);
      if (action === 'BLOCK') tally.add('blocks', rule);
    }
    for (const [rule, added] of points) tally.add('points', rule, added);
    for (const rule of stoodAside) tally.add('stood_aside', rule);
  }
}

function memoryOf<Counts extends object>(read: (text: string) => Counts) {
  return new LRUCache<string, Counts>({ max: MOST_TEXTS, memoMethod: read });
}

function readUnknown(json: string, providerOf: ProviderOfFact) {
  const facts: Readonly<Record<string, string>> = JSON.parse(json);
  // Facts that were known and kept out of the record are no failures.
  const left = Object.entries(facts).filter(([, reason]) => reason !== NOT_STORED);
  // A fact of a provider that is not enabled any more counts under its prefix.
  const prefixOf = (fact: string) => fact.slice(0, Math.max(0, fact.indexOf('.'))) || fact;
  const named = left.map(([fact, reason]) => [providerOf[fact] ?? prefixOf(fact), reason] as const);
  return {
    providers: [...new Set(named.map(([provider]) => provider))],
    // `mx timeout`
    reasons: [...new Set(named.map(([provider, reason]) => `${provider} ${reason}`))],
  };
}

function readLedger(json: string) {
  const ledger: readonly LedgerEntry[] = JSON.parse(json);
  const fired = ledger.filter((entry) => entry.kind === 'rule' || entry.kind === 'force');
  const counted = ledger.filter((entry) => entry.kind === 'rule' || entry.kind === 'absorbed');
  return {
    fires: fired.map(({ id }) => id),
    points: counted.map(({ id, points }) => [id, points] as const),
    stoodAside: ledger.filter((entry) => entry.kind === 'stood_aside').map(({ id }) => id),
  };
}
