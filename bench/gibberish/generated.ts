type Random = () => number;

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const ALPHANUMERIC = `${LOWER}0123456789`;
const MIXED = `${LOWER}${LOWER.toUpperCase()}`;
const VOWELS = 'aeiou';
const CONSONANTS = 'bcdfghjklmnpqrstvwxyz';
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const ADJECTIVES =
  'quiet brave amber hollow gentle rapid silver crimson modest frozen lively rusty tidy golden'.split(' ');
const NOUNS =
  'otter lantern meadow harbor pebble falcon thicket engine walnut glacier saddle violin marsh'.split(' ');

export type GeneratedClass = 'random' | 'pronounceable' | 'words' | 'templated';

/** Patterns of public generators: disposable mail services, faker libraries, test tools. No value is copied from a data set. */
export const PATTERNS: readonly (readonly [
  pattern: string,
  kind: GeneratedClass,
  make: (random: Random) => string,
])[] = [
  ['8 letters', 'random', (random) => draw(LOWER, 8, random)],
  ['10 letters of either case', 'random', (random) => draw(MIXED, 10, random)],
  ['8 letters and digits', 'random', (random) => draw(ALPHANUMERIC, 8, random)],
  ['9 letters and digits', 'random', (random) => draw(ALPHANUMERIC, 9, random)],
  ['10 letters and digits', 'random', (random) => draw(ALPHANUMERIC, 10, random)],
  ['12 letters of either case and digits', 'random', (random) => draw(`${MIXED}0123456789`, 12, random)],
  ['16 letters and digits', 'random', (random) => draw(ALPHANUMERIC, 16, random)],
  ['6 in base 36', 'random', (random) => random().toString(36).slice(2, 8)],
  [
    'capital, 6 in base 36, digit',
    'random',
    (random) =>
      draw(LOWER.toUpperCase(), 1, random) + draw(ALPHANUMERIC, 6, random) + draw('0123456789', 1, random),
  ],
  ['8 hexadecimal digits', 'random', (random) => draw('0123456789abcdef', 8, random)],
  [
    'UUID',
    'random',
    (random) => [8, 4, 4, 4, 12].map((length) => draw('0123456789abcdef', length, random)).join('-'),
  ],
  ['13 in base 32', 'random', (random) => draw(BASE32, 13, random)],
  [
    'milliseconds and random digits',
    'random',
    (random) => String(Math.floor(1.76e12 + random() * 3e10)) + draw('0123456789', 15, random),
  ],
  ['6 letters in turns', 'pronounceable', (random) => inTurns(6, random)],
  ['5 to 10 letters in turns', 'pronounceable', (random) => inTurns(5 + Math.floor(random() * 6), random)],
  [
    'words and 6 letters and digits',
    'words',
    (random) => `${words('-', random)}-${draw(ALPHANUMERIC, 6, random)}`,
  ],
  [
    'words and 8 hexadecimal digits',
    'words',
    (random) => `${words('-', random)}-${draw('0123456789abcdef', 8, random)}`,
  ],
  ['words and 3 digits', 'words', (random) => words('', random) + draw('0123456789', 3, random)],
  ['words with a dot', 'words', (random) => words('.', random)],
  [
    'test, 6 letters and digits, date',
    'templated',
    (random) => `test${draw(ALPHANUMERIC, 6, random)}2026${month(random)}17`,
  ],
  ['test-email- and base 36', 'templated', (random) => `test-email-${random().toString(36).slice(2, 8)}`],
  [
    '10 letters of either case, date',
    'templated',
    (random) => `${draw(MIXED, 10, random)}${month(random)}172026`,
  ],
];

function draw(alphabet: string, length: number, random: Random): string {
  return Array.from({ length }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join('');
}

/** Alternating vowels and consonants; either may come first. */
function inTurns(length: number, random: Random): string {
  const first = random() < 0.5 ? 0 : 1;
  return Array.from({ length }, (_, at) =>
    draw((at + first) % 2 === 0 ? VOWELS : CONSONANTS, 1, random),
  ).join('');
}

function words(between: string, random: Random): string {
  return [ADJECTIVES, NOUNS].map((list) => list[Math.floor(random() * list.length)]).join(between);
}

function month(random: Random): string {
  return String(1 + Math.floor(random() * 12)).padStart(2, '0');
}
