import type { RuleSet } from './compile.ts';
import type { Facts } from './decision.ts';
import { RISK_SCORE } from './definitions.ts';
import { factValue } from './kleene.ts';
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

/**
 * Writes down, as a short string, which of a rule set's distinct comparisons hold and which of the facts that
 * they read are unknown. A verdict is a function of just that: comparisons with the score follow from the
 * others, points are constants, and no operator does more than compare.
 */
export class TruthVector {
  /** What the comparisons read. Of a fact that is unknown that must be told: it decides who stood aside, and why. */
  readonly #facts: readonly string[];
  readonly #atoms: readonly Atom[];
  /** The values of `#facts` in the decision at hand: one row for all, since nothing is awaited over it. */
  readonly #row: Facts[string][];

  constructor({ forces, points, shadows, levels, actions, thresholdFacts }: RuleSet) {
    const literals = [...forces, ...points, ...shadows, ...levels, ...actions]
      .flatMap(({ condition }) => literalsOf(condition))
      .filter(({ fact }) => fact !== RISK_SCORE);
    const distinct = new Map(literals.map((literal) => [JSON.stringify(literal), literal]));
    const read = [...distinct.values()].flatMap(factsRead).filter((id) => !Object.hasOwn(thresholdFacts, id));
    this.#facts = [...new Set(read)].sort();
    this.#row = this.#facts.map(() => null);
    this.#atoms = [...distinct.values()].map((literal) => toAtom(literal, this.#facts, thresholdFacts));
  }

  /** Throws when a fact that a rule reads is missing: a bug. */
  keyOf(facts: Facts): string {
    const bits = new BitString();
    const row = this.#row;
    for (let place = 0; place < row.length; place++) {
      const value = factValue(this.#facts[place] as string, facts);
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

function toAtom({ fact, operator, value }: Literal, facts: readonly string[], thresholds: Facts): Atom {
  const atom = { holds: OPERATORS[operator].holds, fact: facts.indexOf(fact), otherFact: -1 };
  if (!isReference(value)) return { ...atom, right: value };
  const threshold = thresholds[value.fact];
  return threshold === undefined
    ? { ...atom, otherFact: facts.indexOf(value.fact), right: null }
    : { ...atom, right: threshold };
}
