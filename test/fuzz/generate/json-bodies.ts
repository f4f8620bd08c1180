import type { Expected, GeneratedCase, World } from '../fuzz-case.ts';
import type { Random } from '../random.ts';
import { aCheck, sendWhole } from './request.ts';

type Body = readonly [bytes: Buffer, codes: Expected['codes']];
type Generator = (random: Random, marker: string) => Body;

/** What the test's service takes; see `service-under-fuzz.ts`. */
const BODY_LIMIT = 65_536;

const INVALID: Expected['codes'] = ['invalid_json'];
const MISSING: Expected['codes'] = ['missing_email'];
const READ: Expected['codes'] = ['ok', 'unparseable_email'];
const ANY: Expected['codes'] = ['ok', 'unparseable_email', 'invalid_json', 'missing_email'];

const text = (json: string, codes: Expected['codes']): Body => [Buffer.from(json), codes];
const document = (marker: string) =>
  `{"email":"${marker}@example.com","name":"${marker}","more":[1,{"a":null}]}`;

const NUMBERS = [
  '1e999999',
  '-0',
  `${'9'.repeat(400)}`,
  '1e-400',
  '0.1e+1',
  '123456789012345678901234567890.5',
];
const NO_NUMBERS = ['01', '0x10', 'NaN', 'Infinity', '.5', '1.', '+1', '1e', '--1', '1_000'];
const NOT_JSON = [
  "{'email':'a'}",
  '{email:"a"}',
  '{"email":"a",}',
  '{"email":"a"}}',
  '{"email" "a"}',
  '{"email":}',
  '//',
  '\u{feff}',
  'email=a%40b.de',
  '<email/>',
  '{,}',
  '{"a":1 "b":2}',
  '\0',
  'nul',
  'undefined',
];
const SCALARS = ['null', 'true', '0', '""', '"email"', '[]', '[{"email":"a@example.com"}]', '[[[]]]'];
const NO_STRINGS = [
  'null',
  'true',
  '1',
  '[]',
  '{}',
  '["a@example.com"]',
  '{"email":"a@example.com"}',
  '1e999',
];
const BAD_ESCAPES = [
  '\\x41',
  '\\u12',
  '\\u{41}',
  '\\',
  '\\U0041',
  '\\a',
  '\\0',
  '\n',
  '\t',
  '\0',
  '\x1f',
  '\r\n',
];
const INVALID_UTF8 = [
  [0xff],
  [0xc0, 0x80],
  [0xc3],
  [0xe2, 0x82],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
  [0x80],
];
const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'Email',
  'email ',
  'e\u0301mail',
  '',
  '\u0000',
];

const GENERATORS: readonly (readonly [weight: number, name: string, generate: Generator])[] = [
  [
    12,
    'truncated',
    (random, marker) => {
      const whole = document(marker);
      return text(whole.slice(0, random.below(whole.length)), INVALID);
    },
  ],
  [
    14,
    'flipped',
    (random, marker) => {
      const bytes = Buffer.from(document(marker));
      for (let left = random.between(1, 8); left > 0; left--)
        bytes[random.below(bytes.length)] = random.below(256);
      return [bytes, ANY];
    },
  ],
  [
    8,
    'spliced',
    (random, marker) => {
      const whole = Buffer.from(document(marker));
      const [from, to, at] = [
        random.below(whole.length),
        random.below(whole.length),
        random.below(whole.length),
      ];
      return [
        Buffer.concat([
          whole.subarray(0, at),
          whole.subarray(Math.min(from, to), Math.max(from, to)),
          whole.subarray(at),
        ]),
        ANY,
      ];
    },
  ],
  [
    1,
    'nested',
    (random, marker) => {
      const depth = random.pick([100, 1000, 10_000]);
      const [open, close] = random.pick([
        ['[', ']'],
        ['{"a":', '}'],
      ] as const);
      const isWhole = random.chance(0.5);
      const nest = open.repeat(depth) + (open === '[' ? '' : '1') + (isWhole ? close.repeat(depth) : '');
      return random.chance(0.5)
        ? text(nest, isWhole && open !== '[' ? MISSING : INVALID)
        : text(`{"email":"${marker}@example.com","deep":${nest}}`, isWhole ? READ : INVALID);
    },
  ],
  [5, 'number', (random, marker) => text(`{"email":${random.pick(NUMBERS)},"n":"${marker}"}`, MISSING)],
  [
    5,
    'no number',
    (random, marker) => text(`{"email":"${marker}@example.com","n":${random.pick(NO_NUMBERS)}}`, INVALID),
  ],
  [5, 'not JSON', (random) => text(random.pick(NOT_JSON), INVALID)],
  [4, 'scalar', (random) => text(random.pick(SCALARS), INVALID)],
  [5, 'no string', (random, marker) => text(`{"${marker}":1,"email":${random.pick(NO_STRINGS)}}`, MISSING)],
  [
    6,
    'duplicate keys',
    (random, marker) => text(`{"email":${random.pick(NO_STRINGS)},"email":"${marker}@example.com"}`, READ),
  ],
  [
    6,
    'bad escape',
    (random, marker) => text(`{"email":"${marker}${random.pick(BAD_ESCAPES)}@example.com"}`, INVALID),
  ],
  [
    6,
    'invalid UTF-8',
    (random, marker) => [
      Buffer.concat([
        Buffer.from(`{"email":"${marker}`),
        Buffer.from(random.pick(INVALID_UTF8)),
        Buffer.from('@example.com"}'),
      ]),
      INVALID,
    ],
  ],
  // RFC 8259, 8.1: a parser may ignore a byte order mark or refuse it.
  [2, 'BOM', (_, marker) => text(`\u{feff}${document(marker)}`, ['ok', 'invalid_json'])],
  [2, 'UTF-16', (_, marker) => [Buffer.from(`\u{feff}${document(marker)}`, 'utf16le'), INVALID]],
  [
    4,
    'other names',
    (random, marker) => text(`{"${random.pick(NAMES)}":{"email":"${marker}@example.com"}}`, ANY),
  ],
  [
    1,
    'many members',
    (random, marker) => {
      const members = Array.from({ length: random.between(100, 4000) }, (_, n) => `"m${n}":0`);
      return text(`{${members.join()},"email":"${marker}@example.com"}`, READ);
    },
  ],
  [
    1,
    'too large',
    (random, marker) =>
      text(`{"email":"${marker}${'x'.repeat(BODY_LIMIT + random.below(2000))}@example.com"}`, [
        'body_too_large',
      ]),
  ],
  [4, 'noise', (random) => [random.bytes(random.below(200)), ANY]],
  [
    2,
    'blank',
    (random) =>
      text(
        random.some(0, 9, () => random.pick([' ', '\t', '\n', '\r'])),
        INVALID,
      ),
  ],
];

/** A whole request for a check whose body is not what it should be. */
export function generateJsonBody(random: Random, world: World): GeneratedCase {
  const [name, generate] = random.weigh(GENERATORS.map(([weight, ...rest]) => [weight, rest] as const));
  const [bytes, codes] = generate(random, world.marker);
  const expected: Expected = { requestId: world.requestId, ...(codes && { codes }) };
  return sendWhole(`json: ${name}`, aCheck(world, bytes), expected, world, random, name !== 'too large');
}
