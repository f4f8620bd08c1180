import type { LedgerEntry } from '../rules/decision.ts';
import { readNamed } from '../storage/kept-facts.ts';
import type { CheckRow } from '../storage/ports.ts';
import { roundDuration } from './durations.ts';
import type { Tally } from './tally.ts';

/** What of a record is counted. */
export interface CountedCheck extends CountedColumns {
  /** Of what `timings` holds; null where they stand beside their values. */
  readonly timingNames: readonly string[] | null;
}

type CountedColumns = Pick<
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

/** The reason of facts that were known and were kept out of the record: nothing failed. */
const NOT_STORED = 'not_stored';
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

  #addProviders(tally: Tally, { timings, timingNames, unknown }: CountedCheck): void {
    const took = readNamed<number>(timings, timingNames);
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
