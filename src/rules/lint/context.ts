import type { CataloguedFact, FactCatalogue } from '../../signals/signals.ts';
import {
  type NamedCondition,
  type NamedListDefinition,
  RISK_SCORE,
  type Rule,
  THRESHOLD_PREFIX,
  type Threshold,
} from '../definitions.ts';
import { describePlace, meantBy, missingComma, type Place, type ProblemList } from '../problem.ts';

/** What is known of the whole directory while its files are read. */
export interface LintContext {
  readonly catalogue: FactCatalogue;
  readonly facts: ReadableFacts;
  readonly groups: Declared<{ readonly place: Place }>;
  readonly rules: Declared<Pick<RuleContext, 'kind' | 'group'> & { readonly place: Place }>;
  readonly thresholds: Declared<Threshold>;
  readonly conditions: {
    /** Undefined where the name is unknown or its condition is broken; either is reported. */
    find(name: string, place: Place, context: LintContext): NamedCondition | undefined;
  };
  readonly lists: Declared<NamedListDefinition>;
  readonly problems: ProblemList;
}

/** What is known where a condition is read. */
export interface ConditionContext extends LintContext {
  /** The kind of the rule; `named` for a named condition, which rules of several kinds may use. */
  readonly kind: Rule['kind'] | 'named';
}

/** What is known where a rule of some kind is read. */
export interface RuleContext extends ConditionContext {
  readonly kind: Rule['kind'];
  /** Null in decision.yaml. */
  readonly group: string | null;
}

/** What a condition needs to know of a fact, a threshold or the score. */
export type ReadableFact = Pick<
  CataloguedFact,
  'id' | 'type' | 'values' | 'never_unknown' | 'personal' | 'disabled'
>;

/** The facts, the thresholds and the score, by id. */
export type ReadableFacts = ReadonlyMap<string, ReadableFact>;

export function readableFacts(
  { facts }: FactCatalogue,
  thresholds: Iterable<Pick<Threshold, 'name' | 'value'>>,
): ReadableFacts {
  const numbers = Array.from(thresholds, ({ name, value }): ReadableFact => {
    const type = Number.isInteger(value) ? 'integer' : 'number';
    return { id: `${THRESHOLD_PREFIX}${name}`, type, never_unknown: true };
  });
  const score: ReadableFact = { id: RISK_SCORE, type: 'integer', never_unknown: true };
  return new Map([...facts.values(), score, ...numbers].map((fact) => [fact.id, fact]));
}

/**
 * What a directory declares of one kind, by id. Broken things are declared too: a rule with a fault in its condition still
 * exists for the tests and composites that name it.
 */
export class Declared<Item extends { readonly place: Place }> {
  /** False once some part could not be read: a missing id may stand in that part. */
  isComplete = true;
  readonly #kind: string;
  readonly #problems: ProblemList;
  readonly #items = new Map<string, Item>();

  /** `kind`: for messages, `rule`. */
  constructor(kind: string, problems: ProblemList) {
    this.#kind = kind;
    this.#problems = problems;
  }

  /** Where an id stands twice, the first item counts and the second is reported. */
  add(id: string, item: Item): void {
    const first = this.#items.get(id);
    if (!first) this.#items.set(id, item);
    else {
      const message = `${this.#kind} "${id}" stands also at ${describePlace(first.place)}`;
      this.#problems.report('duplicate_id', item.place, message);
    }
  }

  get(id: string): Item | undefined {
    return this.#items.get(id);
  }

  names(): readonly string[] {
    return [...this.#items.keys()];
  }

  values(): readonly Item[] {
    return [...this.#items.values()];
  }

  /** Reports that no item has this id. Silent where the id may stand in a part that could not be read. */
  reportMissing(
    code: 'unknown_rule' | 'absorbs_unknown_rule' | 'unknown_list' | 'unknown_condition',
    id: string,
    place: Place,
  ): undefined {
    if (!this.isComplete) return;
    const comma = missingComma(id, (word) => this.#items.has(word));
    const meant = comma === '' ? meantBy(id, this.#items.keys()) : [];
    return this.#problems.report(code, place, `there is no ${this.#kind} "${id}"${comma}`, ...meant);
  }
}
