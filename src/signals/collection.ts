import { roundTo4 } from '../lib/statistics.ts';
import type { Outcome } from '../observability/metrics.ts';
import type { Counters, FactValue, Findings, Unknown, UnknownReason } from '../provider-kit/index.ts';
import { type Answer, isUnknown, unknown } from '../provider-kit/index.ts';
import type { AskedFact, AskedProvider } from './asked-provider.ts';
import { fits } from './check-provider.ts';
import { readUnknown } from './read-answer.ts';
import type { Signals } from './signals.ts';

/** A provider answered against its own declaration; for the log. */
export type ReportBreach = (provider: string, breach: string) => void;

/** Where a collection begins: at nothing, or at what the providers have said that read the domain alone. */
export interface Beginning {
  /** Each fact of the catalogue; null until it is known. */
  readonly facts: Readonly<Record<string, FactValue | null>>;
  readonly unknown: Readonly<Record<string, UnknownReason>>;
  readonly evidence: Signals['evidence'];
  /** By provider; 0 until it is asked. All keys from the start, so that what is copied from it is of one shape. */
  readonly timingsUs: Readonly<Record<string, number>>;
}

/** What the providers that read the domain alone have said of one. */
export interface DomainSignals extends Beginning {
  /** What each came to, in the order of the plan. */
  readonly outcomes: readonly Outcome[];
  /** What followed from look-ups. */
  settled?: SettledDomain;
}

/** What is known of a domain once look-ups have answered, for as long as all of their answers are kept. */
export interface SettledDomain extends Beginning {
  /** What each of `laterByDomain` came to, in the order of the plan. */
  readonly outcomes: readonly Outcome[];
  /** By `performance.now()`. */
  readonly until: number;
}

const NOTHING_FOUND: Findings['facts'] = Object.freeze({});

/** The answers to one check as they come in. */
export class Collection {
  readonly #facts: Record<string, FactValue | null>;
  readonly #unknown: Record<string, UnknownReason>;
  readonly #evidence: Record<string, Readonly<Record<string, unknown>>>;
  readonly #timingsUs: Record<string, number>;
  readonly #degraded: string[] = [];
  readonly #report: ReportBreach;
  /** For providers that count; undefined where nothing is counted. */
  readonly counters: Counters | undefined;
  #isBreached = false;

  constructor(beginning: Beginning, report: ReportBreach, counters?: Counters) {
    this.counters = counters;
    this.#facts = { ...beginning.facts };
    this.#unknown = { ...beginning.unknown };
    this.#evidence = { ...beginning.evidence };
    this.#timingsUs = { ...beginning.timingsUs };
    this.#report = report;
  }

  needs(ids: readonly string[]): Readonly<Record<string, FactValue | null>> {
    const needs: Record<string, FactValue | null> = {};
    for (const id of ids) needs[id] = this.#facts[id] ?? null;
    return needs;
  }

  /** What of all this one provider has said. */
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

  /** Takes facts for found out or unknown, whoever declares them; what nobody declares, no rule can read. */
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

  report(provider: string, breach: string): void {
    this.#isBreached = true;
    this.#report(provider, breach);
  }

  /** What may be said again unasked; null when a provider failed or broke its declaration: that it does each time anew. */
  asDomainSignals(askedOf: readonly AskedProvider[]): DomainSignals | null {
    if (this.#isBreached || this.#degraded.length > 0) return null;
    return {
      facts: { ...this.#facts },
      unknown: { ...this.#unknown },
      evidence: { ...this.#evidence },
      timingsUs: Object.fromEntries(Object.keys(this.#timingsUs).map((id) => [id, 0])),
      outcomes: askedOf.map((provider) => this.#outcomeOf(provider)),
    };
  }

  /** The same with what these have said, of whom the whole address tells nothing. */
  asSettledDomain(
    base: DomainSignals,
    askedOf: readonly AskedProvider[],
    until: number,
  ): SettledDomain | null {
    if (this.#isBreached || askedOf.some(({ id }) => this.#degraded.includes(id))) return null;
    const settled = {
      facts: { ...base.facts },
      unknown: { ...base.unknown },
      evidence: { ...base.evidence },
    };
    for (const { id, facts } of askedOf) {
      for (const fact of facts) {
        settled.facts[fact.id] = this.#facts[fact.id] ?? null;
        const reason = this.#unknown[fact.id];
        if (reason !== undefined) settled.unknown[fact.id] = reason;
      }
      const evidence = this.#evidence[id];
      if (evidence) settled.evidence[id] = evidence;
    }
    const outcomes = askedOf.map((provider) => this.#outcomeOf(provider));
    return { ...settled, timingsUs: base.timingsUs, outcomes, until };
  }

  /** Of one that has not failed. */
  #outcomeOf({ facts }: AskedProvider): Outcome {
    return facts.every(({ id }) => this.#unknown[id] === undefined) ? 'known' : 'not_run';
  }

  finish(sources: Readonly<Record<string, string>>): Signals {
    return {
      facts: this.#facts,
      unknown: this.#unknown,
      evidence: this.#evidence,
      timingsUs: this.#timingsUs,
      sources,
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
