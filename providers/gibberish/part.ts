import { isNextKey } from './keyboard.ts';
import { PER_NAT } from './model.ts';

export type PartPattern = 'random' | 'alternating' | 'keyboard';

// What a character costs when a program draws it: from 26 letters, 36 letters and digits, 16 hexadecimal digits.
const LETTER = PER_NAT * Math.log(26);
const LETTER_OR_DIGIT = PER_NAT * Math.log(36);
const HEXADECIMAL = PER_NAT * Math.log(16);
const DECIMAL = PER_NAT * Math.log(10);
/** Programs that draw hexadecimal digits are rarer, and three of them are a word as often. */
const HEXADECIMAL_PRIOR = 1.5 * PER_NAT;
const SHORTEST_HEXADECIMAL = 4;

// Vowels and consonants in turn (`kowenix`): one of five, one of 21. Which comes first costs 0.7 nats; half a nat is
// given back because such generators are commoner than those of keyboard runs. Only for lengths that they make: two
// names of Japan or West Africa written as one alternate too, and are longer.
const VOWEL = PER_NAT * Math.log(5);
const CONSONANT = PER_NAT * Math.log(21);
const ALTERNATING_PRIOR = 0.2 * PER_NAT;
const SHORTEST_ALTERNATING = 5;
const LONGEST_ALTERNATING = 12;

// Runs of letters along the keyboard (`asdfgh`): the next key four times of five, else any of the other 25. A run of
// digits does not count: people called Jane type one too (`jane123456`).
const NEXT_KEY = PER_NAT * -Math.log(0.8);
const OTHER_KEY = PER_NAT * -Math.log(0.2 / 25);
const BESIDE_A_WALK = DECIMAL + PER_NAT;
const KEYBOARD_PRIOR = 2 * PER_NAT;
const SHORTEST_WALK = 5;

/** Shorter parts are initials: `doe.jxq`. */
export const SHORTEST_EVIDENCE = 4;

const IS_VOWEL = new Uint8Array(0x80);
for (const vowel of 'aeiouAEIOU') IS_VOWEL[vowel.charCodeAt(0)] = 1;
const LAST_HEXADECIMAL = 0x66;

/** The characters between two separators, added one by one. */
export class Part {
  letters = 0;
  length = 0;
  /** The likeliest way in which a program made the part; set by `gain`. */
  pattern: PartPattern = 'random';
  /** What the part costs a person, in sixteenths of a nat. */
  #person = 0;
  #vowels = 0;
  #nextKeys = 0;
  #isAlternating = true;
  #isHexadecimal = true;
  #before = 0;

  addLetter(code: number, cost: number): void {
    const vowel = IS_VOWEL[code] ?? 0;
    if (this.length > 0) {
      if (isNextKey(this.#before, code)) this.#nextKeys++;
      if (IS_VOWEL[this.#before] === vowel) this.#isAlternating = false;
    }
    if ((code | 0x20) > LAST_HEXADECIMAL) this.#isHexadecimal = false;
    this.#vowels += vowel;
    this.#person += cost;
    this.#before = code;
    this.letters++;
    this.length++;
  }

  addDigit(code: number, cost: number): void {
    this.#person += cost + DECIMAL;
    this.#before = code;
    this.length++;
  }

  /** What a program saves over a person, in sixteenths of a nat: below zero where a person is the likelier. */
  gain(isWhole: boolean): number {
    const { length, letters } = this;
    this.pattern = 'random';
    // A number proves nothing, even where a person would hardly write one.
    if (letters === 0) return Math.min(0, this.#person - length * DECIMAL);
    let program = length * (letters < length ? LETTER_OR_DIGIT : LETTER);
    if (this.#isHexadecimal && length >= SHORTEST_HEXADECIMAL) {
      program = Math.min(program, length * HEXADECIMAL + HEXADECIMAL_PRIOR);
    }
    if (isWhole && this.#isAlternating && letters === length) program = this.#ifAlternating(program);
    if (letters >= SHORTEST_WALK) program = this.#ifWalked(program);
    const gain = this.#person - program;
    return length < SHORTEST_EVIDENCE ? Math.min(0, gain) : gain;
  }

  clear(): void {
    this.letters = this.length = this.#person = this.#vowels = this.#nextKeys = 0;
    this.#isAlternating = this.#isHexadecimal = true;
  }

  #ifAlternating(otherwise: number): number {
    const { length } = this;
    if (length < SHORTEST_ALTERNATING || length > LONGEST_ALTERNATING) return otherwise;
    const cost = this.#vowels * VOWEL + (length - this.#vowels) * CONSONANT + ALTERNATING_PRIOR;
    if (cost >= otherwise) return otherwise;
    this.pattern = 'alternating';
    return cost;
  }

  #ifWalked(otherwise: number): number {
    const { length, letters } = this;
    const others = letters - 1 - this.#nextKeys;
    const walk = LETTER + this.#nextKeys * NEXT_KEY + others * OTHER_KEY;
    const cost = walk + (length - letters) * BESIDE_A_WALK + KEYBOARD_PRIOR;
    if (cost >= otherwise) return otherwise;
    this.pattern = 'keyboard';
    return cost;
  }
}
