import type { Expected, GeneratedCase, World } from '../fuzz-case.ts';
import type { Random } from '../random.ts';
import { aCheck, anOrdinaryBody, asProxied, type Draft, type Field, head, without } from './request.ts';

/** The draft comes with neither length nor body: how the message ends is what this is about. */
type Generator = (random: Random, draft: Draft, body: Buffer, world: World) => readonly Buffer[];

const add = (draft: Draft, ...fields: Field[]) => head({ ...draft, headers: [...draft.headers, ...fields] });
const length = (body: Buffer): Field => ['Content-Length', String(body.length)];
const chunk = (body: Buffer, size = body.length.toString(16)) =>
  Buffer.concat([Buffer.from(`${size}\r\n`, 'latin1'), body, Buffer.from('\r\n')]);
const LAST = Buffer.from('0\r\n\r\n');
/** A request that must never be answered: it stands where only a misled server sees a request. */
const hidden = ({ liveKey, marker }: World) =>
  Buffer.from(
    `POST /v1/ HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${liveKey}\r\nContent-Type: application/json\r\nRequest-Id: smuggled\r\nContent-Length: 12\r\n\r\n{"a":"${marker.slice(0, 4)}"}`,
  );

/** Spaces around a value are no part of it (RFC 9110, 5.5): these are all "chunked". */
const CHUNKED = ['chunked', 'Chunked', ' chunked', 'chunked ', '\tchunked'];
const CODINGS = [
  'identity',
  'xchunked',
  'chunked, identity',
  'chunked, chunked',
  '"chunked"',
  'chunked;a=b',
  '',
  ',',
  'chunked\x0b',
  'chunkéd',
  'x',
];
const LENGTHS = [
  '-1',
  '+5',
  '0x5',
  '5, 5',
  '5,6',
  '5 5',
  '',
  ' ',
  'a',
  '5a',
  '1e1',
  '5.0',
  '18446744073709551616',
  '99999999999999999999999',
  '٥',
  '005',
  '-0',
];
const SIZES = [
  '',
  'g',
  '-1',
  '+1',
  '0x1',
  ' 1',
  '1 ',
  'ffffffffffffffff',
  'fffffffffffffffff',
  '1;',
  '1;a',
  '1;a="',
  `1;${'a'.repeat(20_000)}`,
  '0001',
  '1\t',
  '1,1',
  '\n1',
  '\xff',
];
const ENDS = ['\n', '\r', '\n\r', '\r\r\n', '\0\r\n', '\x0b\r\n', '\x85', '\r\n \r\n', '\u2028'];
const LINES = [
  'A',
  ': a',
  'A : a',
  ' A: a',
  '\tA: a',
  'A\0: a',
  'A: \0',
  'A: a\rb',
  'A: a\nb',
  'A: a\x7f',
  'A: \x01',
  'A(: a',
  'é: a',
  'A: a\r\n folded',
  'A: a\r\n\tfolded',
  'Content-Length : 3',
  'Transfer-Encoding\t: chunked',
  'A:',
  '"A": a',
  '{}: a',
  '@: a',
  'A/B: a',
];

const GENERATORS: readonly (readonly [weight: number, name: string, generate: Generator])[] = [
  [
    8,
    'length beside coding',
    (random, draft, body, world) => {
      const fields: Field[] = [
        ['Content-Length', random.pick(['0', '3', String(body.length), '400'])],
        ['Transfer-Encoding', random.pick([...CHUNKED, ...CODINGS])],
      ];
      if (random.chance(0.5)) fields.reverse();
      return [add(draft, ...fields), random.chance(0.5) ? chunk(body) : body, LAST, hidden(world)];
    },
  ],
  [
    6,
    'codings',
    (random, draft, body, world) => [
      add(draft, ['Transfer-Encoding', random.pick(CODINGS)]),
      chunk(body),
      LAST,
      hidden(world),
    ],
  ],
  [
    3,
    'two codings',
    (random, draft, body, world) => [
      add(
        draft,
        ['Transfer-Encoding', random.pick([...CHUNKED, ...CODINGS])],
        ['Transfer-Encoding', random.pick(CODINGS)],
      ),
      chunk(body),
      LAST,
      hidden(world),
    ],
  ],
  [
    6,
    'lengths',
    (random, draft, body, world) => [
      add(draft, ['Content-Length', random.pick(LENGTHS)]),
      body,
      hidden(world),
    ],
  ],
  [
    3,
    'two lengths',
    (random, draft, body, world) => [
      add(draft, length(body), ['Content-Length', random.pick(['0', '5', String(body.length), ...LENGTHS])]),
      body,
      hidden(world),
    ],
  ],
  [
    8,
    'chunk sizes',
    (random, draft, body) => [
      add(draft, ['Transfer-Encoding', 'chunked']),
      chunk(body.subarray(0, 1), random.pick(SIZES)),
      chunk(body.subarray(1)),
      LAST,
    ],
  ],
  [
    4,
    'chunk ends',
    (random, draft, body) => [
      add(draft, ['Transfer-Encoding', 'chunked']),
      Buffer.from(`${body.length.toString(16)}${random.pick(ENDS)}`),
      body,
      Buffer.from(random.pick(ENDS)),
      LAST,
    ],
  ],
  [
    3,
    'trailers',
    (random, draft, body, { liveKey }) => [
      add(draft, ['Transfer-Encoding', 'chunked'], ['Trailer', 'X']),
      chunk(body),
      Buffer.from(
        `0\r\n${random.pick([`Authorization: Bearer ${liveKey}`, 'Content-Length: 5', 'A : b', '\0', 'A: b\r\n c', `A: ${'x'.repeat(20_000)}`])}\r\n\r\n`,
      ),
    ],
  ],
  [
    8,
    'line ends',
    (random, draft, body) => {
      const end = random.pick(ENDS);
      const text = add(draft, length(body)).toString('latin1');
      return [
        Buffer.from(random.chance(0.5) ? text.replaceAll('\r\n', end) : text.replace('\r\n', end), 'latin1'),
        body,
      ];
    },
  ],
  [
    8,
    'header lines',
    (random, draft, body) => [
      Buffer.from(
        add(draft, length(body))
          .toString('latin1')
          .replace('\r\n', `\r\n${random.pick(LINES)}\r\n`),
        'latin1',
      ),
      body,
    ],
  ],
  [
    5,
    'request lines',
    (random, draft, body) => {
      const text = add(draft, length(body)).toString('latin1');
      const line = random.pick([
        'POST',
        'POST /v1/',
        'POST  /v1/  HTTP/1.1',
        'POST\t/v1/\tHTTP/1.1',
        ' POST /v1/ HTTP/1.1',
        'POST /v1/ HTTP/1.1 x',
        'POST /v1/ http/1.1',
        'POST /v1/ HTTP/1.1\0',
        '/v1/',
        '',
        '\r\n\r\nPOST /v1/ HTTP/1.1',
        'POST /v1/ ICE/1.1',
        'POST /v1/ RTSP/1.0',
        'PRI * HTTP/2.0\r\n\r\nSM\r\n',
        'HTTP/1.1 200 OK',
        '\x16\x03\x01',
        'POST /v1/ x HTTP/1.1',
      ]);
      return [Buffer.from(text.replace(/^[^\r]*/, line), 'latin1'), body];
    },
  ],
  [
    8,
    'flipped',
    (random, draft, body) => {
      const bytes = Buffer.concat([add(draft, length(body)), body]);
      for (let left = random.between(1, 6); left > 0; left--)
        bytes[random.below(bytes.length)] = random.below(256);
      return [bytes];
    },
  ],
  [
    4,
    'deleted',
    (random, draft, body) => {
      const bytes = Buffer.concat([add(draft, length(body)), body]);
      const from = random.below(bytes.length);
      return [bytes.subarray(0, from), bytes.subarray(from + random.between(1, 40))];
    },
  ],
  [
    4,
    'truncated',
    (random, draft, body) => {
      const bytes = Buffer.concat([add(draft, length(body)), body]);
      return [bytes.subarray(0, random.between(1, bytes.length - 1))];
    },
  ],
  [
    3,
    'too little body',
    (random, draft, body) => [
      add(draft, ['Content-Length', String(body.length + random.pick([1, 100, 60_000]))]),
      body,
    ],
  ],
  [3, 'noise', (random) => [random.bytes(random.between(1, 400))]],
  [
    2,
    'many headers',
    (random, draft) => [
      add(draft, ...Array.from({ length: random.between(2000, 6000) }, (): Field => ['a', 'b'])),
    ],
  ],
];

/** RFC 9112, 6.1: whatever a server makes of both, it closes the connection after the answer. */
const ONE_REFUSAL: readonly Expected[] = [{ codes: ['bad_request', 'headers_too_large'] }];
/** One answer; and a refusal, where what follows the message is no second one. */
const ONE_ANSWER: readonly Expected[] = [{}, { codes: ['bad_request', 'headers_too_large'] }];

/** Bytes that are no clean HTTP message, on a connection of their own. */
export function generateFraming(random: Random, world: World): GeneratedCase {
  const [name, generate] = random.weigh(GENERATORS.map(([weight, ...rest]) => [weight, rest] as const));
  const body = anOrdinaryBody(world);
  const check = aCheck(world, body);
  const isPlain = random.chance(0.7);
  const draft = { ...check, headers: without(check, 'Request-Id') };
  const parts = generate(random, isPlain ? asProxied(draft, random) : draft, body, world);
  return {
    name: `framing: ${name}`,
    listener: isPlain ? 'plain' : 'https',
    // In one write they are one packet, and the parser sees what follows before it has answered.
    steps: random.chance(0.8) ? [{ send: Buffer.concat(parts) }] : parts.map((send) => ({ send })),
    ending: 'finish',
    expected: name === 'length beside coding' ? ONE_REFUSAL : ONE_ANSWER,
    leastAnswers: 1,
  };
}
