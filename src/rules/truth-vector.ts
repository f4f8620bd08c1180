import { factsRead, isReference, type Literal, literalsOf } from './conditions.ts';
import type { Facts } from './decision.ts';
import { RISK_SCORE } from './definitions.ts';
import { missingFact } from './kleene.ts';
import type { Row } from './ledger.ts';
import { OPERATORS, type OperatorDefinition, type RightSide } from './operators.ts';
import type { RuleSet } from './rule-set.ts';
import { ascending } from './telling-values.ts';

type Value = Facts[string];

/**
 * Sorts the values of one fact into classes that no comparison with these constants tells apart: unknown, false and true, each
 * constant by itself, the words that are none, and the numbers between two neighbours. Exact for every operator, since all
 * that an operator does is compare.
 */
export class FactClasses {
  /** How many there are; they are numbered from 0. */
  readonly size: number;
  /** The values that are a class by themselves. NaN compares with nothing. */
  readonly #single: ReadonlyMap<unknown, number>;
  /** Ascending. */
  readonly #numbers: readonly number[];

  /** `constants`: what stands on the right of the fact's comparisons. */
  constructor(constants: readonly RightSide[]) {
    const all = constants.flat();
    const single = new Set([null, false, true, Number.NaN, ...all]);
    this.#single = new Map([...single].map((value, index) => [value, index]));
    this.#numbers = ascending(all.filter((constant) => typeof constant === 'number'));
    // Below, between and above the numbers; other words.
    this.size = single.size + this.#numbers.length + 2;
  }

  classOf(value: Value): number {
    const single = this.#single.get(value);
    if (single !== undefined) return single;
    if (typeof value !== 'number') return this.size - 1;
    // A fact is compared with a few numbers: halving would cost more than looking at each.
    let below = 0;
    while (below < this.#numbers.length && value > (this.#numbers[below] as number)) below += 1;
    return this.#single.size + below;
  }
}

/** Two facts that are compared with each other, by their places in the row. */
interface Pair {
  readonly holds: OperatorDefinition['holds'];
  readonly left: number;
  readonly right: number;
}

type Parts = Pick<RuleSet, 'forces' | 'points' | 'shadows' | 'levels' | 'actions' | 'thresholdFacts'>;

/**
 * Writes down, as a short string, of which class each fact that is read is: so that facts with the same string make every
 * comparison of one or several rule sets hold alike, and leave the same facts unknown. A verdict is a function of just that:
 * comparisons with the score follow from the others, points are constants, and no operator does more than compare.
 */
export class TruthVector {
  /** What the comparisons read. */
  readonly #facts: readonly string[];
  readonly #classes: readonly FactClasses[];
  readonly #pairs: readonly Pair[];
  readonly #row: Facts[string][];
  /** One for each fact and pair. */
  readonly #codes: number[];
  readonly #onMissing: (fact: string) => null;

  /** `onMissing` is called for a fact that is read and not there, which it makes unknown; without it that is a bug. */
  constructor(ruleSets: readonly Parts[], onMissing: (fact: string) => null = missingFact) {
    const literals = ruleSets.flatMap(comparisonsWithFacts);
    const distinct = [...new Map(literals.map((literal) => [JSON.stringify(literal), literal])).values()];
    this.#facts = [...new Set(distinct.flatMap(factsRead))].sort();
    this.#row = this.#facts.map(() => null);
    this.#classes = this.#facts.map((id) => {
      const own = distinct.filter(({ fact }) => fact === id).map(({ value }) => value);
      return new FactClasses(own.filter((value): value is Constant => !isReference(value)));
    });
    // The key has one UTF-16 code unit for each fact.
    if (this.#classes.some(({ size }) => size > 2 ** 16)) throw new Error('a fact has too many comparisons');
    this.#pairs = distinct.flatMap((literal) => toPair(literal, this.#facts));
    this.#codes = [...this.#facts, ...this.#pairs].map(() => 0);
    this.#onMissing = onMissing;
  }

  /** The facts that the comparisons read, thresholds left out; sorted. */
  get facts(): readonly string[] {
    return this.#facts;
  }

  /** The values of `facts` that the last key was made of: one row for all, good until something is awaited. */
  get row(): Row {
    return this.#row;
  }

  /** Throws when a fact that a rule reads is missing, unless the constructor was told otherwise. */
  keyOf(facts: Facts): string {
    const [row, classes, codes] = [this.#row, this.#classes, this.#codes];
    for (let place = 0; place < row.length; place++) {
      const id = this.#facts[place] as string;
      let value = facts[id];
      if (value === undefined) value = this.#onMissing(id);
      row[place] = value;
      codes[place] = (classes[place] as FactClasses).classOf(value);
    }
    let code = row.length;
    for (const { holds, left, right } of this.#pairs) {
      const [one, other] = [row[left] ?? null, row[right] ?? null];
      codes[code++] = one !== null && other !== null && holds(one, other) ? 1 : 0;
    }
    return String.fromCharCode(...codes);
  }
}

/** Every comparison of a set but those with the score, each threshold replaced by its value. */
function comparisonsWithFacts({
  forces,
  points,
  shadows,
  levels,
  actions,
  thresholdFacts,
}: Parts): readonly Literal[] {
  return [...forces, ...points, ...shadows, ...levels, ...actions]
    .flatMap(({ condition }) => literalsOf(condition))
    .filter(({ fact }) => fact !== RISK_SCORE)
    .map((literal) => {
      const threshold = isReference(literal.value) ? thresholdFacts[literal.value.fact] : undefined;
      return threshold === undefined || threshold === null ? literal : { ...literal, value: threshold };
    });
}

type Constant = Exclude<Literal['value'], { readonly fact: string }>;

/** None where the right side is a constant. */
function toPair({ fact, operator, value }: Literal, facts: readonly string[]): readonly Pair[] {
  if (!isReference(value)) return [];
  return [{ holds: OPERATORS[operator].holds, left: facts.indexOf(fact), right: facts.indexOf(value.fact) }];
}
