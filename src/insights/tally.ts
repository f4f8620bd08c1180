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

/** In the names that leave the process. */
export interface Percentiles {
  /** Durations that these are of. */
  readonly measured: number;
  /** In microseconds, to two significant digits; null where nothing was measured. */
  readonly p50_us: number | null;
  readonly p95_us: number | null;
  readonly p99_us: number | null;
}

/** By nearest rank, of how often each duration was measured. */
export function percentilesOf(counts: ReadonlyMap<number, number>): Percentiles {
  const sorted = [...counts].toSorted(([a], [b]) => a - b);
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

/**
 * What is counted of checks. Each series counts by a key; of those with two words the words are parted by a space, which no
 * id, level or reason has in it.
 */
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
  readonly #timings = new Map<string, Map<number, number>>();
  readonly #lastUsed = new Map<string, string>();

  /** By provider: how often it took how many microseconds, rounded. */
  get timings(): ReadonlyMap<string, ReadonlyMap<number, number>> {
    return this.#timings;
  }

  /** By key: when its last check was, in ISO 8601. */
  get lastUsed(): ReadonlyMap<string, string> {
    return this.#lastUsed;
  }

  of(series: Series): ReadonlyMap<string, number> {
    return this.#counters(series);
  }

  add(series: Series, key: string, count = 1): void {
    const counters = this.#counters(series);
    counters.set(key, (counters.get(key) ?? 0) + count);
  }

  /** Hot: a check has twenty of them. */
  time(provider: string, us: number, count = 1): void {
    let counters = this.#timings.get(provider);
    if (counters === undefined) {
      counters = new Map();
      this.#timings.set(provider, counters);
    }
    counters.set(us, (counters.get(us) ?? 0) + count);
  }

  use(key: string, at: string): void {
    const before = this.#lastUsed.get(key);
    if (before === undefined || before < at) this.#lastUsed.set(key, at);
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
      ...(this.#timings.size > 0 && {
        timings: Object.fromEntries(
          [...this.#timings].map(([provider, counters]) => [provider, Object.fromEntries(counters)]),
        ),
      }),
      ...(this.#lastUsed.size > 0 && { last_used: Object.fromEntries(this.#lastUsed) }),
    };
  }

  #counters(series: Series): Map<string, number> {
    // Each series was made with the tally.
    return this.#series.get(series) as Map<string, number>;
  }
}

/** What of a record is counted. */
export type CountedCheck = Pick<
  CheckRow,
  | 'created_at'
  | 'key_id'
  | 'environment'
  | 'action'
  | 'risk_score'
  | 'risk_level'
  | 'unknown'
  | 'ledger'
  | 'timings'
  | 'domain'
  | 'duration_us'
>;

/** By fact: the provider that answers it. */
export type ProviderOfFact = Readonly<Record<string, string>>;

/** Texts remembered with what they come to: of a million ledgers there are some hundreds. */
const MOST_TEXTS = 5_000;

interface LedgerCounts {
  readonly fires: readonly string[];
  readonly points: readonly (readonly [rule: string, points: number])[];
  readonly stoodAside: readonly string[];
}

interface UnknownCounts {
  readonly providers: readonly string[];
  /** `mx timeout` */
  readonly reasons: readonly string[];
}

/** Counts records. Ledgers and unknown facts repeat from record to record, so that most need not be read again. */
export class CheckTallier {
  readonly #providerOf: ProviderOfFact;
  readonly #ledgers = new Map<string, LedgerCounts>();
  readonly #unknowns = new Map<string, UnknownCounts>();

  constructor(providerOf: ProviderOfFact) {
    this.#providerOf = providerOf;
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
    const { providers, reasons } = remembered(this.#unknowns, unknown, () => this.#readUnknown(unknown));
    for (const provider of providers) tally.add('unknown_checks', provider);
    for (const reason of reasons) tally.add('unknown', reason);
  }

  #addRules(tally: Tally, { ledger, action }: CountedCheck): void {
    const { fires, points, stoodAside } = remembered(this.#ledgers, ledger, () => readLedger(ledger));
    for (const rule of fires) {
      tally.add('fires', rule);
      if (action === 'BLOCK') tally.add('blocks', rule);
    }
    for (const [rule, added] of points) tally.add('points', rule, added);
    for (const rule of stoodAside) tally.add('stood_aside', rule);
  }

  #readUnknown(json: string): UnknownCounts {
    const facts: Readonly<Record<string, string>> = JSON.parse(json);
    // Facts that were known and were kept out of the record: nothing failed.
    const left = Object.entries(facts).filter(([, reason]) => reason !== NOT_STORED);
    const named = left.map(([fact, reason]) => [this.#providerOf[fact] ?? prefixOf(fact), reason] as const);
    return {
      providers: [...new Set(named.map(([provider]) => provider))],
      reasons: [...new Set(named.map(([provider, reason]) => `${provider} ${reason}`))],
    };
  }
}

function remembered<Counts>(memory: Map<string, Counts>, text: string, read: () => Counts): Counts {
  const known = memory.get(text);
  if (known !== undefined) return known;
  if (memory.size >= MOST_TEXTS) memory.clear();
  const counts = read();
  memory.set(text, counts);
  return counts;
}

function readLedger(json: string): LedgerCounts {
  const ledger: readonly LedgerEntry[] = JSON.parse(json);
  const fired = ledger.filter((entry) => entry.kind === 'rule' || entry.kind === 'force');
  const counted = ledger.filter((entry) => entry.kind === 'rule' || entry.kind === 'absorbed');
  return {
    fires: fired.map(({ id }) => id),
    points: counted.map(({ id, points }) => [id, points]),
    stoodAside: ledger
      .filter(({ kind }) => kind === 'stood_aside')
      .map((entry) => ('id' in entry ? (entry.id ?? '') : '')),
  };
}

/** Of a provider that is not enabled any more: its facts are named after it. */
function prefixOf(fact: string): string {
  return fact.slice(0, Math.max(0, fact.indexOf('.'))) || fact;
}
