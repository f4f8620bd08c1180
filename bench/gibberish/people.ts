import { weightedChoice } from './weighted-choice.ts';

/** Names from which local parts are drawn; the same `random` numbers give the same local parts. */
export interface Names {
  readonly given: readonly string[];
  readonly family: readonly string[];
}

type Random = () => number;
interface Shape {
  /** In per cent. */
  readonly weight: number;
  readonly make: (given: string, family: string, random: Random) => string;
}

/** The shares are guesses, based on what mail providers propose and open source authors use. */
const NAMES: readonly Shape[] = [
  { weight: 14, make: (given, family, random) => given + separator(random) + family },
  { weight: 20, make: (given, family) => given + family },
  { weight: 11, make: (given, family) => given.charAt(0) + family },
  { weight: 4, make: (given, family) => given + family.charAt(0) },
  { weight: 5, make: (given, family) => family + given },
  { weight: 3, make: (given, family, random) => family + separator(random) + given },
  { weight: 9, make: (given) => given },
  { weight: 8, make: (_, family) => family },
  { weight: 3, make: (given, family, random) => given.charAt(0) + separator(random) + family },
  { weight: 3, make: (given, family, random) => given.charAt(0) + letter(random) + family },
  { weight: 2, make: (given, family) => family + given.charAt(0) },
];

/** Other local parts of people: shortened, joined, initials. For training only: they show no language. */
const NICKNAMES: readonly Shape[] = [
  { weight: 2, make: (given, family, random) => family + given.charAt(0) + letter(random) },
  { weight: 4, make: (given, _, random) => given.slice(0, 3 + below(3, random)) },
  { weight: 4, make: (given, family, random) => given.slice(0, 3) + family.slice(0, 3 + below(2, random)) },
  { weight: 1.5, make: (given, family, random) => given + letter(random) + family },
  {
    weight: 1,
    make: (given, family, random) => given + separator(random) + letter(random) + separator(random) + family,
  },
  { weight: 1, make: (given, family) => (given + family).replace(/[aeiou]/g, '').slice(0, 6) },
  { weight: 2, make: (given, _, random) => given + letter(random) + letter(random) },
  { weight: 1, make: (_, __, random) => letter(random) + letter(random) + letter(random) },
  { weight: 1.5, make: (_, __, random) => letter(random) + letter(random) + digits(random) },
];

const nameShape = weightedChoice(NAMES);
const nicknameShape = weightedChoice(NICKNAMES);

/** Letters with the digit that looks like each. */
const LOOKALIKES: readonly (readonly [string, string])[] = [
  ['a', '4'],
  ['e', '3'],
  ['i', '1'],
  ['o', '0'],
  ['s', '5'],
  ['t', '7'],
];
const AFTER_A_NUMBER = [
  'js',
  'dev',
  'uk',
  'us',
  'net',
  'fr',
  'de',
  'me',
  'ca',
  'br',
  'in',
  'x',
  'a',
  'b',
  'k',
];

/** A local part that shows two names and perhaps a number. */
export function nameLike(names: Names, random: Random): string {
  const made = shaped(nameShape(random), names, random);
  return random() < 0.25 ? made + digits(random) : made;
}

/** Any local part that a person with such names may choose. */
export function personal(names: Names, words: readonly string[], random: Random): string {
  const isWord = random() < 0.11;
  const isNickname = random() < 0.16;
  const ofNames = isNickname ? nicknameShape : nameShape;
  const made = isWord ? wordLike(words, random) : shaped(ofNames(random), names, random);
  return withNumber(made, words, random);
}

function wordLike(words: readonly string[], random: Random): string {
  const which = random();
  const word = pick(words, random);
  if (which < 0.45) return word;
  if (which < 0.8) return word + pick(words, random);
  if (which < 0.9) return word + separator(random) + pick(words, random);
  return which < 0.95 ? letter(random) + word : word + letter(random);
}

/** One in three gets digits; one in twenty gets them elsewhere than at the end. */
function withNumber(made: string, words: readonly string[], random: Random): string {
  const where = random();
  if (where < 0.012) {
    const [letters, digit] = pick(LOOKALIKES, random);
    const at = made.lastIndexOf(letters);
    return at < 1 ? made : made.slice(0, at) + digit + made.slice(at + 1);
  }
  if (where < 0.03) return digits(random) + made;
  if (where < 0.045) {
    return made + below(100, random) + pick(random() < 0.5 ? words : AFTER_A_NUMBER, random);
  }
  if (where < 0.055) {
    const at = 1 + below(made.length - 1, random);
    return made.slice(0, at) + below(10, random) + made.slice(at);
  }
  if (random() >= 0.27) return made;
  return made + (random() < 0.12 ? separator(random) : '') + digits(random);
}

/** Years in four or two digits, ages, jersey numbers, dates. */
function digits(random: Random): string {
  const year = String(1950 + below(65, random));
  const which = random();
  if (which < 0.22) return year;
  if (which < 0.3) return year.slice(2);
  const length =
    [2, 1, 3, 4, 5, 6, 8][[0.5, 0.68, 0.82, 0.93, 0.95, 0.98, 1].findIndex((end) => which < end)] ?? 2;
  return Array.from({ length }, () => below(10, random)).join('');
}

function shaped(shape: Shape, { given, family }: Names, random: Random): string {
  return shape.make(common(given, random), common(family, random), random);
}

/** Prefers the start of the list: most lists begin with frequent names. */
function common(names: readonly string[], random: Random): string {
  return names[Math.floor(names.length * random() ** 1.6)] ?? '';
}

function pick<Value>(values: readonly Value[], random: Random): Value {
  const value = values[below(values.length, random)];
  if (value === undefined) throw new Error('nothing to choose from');
  return value;
}

function separator(random: Random): string {
  return pick(['.', '.', '.', '_', '-'], random);
}

function letter(random: Random): string {
  return String.fromCharCode(0x61 + below(26, random));
}

function below(end: number, random: Random): number {
  return Math.floor(random() * end);
}
