import { roundTo4 } from '../lib/statistics.ts';
import type { Outcome } from '../observability/metrics.ts';
import {
  type Address,
  type Answer,
  type FactValue,
  type Findings,
  isUnknown,
  type Unknown,
  type UnknownReason,
  unknown,
} from '../provider-kit/index.ts';
import { type AskedFact, type AskedProvider, type Asking, readUnknown } from './ask-provider.ts';
import { fits } from './check-provider.ts';
import type { PreparedProviders } from './prepare-providers.ts';
import type { Signals } from './signals.ts';

/** A provider answered against its own declaration; for the log. */
export type ReportBreach = (provider: string, breach: string) => void;

/** What is known before a provider was asked. All keys are there from the start, so that all checks are of one shape. */
export interface Beginning {
  /** Each fact of the catalogue; null. */
  readonly facts: Readonly<Record<string, null>>;
  /** Facts of providers that are switched off: not run. */
  readonly unknown: Readonly<Record<string, UnknownReason>>;
  /** By provider; 0. */
  readonly timingsUs: Readonly<Record<string, number>>;
}

const NOTHING_FOUND: Findings['facts'] = Object.freeze({});

/** The answers to one check as they come in. */
export class Collection implements Asking {
  readonly address: Address;
  readonly prepared: PreparedProviders;
  readonly report: ReportBreach;
  readonly #facts: Record<string, FactValue | null>;
  readonly #unknown: Record<string, UnknownReason>;
  readonly #evidence: Record<string, Readonly<Record<string, unknown>>> = {};
  readonly #timingsUs: Record<string, number>;
  readonly #degraded: string[] = [];

  constructor(address: Address, prepared: PreparedProviders, beginning: Beginning, report: ReportBreach) {
    this.address = address;
    this.prepared = prepared;
    this.report = report;
    this.#facts = { ...beginning.facts };
    this.#unknown = { ...beginning.unknown };
    this.#timingsUs = { ...beginning.timingsUs };
  }

  needs(ids: readonly string[]): Readonly<Record<string, FactValue | null>> {
    const needs: Record<string, FactValue | null> = {};
    for (const id of ids) needs[id] = this.#facts[id] ?? null;
    return needs;
  }

  /** What one provider has answered. */
  saidBy({ id, facts }: AskedProvider) {
    const ids = facts.map((fact) => fact.id);
    const unknown = ids.flatMap((fact) => {
      const reason = this.#unknown[fact];
      return reason === undefined ? [] : [[fact, reason] as const];
    });
    return {
      facts: this.needs(ids),
      unknown: Object.fromEntries(unknown),
      evidence: this.#evidence[id] ?? null,
    };
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

  /** Returns what the provider came to: the first failure where there was one. */
  accept(provider: AskedProvider, answer: Answer, tookUs: number): Outcome {
    this.#timingsUs[provider.id] = tookUs;
    const whole = isUnknown(answer);
    if (!whole && answer.evidence) this.#evidence[provider.id] = answer.evidence;
    if (whole && answer.detail) this.#evidence[provider.id] = { unknown: answer.detail };
    let outcome: Outcome = 'known';
    const found = whole ? NOTHING_FOUND : answer.facts;
    for (const fact of provider.facts) {
      const sound = found[fact.id];
      if (fits(sound, fact)) {
        this.#facts[fact.id] = asRecorded(sound, fact);
        continue;
      }
      const value = whole ? answer : this.#unknownOf(provider, fact, found);
      // Rules were admitted on the promise that this fact is always there: an answer without it is a bug.
      if (fact.isNeverUnknown) {
        throw new Error(
          `provider "${provider.id}" left "${fact.id}" unknown (${value.unknown}) although it is declared never_unknown`,
        );
      }
      this.#unknown[fact.id] = value.unknown;
      if (outcome === 'known' || outcome === 'not_run') outcome = value.unknown;
    }
    if (outcome !== 'known' && outcome !== 'not_run') this.#degraded.push(provider.id);
    return outcome;
  }

  /** Of a fact that is no value of its type. */
  #unknownOf(provider: AskedProvider, fact: AskedFact, found: Findings['facts']): Unknown {
    const value = found[fact.id];
    if (isUnknown(value)) return readUnknown(value, provider.id, this);
    this.report(
      provider.id,
      value === undefined
        ? `did not answer "${fact.id}"${butOthers(provider, found)}`
        : `answered "${fact.id}" with a value that is not of its type`,
    );
    return unknown('error');
  }

  finish(): Signals {
    return {
      facts: this.#facts,
      unknown: this.#unknown,
      evidence: this.#evidence,
      timingsUs: this.#timingsUs,
      sources: this.prepared.sources,
      degraded: this.#degraded.sort(),
    };
  }
}

/** As JSON gives it back: a decision on what is recorded must be the one that was made. JSON has no minus zero. */
function asRecorded(value: FactValue, { type }: AskedFact): FactValue {
  if (type === 'number') return roundTo4(Number(value));
  return type === 'integer' ? Number(value) + 0 : value;
}

/** Most often the same fact, misspelt. */
function butOthers({ facts }: AskedProvider, found: Findings['facts']): string {
  const others = Object.keys(found).filter((id) => facts.every((fact) => fact.id !== id));
  return others.length === 0 ? '' : `, but "${others.join('", "')}", which it does not declare`;
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

export type OnAnswer = (answer: ProviderAnswer) => void;

/** Tells of each answer as it comes in. */
export class WatchedCollection extends Collection {
  readonly #onAnswer: OnAnswer;

  constructor(onAnswer: OnAnswer, ...rest: ConstructorParameters<typeof Collection>) {
    super(...rest);
    this.#onAnswer = onAnswer;
  }

  override accept(provider: AskedProvider, answer: Answer, tookUs: number): Outcome {
    const outcome = super.accept(provider, answer, tookUs);
    this.#onAnswer({ provider: provider.id, outcome, tookUs, ...this.saidBy(provider) });
    return outcome;
  }
}
