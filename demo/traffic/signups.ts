import {
  DISPOSABLE_DOMAINS,
  FIRM_WORDS,
  FIRST_NAMES,
  FREE_DOMAINS,
  LAST_NAMES,
  MISSPELT_DOMAINS,
  ROLES,
} from './names.ts';
import type { Random } from './random.ts';

/** What kind of signup it is; the rules never see it. */
export const KINDS = [
  'free',
  'firm',
  'plus',
  'role',
  'typo',
  'unclean',
  'disposable',
  'bot',
  'nowhere',
  'campaign',
] as const;
export type Kind = (typeof KINDS)[number];

export interface Signup {
  readonly email: string;
  readonly kind: Kind;
  /** What became of the signup; not known at the time of the check. */
  readonly isBad: boolean;
}

/** How many in a hundred of each kind turn out bad. */
const BAD_PERCENT: Readonly<Record<Kind, number>> = {
  free: 1.5,
  firm: 0.6,
  plus: 4,
  role: 5,
  typo: 6,
  unclean: 25,
  disposable: 74,
  bot: 93,
  nowhere: 88,
  campaign: 98,
};

export type Mixture = readonly (readonly [kind: Kind, weight: number])[];

export const SHOP_MIXTURE: Mixture = [
  ['free', 66],
  ['firm', 15],
  ['plus', 4],
  ['role', 1.6],
  ['typo', 2],
  ['unclean', 0.8],
  ['disposable', 4.6],
  ['bot', 3.6],
  ['nowhere', 1.4],
];

export const OFFICE_MIXTURE: Mixture = [
  ['free', 14],
  ['firm', 72],
  ['plus', 3],
  ['role', 7],
  ['typo', 0.6],
  ['unclean', 0.4],
  ['disposable', 1.6],
  ['bot', 0.6],
  ['nowhere', 0.8],
];

/** Distinct firms that people of the demo work for. */
const FIRMS = 240;
/** Firms differ in size: the weight of each, in proportion to the one before it. */
const FIRM_DECAY = 0.985;

export const FIRM_DOMAINS: readonly string[] = Array.from({ length: FIRMS }, (_, n) => {
  const first = FIRM_WORDS[n % FIRM_WORDS.length];
  const second = FIRM_WORDS[(n * 7 + 3 + Math.floor(n / FIRM_WORDS.length)) % FIRM_WORDS.length];
  return `${first}-${second}${n < FIRM_WORDS.length ? '' : `-${n}`}.example`;
});

const WEIGHED_FIRMS = FIRM_DOMAINS.map((domain, n) => [domain, FIRM_DECAY ** n] as const);

/** Draws a signup, by a person or by a program. */
export function drawSignup(mixture: Mixture, random: Random): Signup {
  return judged(random.weigh(mixture), random);
}

export function judged(kind: Kind, random: Random, email: string = addressOf(kind, random)): Signup {
  return { email, kind, isBad: random.isOnce(BAD_PERCENT[kind] / 100) };
}

function addressOf(kind: Kind, random: Random): string {
  switch (kind) {
    case 'firm':
      return `${nameOf(random, false)}@${random.weigh(WEIGHED_FIRMS)}`;
    case 'plus':
      return `${nameOf(random, true)}+${random.pick(['news', 'shop', 'trial', 'test', '2', 'promo'])}@gmail.com`;
    case 'role':
      return `${random.pick(ROLES)}@${random.weigh(WEIGHED_FIRMS)}`;
    case 'typo':
      return `${nameOf(random, true)}@${random.weigh(MISSPELT_DOMAINS)}`;
    case 'unclean':
      return `${nameOf(random, true).replace('.', '..')}.@${random.weigh(FREE_DOMAINS)}`;
    case 'disposable':
      return `${random.isOnce(0.5) ? madeUp(random, 9) : nameOf(random, true)}@${random.weigh(DISPOSABLE_DOMAINS)}`;
    case 'bot':
      return `${madeUp(random, 12 + random.below(6))}@${random.weigh(FREE_DOMAINS)}`;
    case 'nowhere':
      return `${nameOf(random, true)}@${madeUp(random, 7)}.invalid`;
    default:
      return `${nameOf(random, true)}@${random.weigh(FREE_DOMAINS)}`;
  }
}

function nameOf(random: Random, isAtHome: boolean): string {
  const [first, last] = [random.pick(FIRST_NAMES), random.pick(LAST_NAMES)];
  if (!isAtHome) return random.isOnce(0.75) ? `${first}.${last}` : `${first.charAt(0)}${last}`;
  const number = random.isOnce(0.55) ? String(random.pick([random.below(100), 1960 + random.below(47)])) : '';
  return `${first}${random.isOnce(0.6) ? '.' : ''}${last}${number}`;
}

/** Letters and digits as a program draws them. */
export function madeUp(random: Random, length: number): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
  const first = letters.charAt(random.below(26));
  return first + Array.from({ length: length - 1 }, () => letters.charAt(random.below(36))).join('');
}
