import type { RuleSet } from './compile.ts';
import type { Facts } from './decision.ts';
import { RISK_SCORE } from './definitions.ts';
import { missingFact } from './kleene.ts';
import { factsRead, isReference, type Literal, literalsOf } from './negation-normal-form.ts';
import { OPERATORS, type OperatorDefinition, type RightSide } from './operators.ts';

/** A comparison whose right side is settled, or read from another fact. Facts stand for their places in the row. */
interface Atom {
  readonly holds: OperatorDefinition['holds'];
  readonly fact: number;
  /** The other fact on the right; -1 where `right` is settled. */
  readonly otherFact: number;
  readonly right: RightSide;
}

type Parts = Pick<RuleSet, 'forces' | 'points' | 'shadows' | 'levels' | 'actions' | 'thresholdFacts'>;

/**
 * Writes down, as a short string, which of the distinct comparisons of one or several rule sets hold and which of the facts
 * that they read are unknown. A verdict is a function of just that: comparisons with the score follow from the
 * others, points are constants, and no operator does more than compare.
 */
export class TruthVector {
  /** What the comparisons read. Of a fact that is unknown that must be told: it decides who stood aside, and why. */
  readonly #facts: readonly string[];
  readonly #atoms: readonly Atom[];
  /** The values of `#facts` in the decision at hand: one row for all, since nothing is awaited over it. */
  readonly #row: Facts[string][];
  readonly #onMissing: (fact: string) => null;

  /** `onMissing` is told of a fact that is read and not there, which it makes unknown; without it that is a bug. */
  constructor(ruleSets: readonly Parts[], onMissing: (fact: string) => null = missingFact) {
    const literals = ruleSets
      .flatMap(comparisonsWithFacts)
      .map((literal): [string, Literal] => [JSON.stringify(literal), literal]);
    const distinct = [...new Map(literals).values()];
    this.#facts = [...new Set(distinct.flatMap(factsRead))].sort();
    this.#row = this.#facts.map(() => null);
    this.#atoms = distinct.map((literal) => toAtom(literal, this.#facts));
    this.#onMissing = onMissing;
  }

  /** The facts that the comparisons read, thresholds left out; sorted. */
  get facts(): readonly string[] {
    return this.#facts;
  }

  /** Throws when a fact that a rule reads is missing, unless the constructor was told otherwise. */
  keyOf(facts: Facts): string {
    const bits = new BitString();
    const row = this.#row;
    for (let place = 0; place < row.length; place++) {
      const id = this.#facts[place] as string;
      let value = facts[id];
      if (value === undefined) value = this.#onMissing(id);
      row[place] = value;
      bits.push(value === null);
    }
    for (const atom of this.#atoms) {
      const left = row[atom.fact] ?? null;
      const right = atom.otherFact === -1 ? atom.right : (row[atom.otherFact] ?? null);
      // As `holds` of operators.ts has it, its operator looked up beforehand.
      bits.push(left !== null && right !== null && atom.holds(left, right));
    }
    return bits.finish();
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

/** Bits to a character: a UTF-16 code unit keeps them all, surrogates included. */
const BITS = 16;

class BitString {
  #text = '';
  #unit = 0;
  #filled = 0;

  push(bit: boolean): void {
    this.#unit = (this.#unit << 1) | (bit ? 1 : 0);
    this.#filled += 1;
    if (this.#filled < BITS) return;
    this.#text += String.fromCharCode(this.#unit);
    this.#unit = 0;
    this.#filled = 0;
  }

  finish(): string {
    return this.#filled === 0 ? this.#text : this.#text + String.fromCharCode(this.#unit);
  }
}

function toAtom({ fact, operator, value }: Literal, facts: readonly string[]): Atom {
  const atom = { holds: OPERATORS[operator].holds, fact: facts.indexOf(fact) };
  return isReference(value)
    ? { ...atom, otherFact: facts.indexOf(value.fact), right: null }
    : { ...atom, otherFact: -1, right: value };
}
