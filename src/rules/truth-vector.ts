import { isReference, literalsOf } from './conditions.ts';
import type { Facts } from './decision.ts';
import { type Literal, type Operand, RISK_SCORE } from './definitions.ts';
import { missingFact } from './kleene.ts';
import { isNamedList, type NamedList } from './named-list.ts';
import { OPERATORS } from './operators.ts';
import { type RuleSet, rulesOf } from './rule-set.ts';

type Parts = Pick<RuleSet, 'forces' | 'points' | 'shadows' | 'levels' | 'actions' | 'constants'>;

/** A comparison with the value of a threshold or list in place of its name. */
type Resolved = Omit<Literal, 'value'> & { readonly value: Operand | NamedList };

/**
 * Writes down, as a short string, which comparisons of one or several rule sets hold and which facts are unknown or missing. A verdict
 * depends on nothing else: comparisons with the score follow from the other comparisons, and points are constants.
 */
export class TruthVector {
  /** The facts that the comparisons read, without thresholds and lists; sorted. */
  readonly facts: readonly string[];
  /** Each of a value at a place of the row with a constant, or with the value at another place. */
  readonly #comparisons;
  /** The values of the facts that a key is made of. */
  readonly #row: Facts[string][];
  /** One character code for each fact, then for each comparison. */
  readonly #codes: number[];

  /** `onMissing` is called for a fact that is read but missing; the fact then counts as unknown. By default it throws. */
  constructor(
    ruleSets: readonly Parts[],
    private readonly onMissing: (fact: string) => null = missingFact,
  ) {
    const literals = ruleSets.flatMap(comparisonsWithFacts);
    const distinct = [...new Map(literals.map((literal) => [JSON.stringify(literal), literal])).values()];
    const read = distinct.flatMap(({ fact, value }) => (isOfFact(value) ? [fact, value.fact] : [fact]));
    this.facts = [...new Set(read)].sort();
    this.#comparisons = distinct.map(({ fact, operator, value }) => ({
      holds: OPERATORS[operator].holds,
      left: this.facts.indexOf(fact),
      right: isOfFact(value) ? { place: this.facts.indexOf(value.fact) } : { constant: value },
    }));
    this.#row = this.facts.map(() => null);
    this.#codes = [...this.facts, ...distinct].map(() => 0);
  }

  /** Throws when a fact that a rule reads is missing, unless the constructor was told otherwise. */
  keyOf(facts: Facts): string {
    const [row, codes] = [this.#row, this.#codes];
    for (let place = 0; place < row.length; place++) {
      const id = this.facts[place] as string;
      const value = facts[id];
      row[place] = value === undefined ? this.onMissing(id) : value;
      codes[place] = value === undefined ? 2 : Number(value === null);
    }
    let code = row.length;
    for (const { holds, left, right } of this.#comparisons) {
      const one = row[left] ?? null;
      const other = 'place' in right ? (row[right.place] ?? null) : right.constant;
      codes[code++] = one !== null && other !== null && holds(one, other) ? 1 : 0;
    }
    return String.fromCharCode(...codes);
  }
}

function isOfFact(value: Resolved['value']): value is { readonly fact: string } {
  return !isNamedList(value) && isReference(value);
}

/** Every comparison of a set but those with the score, each threshold and list replaced by its value. */
function comparisonsWithFacts(parts: Parts): readonly Resolved[] {
  return rulesOf(parts)
    .flatMap(({ condition }) => literalsOf(condition))
    .filter(({ fact }) => fact !== RISK_SCORE)
    .map((literal) => {
      const constant = isReference(literal.value) ? parts.constants[literal.value.fact] : undefined;
      return constant === undefined ? literal : { ...literal, value: constant };
    });
}
