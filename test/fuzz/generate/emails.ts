import type { GeneratedCase, World } from '../fuzz-case.ts';
import type { Random } from '../random.ts';
import { aCheck, type Draft, sendWhole, without } from './request.ts';

type Generator = (random: Random, marker: string) => string;

/** The longest address that is read at all, in octets; docs/decisions/0005-length-bounds.md. */
const LONGEST_OCTETS = 1024;

const DOMAINS = [
  'example.com',
  'gmail.com',
  'GoogleMail.com',
  'example.com.',
  'no-mail.example',
  'mailinator.com',
  'postern.test',
  'outlook.com',
];
const BAD_DOMAINS = [
  '',
  '.',
  '..',
  'a..b',
  '-a.de',
  'a-.de',
  'localhost',
  '[127.0.0.1]',
  '[IPv6:::1]',
  '[IPv6:zz]',
  '[',
  ']',
  '127.0.0.1',
  'xn--',
  'xn--a',
  'xn--zzzzzzzzzz.de',
  `${'a'.repeat(63)}.de`,
  `${'a'.repeat(64)}.de`,
  `${'a.'.repeat(127)}de`,
  'exa mple.com',
  'ex\u00adample.com',
  'ｅｘａｍｐｌｅ．ｃｏｍ',
  'faß.de',
  'ⅷ.com',
  'a\u200db.de',
  '١٢٣.com',
  'אבג.com',
  'a\u3002b',
  '*.com',
  '_dmarc.example.com',
  'example.com/',
  'example.com:25',
  '%65xample.com',
];
const BIDI = ['\u202e', '\u202d', '\u2066', '\u2069', '\u200f', '\u061c', 'א', 'ع', '\u0660'];
const CONTROLS = [
  '\0',
  '\x01',
  '\x1b',
  '\x7f',
  '\x85',
  '\u2028',
  '\u2029',
  '\ufeff',
  '\u00ad',
  '\u200b',
  '\ufffd',
  '\ufffe',
  '\uffff',
  '\r',
  '\n',
  '\t',
  '\r\n',
];
const SPECIAL = [
  '"',
  '\\',
  '(',
  ')',
  '<',
  '>',
  '[',
  ']',
  ':',
  ';',
  ',',
  '@',
  '.',
  ' ',
  '+',
  '-',
  '_',
  '=',
  "'",
  '%',
  '!',
  '/',
  '|',
  '{',
  '}',
  '＠',
  '﹫',
];

const domain = (random: Random) => random.pick(random.chance(0.8) ? DOMAINS : BAD_DOMAINS);
/** Any code point of any plane, surrogates included. */
const anyCode = (random: Random) => String.fromCodePoint(random.below(0x11_0000));
/** A code point of the planes that are in use, most of them assigned. */
const usedCode = (random: Random) =>
  String.fromCodePoint(
    random.weigh([
      [4, 0x00],
      [4, 0x100],
      [2, 0x1f300],
      [2, 0x20000],
      [1, 0xe0000],
    ]) + random.below(0x300),
  );

const GENERATORS: readonly (readonly [weight: number, name: string, generate: Generator])[] = [
  [
    10,
    'any planes',
    (random, marker) => `${marker}${random.some(1, 12, () => anyCode(random))}@${domain(random)}`,
  ],
  [
    10,
    'used planes',
    (random, marker) => `${marker}${random.some(1, 12, () => usedCode(random))}@${domain(random)}`,
  ],
  [4, 'Unicode domain', (random, marker) => `${marker}@${random.some(1, 6, () => usedCode(random))}.com`],
  [
    4,
    'lone surrogate',
    (random, marker) => {
      const half = String.fromCharCode(random.between(0xd800, 0xdfff));
      return random.chance(0.5) ? `${marker}${half}@example.com` : `${marker}@${half}.com`;
    },
  ],
  [
    5,
    'bidi',
    (random, marker) =>
      `${random.pick(BIDI)}${marker}${random.some(0, 4, () => random.pick(BIDI))}@${random.pick(BIDI)}.com`,
  ],
  [
    5,
    'controls',
    (random, marker) =>
      `${random.pick(CONTROLS)}${marker}${random.some(0, 3, () => random.pick(CONTROLS))}@${domain(random)}${random.pick(CONTROLS)}`,
  ],
  [
    12,
    'specials',
    (random, marker) =>
      `${random.some(0, 6, () => random.pick(SPECIAL))}${marker}${random.some(0, 12, () => random.pick(SPECIAL))}@${domain(random)}${random.some(0, 3, () => random.pick(SPECIAL))}`,
  ],
  [
    6,
    'quoted',
    (random, marker) =>
      `"${marker}${random.some(0, 9, () => random.pick([...SPECIAL, '\\"', 'a']))}"@${domain(random)}`,
  ],
  [
    5,
    'comments',
    (random, marker) => {
      const depth = random.pick([1, 2, 50, 400]);
      return `${'('.repeat(depth)}${marker}${')'.repeat(random.chance(0.8) ? depth : depth - 1)}a(${marker})@(x)${domain(random)}`;
    },
  ],
  [
    4,
    'display name',
    (random, marker) =>
      `${random.pick(['Jane', '"Jane, D."', '=?utf-8?q?J?=', ''])} <${marker}@${domain(random)}>${random.pick(['', '>', ' (c)', ', b@c.de'])}`,
  ],
  [
    6,
    'near the length bound',
    (random, marker) => {
      const ending = `@${domain(random)}`;
      const unit = random.pick(['a', 'é', '漢', '😀', '\u0344', '\u0958', 'ﬁ', '.']);
      const octets = LONGEST_OCTETS + random.between(-4, 4) - Buffer.byteLength(marker + ending);
      return marker + unit.repeat(Math.ceil(octets / Buffer.byteLength(unit))) + ending;
    },
  ],
  [
    1,
    'far too long',
    (random, marker) =>
      `${marker}${random.pick(['a', '@', '(', '"', '😀', '\u0301', ' '])}`.padEnd(
        random.between(2000, 10_000),
        random.pick(['a', '@', '(', '.', '\u0301']),
      ),
  ],
  [
    5,
    'stacked marks',
    (random, marker) =>
      `${marker}e${random.some(1, 200, () => String.fromCharCode(random.between(0x300, 0x36f)))}@${domain(random)}`,
  ],
  [5, 'bad domain', (random, marker) => `${marker}@${random.pick(BAD_DOMAINS)}`],
  [2, 'random name', (random, marker) => `${marker}@d${random.below(2000)}.example.net`],
  [
    3,
    'many labels',
    (random, marker) =>
      `${marker}@${random.some(1, 60, () => `${random.pick(['a', 'xn--p1ai', '-', '', 'ß', '0'])}.`)}com`,
  ],
  [
    4,
    'tags and dots',
    (random, marker) =>
      `${random.some(0, 9, () => random.pick(['.', '+', '-', 'a']))}${marker}${random.some(0, 9, () => random.pick(['.', '+', '-', 'a']))}@${random.pick(['gmail.com', 'proton.me', 'yandex.ru', 'user.fastmail.com', 'privaterelay.appleid.com'])}`,
  ],
  [
    3,
    'no address',
    (random, marker) =>
      random.pick([
        '',
        ' ',
        '@',
        '@@',
        'a',
        marker,
        `${marker}@`,
        '@example.com',
        `a@b@${marker}`,
        '\u3000',
        '<>',
        '()',
        '""@',
      ]),
  ],
];

/** JSON leaves many ways to write one string; lone surrogates have to be escaped (RFC 8259, 8.2). */
function encode(text: string, random: Random): string {
  if (random.chance(0.7)) return JSON.stringify(text);
  const escaped = (unit: number) => `\\u${unit.toString(16).padStart(4, '0')}`;
  return `"${Array.from({ length: text.length }, (_, at) => escaped(text.charCodeAt(at))).join('')}"`;
}

/** A whole request, right in every way but for the address. */
export function generateEmail(random: Random, world: World): GeneratedCase {
  const [name, generate] = random.weigh(GENERATORS.map(([weight, ...rest]) => [weight, rest] as const));
  const email = generate(random, world.marker);
  const check = aCheck(world, Buffer.from(`{"email":${encode(email, random)}}`));
  const draft = random.chance(0.3) ? withTestKey(check, world) : check;
  const expected = { codes: ['ok', 'unparseable_email'] as const, requestId: world.requestId, email };
  return sendWhole(`email: ${name}`, draft, expected, world, random, true);
}

function withTestKey(draft: Draft, { testKey }: World): Draft {
  return { ...draft, headers: [...without(draft, 'Authorization'), ['Authorization', `Bearer ${testKey}`]] };
}
