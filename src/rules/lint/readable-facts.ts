import { suggest } from '../../lib/did-you-mean.ts';
import type { FactType, FactValue } from '../../provider-kit/index.ts';
import type { FactCatalogue } from '../../signals/signals.ts';
import type { Facts } from '../decision.ts';
import { RISK_SCORE, THRESHOLD_PREFIX, type Threshold } from '../definitions.ts';
import type { ProblemList } from '../problem.ts';
import type { Located } from '../yaml-document.ts';

/** What a condition needs to know of a fact. */
export interface ReadableFact {
  readonly id: string;
  readonly source: 'provider' | 'threshold' | 'score';
  readonly type: FactType;
  readonly values: readonly string[];
  /** Unknown never comes and goes with it: it has a value in every decision, or in none. */
  readonly isSettled: boolean;
  readonly isPersonal: boolean;
  /** Its provider is switched off: it is unknown in every decision. */
  readonly isDisabled: boolean;
}

export interface ConditionContext {
  readonly kind: 'points' | 'force' | 'level' | 'action';
  readonly facts: ReadableFacts;
  readonly problems: ProblemList;
}

/** All that conditions may name: the providers' facts, the thresholds, the score. */
export class ReadableFacts {
  readonly #catalogue: FactCatalogue;
  readonly #thresholds: ReadonlyMap<string, Threshold>;
  readonly #readThresholds = new Set<string>();
  /** False when a file could not be read: a threshold that is missing may stand there. */
  readonly isComplete: boolean;

  constructor(catalogue: FactCatalogue, thresholds: ReadonlyMap<string, Threshold>, isComplete: boolean) {
    this.#catalogue = catalogue;
    this.#thresholds = thresholds;
    this.isComplete = isComplete;
  }

  find(id: string): ReadableFact | undefined {
    if (id === RISK_SCORE) {
      return {
        id,
        source: 'score',
        type: 'integer',
        values: [],
        isSettled: true,
        isPersonal: false,
        isDisabled: false,
      };
    }
    if (id.startsWith(THRESHOLD_PREFIX)) return this.#threshold(id);
    const fact = this.#catalogue.facts.get(id);
    if (!fact) return undefined;
    return {
      id,
      source: 'provider',
      type: fact.type,
      values: fact.values ?? [],
      isSettled: fact.never_unknown === true || fact.disabled === true,
      isPersonal: fact.personal === true,
      isDisabled: fact.disabled === true,
    };
  }

  /** For "did you mean". */
  names(): readonly string[] {
    return [...this.#catalogue.facts.keys(), RISK_SCORE];
  }

  thresholdNames(): readonly string[] {
    return [...this.#thresholds.keys()].map((name) => `${THRESHOLD_PREFIX}${name}`);
  }

  /** The thresholds that no condition has named. */
  unreadThresholds(): readonly Threshold[] {
    return [...this.#thresholds.values()].filter(({ name }) => !this.#readThresholds.has(name));
  }

  #threshold(id: string): ReadableFact | undefined {
    const name = id.slice(THRESHOLD_PREFIX.length);
    const threshold = this.#thresholds.get(name);
    if (!threshold) return undefined;
    this.#readThresholds.add(name);
    const type = Number.isInteger(threshold.value) ? 'integer' : 'number';
    return {
      id,
      source: 'threshold',
      type,
      values: [],
      isSettled: true,
      isPersonal: false,
      isDisabled: false,
    };
  }
}

/** Whether a fact can have the value; null is unknown. */
export function isValueOf(fact: ReadableFact, value: unknown): value is FactValue | null {
  if (value === null) return fact.isDisabled || !fact.isSettled;
  if (fact.type === 'string') return typeof value === 'string' && fact.values.includes(value);
  if (fact.type === 'boolean') return typeof value === 'boolean';
  return fact.type === 'integer' ? Number.isInteger(value) : Number.isFinite(value);
}

/** What the value would have to be. */
export function describeMisfit(fact: ReadableFact): string {
  const expected = fact.type === 'string' ? `one of ${fact.values.join(', ')}` : `a ${fact.type}`;
  const unknown = fact.isSettled ? '; it is never unknown' : ', or null where it is unknown';
  return `${fact.id} is ${expected}${unknown}`;
}

interface FactsContext {
  readonly facts: ReadableFacts;
  readonly problems: ProblemList;
}

/** A mapping of facts to values, null where one is unknown; what does not fit is reported and left out. */
export function readFacts(given: Located, { facts, problems }: FactsContext): Facts {
  const read: Record<string, FactValue | null> = {};
  if (given.kind !== 'map') {
    problems.report('wrong_shape', given.place, '"facts" must be a mapping of facts to values');
    return read;
  }
  for (const [id, { keyPlace, value }] of given.entries) {
    const fact = facts.find(id);
    if (fact?.source !== 'provider') {
      problems.report(
        'unknown_fact',
        keyPlace,
        `no provider answers a fact "${id}"`,
        suggest(
          id,
          [...facts.names()].filter((name) => facts.find(name)?.source === 'provider'),
        ),
      );
    } else if (value.kind === 'scalar' && isValueOf(fact, value.value)) {
      read[id] = value.value;
    } else {
      problems.report('value_misfit', value.place, describeMisfit(fact));
    }
  }
  return read;
}
