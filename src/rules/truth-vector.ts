import type { RuleSet } from './compile.ts';
import type { Facts } from './decision.ts';
import { RISK_SCORE } from './definitions.ts';
import { factValue } from './kleene.ts';
import { isReference, type Literal, literalsOf } from './negation-normal-form.ts';
import { holds, type RightSide } from './operators.ts';

/** A comparison whose right side is settled, or read from another fact. */
interface Atom {
  readonly literal: Literal;
  readonly fact: string;
  /** The other fact on the right; undefined where `right` is settled. */
  readonly otherFact: string | undefined;
  readonly right: RightSide;
}

/** Bits to a character of the key: a UTF-16 code unit keeps them all, surrogates included. */
const BITS = 16;

/**
 * Writes down, as a short string, which of a rule set's distinct comparisons hold and which of the facts that
 * they read are unknown. A verdict is a function of just that: comparisons with the score follow from the
 * others, points are constants, and no operator does more than compare.
 */
export class TruthVector {
  readonly #atoms: readonly Atom[];
  /** Facts whose being unknown must be told: it decides who stood aside, and why. */
  readonly #facts: readonly string[];

  constructor({ forces, points, shadows, levels, actions, thresholdFacts }: RuleSet) {
    const literals = [...forces, ...points, ...shadows, ...levels, ...actions]
      .flatMap(({ condition }) => literalsOf(condition))
      .filter(({ fact }) => fact !== RISK_SCORE);
    const distinct = new Map(literals.map((literal) => [JSON.stringify(literal), literal]));
    this.#atoms = [...distinct.values()].map((literal) => toAtom(literal, thresholdFacts));
    this.#facts = [
      ...new Set(this.#atoms.flatMap(({ fact, otherFact }) => (otherFact ? [fact, otherFact] : [fact]))),
    ].sort();
  }

  /** Throws when a fact that a rule reads is missing: a bug. */
  keyOf(facts: Facts): string {
    let key = '';
    let unit = 0;
    let filled = 0;
    const push = (bit: boolean) => {
      unit = (unit << 1) | (bit ? 1 : 0);
      filled += 1;
      if (filled < BITS) return;
      key += String.fromCharCode(unit);
      unit = 0;
      filled = 0;
    };
    for (const fact of this.#facts) push(factValue(fact, facts) === null);
    for (const { literal, fact, otherFact, right } of this.#atoms) {
      const rightSide = otherFact === undefined ? right : factValue(otherFact, facts);
      push(holds(literal.operator, factValue(fact, facts), rightSide));
    }
    return filled === 0 ? key : key + String.fromCharCode(unit);
  }
}

function toAtom(literal: Literal, thresholds: Facts): Atom {
  const { fact, value } = literal;
  if (!isReference(value)) return { literal, fact, otherFact: undefined, right: value };
  const threshold = thresholds[value.fact];
  return threshold === undefined
    ? { literal, fact, otherFact: value.fact, right: null }
    : { literal, fact, otherFact: undefined, right: threshold };
}
