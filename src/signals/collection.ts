import { roundTo4 } from '../lib/statistics.ts';
import type { Metrics } from '../observability/metrics.ts';
import {
  type Address,
  type Answer,
  type Context,
  type FactDeclaration,
  type FactValue,
  type Findings,
  isUnknown,
  type ProviderLog,
  type SignalProvider,
  type Unknown,
  type UnknownReason,
  unknown,
} from '../provider-kit/index.ts';
import type { PreparedProvider, PreparedProviders } from './prepare-providers.ts';
import { fits, type ReportBreach, readUnknown } from './read-answer.ts';
import type { Outcome, Signals } from './signals.ts';

/** What is known before a provider was asked. All keys are there from the start, so that all checks are of one shape. */
export interface Beginning {
  /** Each fact of the catalogue; null. */
  readonly facts: Readonly<Record<string, null>>;
  /** Facts of providers that are switched off: not run. */
  readonly unknown: Readonly<Record<string, UnknownReason>>;
  /** By provider; 0. */
  readonly timingsUs: Readonly<Record<string, number>>;
}

/** What one provider has answered of an address. */
export interface ProviderAnswer extends Pick<Signals, 'facts' | 'unknown'> {
  readonly provider: string;
  readonly outcome: Outcome;
  /** Plain JSON; null where it has none. */
  readonly evidence: Readonly<Record<string, unknown>> | null;
  /** 0 where the answer was kept from an earlier check. */
  readonly tookUs: number;
}

/** What is told of a collection as it goes on. */
export interface Observers {
  readonly metrics: Metrics;
  logFor(provider: string): ProviderLog;
  /** Of each answer as it comes in. */
  readonly onAnswer?: ((answer: ProviderAnswer) => void) | undefined;
}

const NOTHING_FOUND: Findings['facts'] = Object.freeze({});

/** The answers to one check as they come in. */
export class Collection {
  readonly address: Address;
  readonly observers: Observers;
  readonly #prepared: PreparedProviders;
  readonly #facts: Record<string, FactValue | null>;
  readonly #unknown: Record<string, UnknownReason>;
  readonly #evidence: Record<string, Readonly<Record<string, unknown>>> = {};
  readonly #timingsUs: Record<string, number>;
  readonly #degraded: string[] = [];

  constructor(address: Address, prepared: PreparedProviders, beginning: Beginning, observers: Observers) {
    this.address = address;
    this.observers = observers;
    this.#prepared = prepared;
    this.#facts = { ...beginning.facts };
    this.#unknown = { ...beginning.unknown };
    this.#timingsUs = { ...beginning.timingsUs };
  }

  prepared({ id }: SignalProvider): PreparedProvider {
    const found = this.#prepared.byId.get(id);
    if (!found) throw new Error(`provider "${id}" was not prepared`);
    return found;
  }

  /** What the provider is given beside the address. */
  context(provider: SignalProvider): Context<unknown> {
    const { context } = this.prepared(provider);
    return provider.needs?.length ? { ...context, needs: this.#values(provider.needs) } : context;
  }

  /** Takes a breach of the provider's declaration into the log. */
  reporter({ id }: SignalProvider): ReportBreach {
    return (breach) => this.observers.logFor(id).warn({}, `provider breaks its declaration: ${breach}`);
  }

  /** Takes facts for found out or unknown, of any provider; a fact that no provider declares, no rule can read. */
  assume(given: Findings['facts']): void {
    for (const [id, value] of Object.entries(given)) {
      if (!(id in this.#facts)) continue;
      if (isUnknown(value)) {
        this.#facts[id] = null;
        this.#unknown[id] = value.unknown;
      } else {
        this.#facts[id] = value;
        delete this.#unknown[id];
      }
    }
  }

  /** Of a provider's failures, the first stands for all. */
  accept(provider: SignalProvider, answer: Answer, tookMs: number): void {
    const { id } = provider;
    const tookUs = Math.round(tookMs * 1000);
    this.#timingsUs[id] = tookUs;
    const whole = isUnknown(answer);
    if (!whole && answer.evidence) this.#evidence[id] = answer.evidence;
    if (whole && answer.detail) this.#evidence[id] = { unknown: answer.detail };
    let outcome: Outcome = 'known';
    const found = whole ? NOTHING_FOUND : answer.facts;
    for (const fact of provider.facts) {
      const value = found[fact.id];
      if (fits(value, fact)) {
        this.#facts[fact.id] = asRecorded(value, fact);
        continue;
      }
      const reason = (whole ? answer : this.#unknownOf(provider, fact, found)).unknown;
      // Rules were admitted on the promise that this fact is always there: an answer without it is a bug.
      if (fact.never_unknown) {
        throw new Error(
          `provider "${id}" left "${fact.id}" unknown (${reason}) although it is declared never_unknown`,
        );
      }
      this.#unknown[fact.id] = reason;
      if (outcome === 'known' || outcome === 'not_run') outcome = reason;
    }
    if (outcome !== 'known' && outcome !== 'not_run') this.#degraded.push(id);
    this.observers.metrics.count('postern_provider_answers_total', { provider: id, outcome });
    this.observers.onAnswer?.({ provider: id, outcome, tookUs, ...this.#saidBy(provider) });
  }

  finish(): Signals {
    return {
      facts: this.#facts,
      unknown: this.#unknown,
      evidence: this.#evidence,
      timingsUs: this.#timingsUs,
      sources: this.#prepared.sources,
      degraded: this.#degraded.sort(),
    };
  }

  /** Of a fact that is no value of its type. */
  #unknownOf(provider: SignalProvider, fact: FactDeclaration, found: Findings['facts']): Unknown {
    const value: unknown = found[fact.id];
    const report = this.reporter(provider);
    if (isUnknown(value)) return readUnknown(value, report);
    report(
      value === undefined
        ? `did not answer "${fact.id}"${butOthers(provider, found)}`
        : `answered "${fact.id}" with a value that is not of its type`,
    );
    return unknown('error');
  }

  #saidBy({ id, facts }: SignalProvider): Pick<ProviderAnswer, 'facts' | 'unknown' | 'evidence'> {
    const ids = facts.map((fact) => fact.id);
    const unknown = Object.entries(this.#unknown).filter(([fact]) => ids.includes(fact));
    return {
      facts: this.#values(ids),
      unknown: Object.fromEntries(unknown),
      evidence: this.#evidence[id] ?? null,
    };
  }

  #values(ids: readonly string[]): Readonly<Record<string, FactValue | null>> {
    return Object.fromEntries(ids.map((id) => [id, this.#facts[id] ?? null]));
  }
}

/** As JSON gives it back: a decision on what is recorded must be the one that was made. JSON has no minus zero. */
function asRecorded(value: FactValue, { type }: FactDeclaration): FactValue {
  if (type === 'number') return roundTo4(Number(value));
  return type === 'integer' ? Number(value) + 0 : value;
}

/** Most often the same fact, misspelt. */
function butOthers({ facts }: SignalProvider, found: Findings['facts']): string {
  const others = Object.keys(found).filter((id) => facts.every((fact) => fact.id !== id));
  return others.length === 0 ? '' : `, but "${others.join('", "')}", which it does not declare`;
}
