import { createSecret } from '../../../src/accounts/key.ts';
import type { Expected, GeneratedCase, World } from '../fuzz-case.ts';
import type { Random } from '../random.ts';
import { aCheck, anOrdinaryBody, asOctets, type Draft, type Field, sendWhole, without } from './request.ts';

type Codes = Expected['codes'];
type Generator = (random: Random, world: World, check: Draft) => readonly [draft: Draft, codes: Codes];

const NO_KEY: Codes = ['missing_api_key', 'malformed_api_key', 'invalid_api_key', 'rate_limited'];
/** tchar of RFC 9110, 5.6.2. */
const TOKEN = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** What node's parser lets stand in a value: all but NUL, CR, LF and other controls; with obs-text. */
const VALUE = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).filter((c) =>
  /[\t\x20-\x7e\x80-\xff]/.test(c),
);

const WRONG_TYPES = [
  'text/plain',
  'application/jsonp',
  'application/json; charset=latin1',
  'application/json, text/html',
  'application/json;a=b',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/problem+json',
  '*/*',
  'json',
  ';',
  '',
  '\xff',
  'application/json; charset="utf-8',
];
const RIGHT_TYPES = [
  'application/json',
  'APPLICATION/JSON',
  'application/json;charset=UTF-8',
  'application/json ; charset="utf-8"',
  'application/json;',
];
const ENCODINGS = ['gzip', 'identity', 'br', 'deflate', 'gzip, gzip', '', 'utf-8', 'chunked', '\xe9'];
const ODD_IDS = [
  '',
  ' ',
  'a b',
  'ä'.repeat(3),
  'x'.repeat(65),
  '<script>',
  '../../x',
  'a,b',
  '%0d%0a',
  '\t',
  '"a"',
  "';--",
];
const FORWARDED = [
  'for=_x;proto=http',
  'proto="https',
  'for="[::1]";proto=https',
  ',,,',
  ';;;',
  'proto=https;proto=http',
  `${'for=a,'.repeat(300)}proto=https`,
  '"',
  '=',
  'a="\\',
];
const HOPS = [
  'unknown',
  '',
  ',',
  '999.1.1.1',
  '::',
  '[::1',
  '127.0.0.1, 127.0.0.1',
  `${'1.2.3.4,'.repeat(500)}`,
  '198.51.100.7:99999',
  '\xff',
  '0x7f.1',
  '2001:db8::1%eth0',
];
const IDLE: readonly Field[] = [
  ['Accept', 'text/html;q=x'],
  ['Accept-Encoding', 'br'],
  ['Range', 'bytes=0-1'],
  ['If-None-Match', '*'],
  ['If-Modified-Since', 'never'],
  ['Origin', 'https://evil.example'],
  ['Access-Control-Request-Method', 'POST'],
  ['Cookie', 'a=b; a=c; ='],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['TE', 'trailers, deflate'],
  ['Trailer', 'Authorization'],
  ['Max-Forwards', '0'],
  ['Via', '1.1 a'],
  ['Upgrade-Insecure-Requests', '1'],
  ['X-Forwarded-Host', 'evil.example'],
  ['X-Original-URL', '/healthz'],
  ['Content-MD5', 'x'],
  ['Content-Range', 'bytes 0-1/2'],
  ['Sec-WebSocket-Key', 'x'],
  ['__proto__', 'x'],
  ['constructor', 'x'],
  ['Keep-Alive', 'timeout=99999999999'],
  ['HTTP2-Settings', 'AAMAAABk'],
];

const replace = (draft: Draft, ...fields: Field[]): Draft => ({
  ...draft,
  headers: [...without(draft, ...fields.map(([name]) => name)), ...fields],
});
const add = (draft: Draft, ...fields: Field[]): Draft => ({
  ...draft,
  headers: [...draft.headers, ...fields],
});
const value = (random: Random, most: number) => random.some(0, most, () => random.pick(VALUE)).trim();

const AUTHORIZATION: Generator = (random, { marker, liveKey }, check) => {
  const flipped = liveKey.replace(/.(?=.{3}$)/, random.pick(['!', 'A', '\xff', '']));
  const odd = random.pick([
    '',
    'Bearer',
    'Bearer ',
    `Basic ${marker}`,
    `Bearer ${marker}`,
    `bearer  ${marker} x`,
    `Bearer pst_live_${marker}`,
    `Bearer ${flipped}`,
    `Bearer ${liveKey.toUpperCase()}`,
    `Bearer,${liveKey}`,
    `Bearer "${liveKey}"`,
    `Digest a="${marker}"`,
    `Bearer ${marker.repeat(300)}`,
    `Bearer ${value(random, 60)}`,
    `Bearer ${asOctets('ключ🗝')}`,
  ]);
  return [
    random.chance(0.1)
      ? { ...check, headers: without(check, 'Authorization') }
      : replace(check, ['Authorization', odd]),
    NO_KEY,
  ];
};

const GENERATORS: readonly (readonly [weight: number, name: string, generate: Generator])[] = [
  [14, 'authorization', AUTHORIZATION],
  [
    4,
    'an unknown key',
    (random, _, check) => [
      replace(check, ['Authorization', `Bearer ${createSecret(random.pick(['live', 'test'])).text}`]),
      ['invalid_api_key', 'rate_limited'],
    ],
  ],
  [
    4,
    'two authorizations',
    (random, { liveKey, marker }, check) => {
      const fields: Field[] = [
        ['Authorization', `Bearer ${marker}`],
        ['authorization', `Bearer ${liveKey}`],
      ];
      if (random.chance(0.5)) fields.reverse();
      return [{ ...check, headers: [...without(check, 'Authorization'), ...fields] }, NO_KEY];
    },
  ],
  [
    8,
    'media type',
    (random, _, check) => [
      replace(check, ['Content-Type', random.pick(WRONG_TYPES)]),
      ['unsupported_media_type'],
    ],
  ],
  [
    3,
    'right media type',
    (random, _, check) => [replace(check, ['Content-Type', random.pick(RIGHT_TYPES)]), ['ok']],
  ],
  [
    2,
    'no media type',
    (_, __, check) => [{ ...check, headers: without(check, 'Content-Type') }, ['unsupported_media_type']],
  ],
  [
    3,
    'two media types',
    (random, _, check) => [
      add(check, ['Content-Type', random.pick(WRONG_TYPES)]),
      ['unsupported_media_type'],
    ],
  ],
  [
    5,
    'content encoding',
    (random, _, check) => [
      add(check, ['Content-Encoding', random.pick(ENCODINGS)]),
      ['unsupported_media_type'],
    ],
  ],
  [6, 'request id', (random, _, check) => [replace(check, ['Request-Id', random.pick(ODD_IDS)]), ['ok']]],
  [
    3,
    'two request ids',
    (random, { requestId }, check) => [
      add(check, ['request-id', random.pick(['b', requestId, ...ODD_IDS])]),
      ['ok'],
    ],
  ],
  [
    6,
    'forwarded',
    (random, _, check) => [add(check, ['Forwarded', random.pick(FORWARDED)]), ['ok', 'https_required']],
  ],
  [
    6,
    'hops',
    (random, { marker }, check) => [
      replace(add(check, ['X-Forwarded-For', random.pick(HOPS)]), ['Authorization', marker]),
      NO_KEY,
    ],
  ],
  [
    8,
    'what means nothing here',
    (random, _, check) => [add(check, random.pick(IDLE), random.pick(IDLE)), ['ok']],
  ],
  [
    8,
    'odd names',
    (random, { marker }, check) => [
      add(check, [random.some(1, 40, () => random.pick([...TOKEN])), marker + value(random, 80)]),
      undefined,
    ],
  ],
  [
    5,
    'odd values',
    (random, { marker }, check) => [add(check, ['X-Odd', marker + value(random, 300)]), ['ok']],
  ],
  [
    3,
    'a value of 8 KiB',
    (random, { marker }, check) => [
      add(check, ['X-Long', marker.padEnd(random.between(8192, 14_000), 'x')]),
      ['ok'],
    ],
  ],
  [
    1,
    'over 16 KiB',
    (random, { marker }, check) => [
      add(check, ['X-Long', marker.padEnd(random.between(16_384, 40_000), 'x')]),
      ['headers_too_large'],
    ],
  ],
  [
    1,
    'many headers',
    (random, _, check) => [
      add(check, ...Array.from({ length: random.between(100, 1500) }, (): Field => ['a', 'b'])),
      ['ok', 'headers_too_large', ...NO_KEY, 'unsupported_media_type'],
    ],
  ],
  [
    3,
    'connection',
    (random, _, check) => [
      add(check, [
        'Connection',
        random.pick([
          'close',
          'keep-alive',
          'authorization, content-length',
          'x, close, y',
          '',
          ',',
          'te',
          'keep-alive, close',
        ]),
      ]),
      ['ok'],
    ],
  ],
  [
    2,
    'upgrade',
    (random, _, check) => [
      add(
        check,
        ['Connection', 'Upgrade'],
        ['Upgrade', random.pick(['h2c', 'websocket', 'TLS/1.0', '\xff'])],
      ),
      ['ok'],
    ],
  ],
  [
    2,
    'expectation',
    (random, _, check) => [
      add(check, [
        'Expect',
        random.pick(['100-continue', '100-Continue', '100-continue, 100-continue', '200-ok', '', 'x']),
      ]),
      ['ok', 'bad_request'],
    ],
  ],
  [
    2,
    'host',
    (random, _, check) => [
      {
        ...check,
        headers: random.pick<Field[]>([
          without(check, 'Host'),
          [['Host', ''], ...without(check, 'Host')],
          [['Host', 'a'], ['Host', 'b'], ...without(check, 'Host')],
          [['Host', 'a:99999999/@b'], ...without(check, 'Host')],
          [['Host', '\xff\xfe'], ...without(check, 'Host')],
        ]),
      },
      ['ok', 'bad_request'],
    ],
  ],
];

/** None of these ends the connection. */
const CALM = new Set([
  'authorization',
  'an unknown key',
  'two authorizations',
  'media type',
  'right media type',
  'no media type',
  'two media types',
  'content encoding',
  'request id',
  'two request ids',
  'hops',
  'what means nothing here',
  'odd values',
]);

/** A request that is well-formed HTTP, with headers that a decent client would not send. */
export function generateHeaders(random: Random, world: World): GeneratedCase {
  const [name, generate] = random.weigh(GENERATORS.map(([weight, ...rest]) => [weight, rest] as const));
  const [draft, codes] = generate(random, world, aCheck(world, anOrdinaryBody(world)));
  const isNamed = draft.headers.filter(
    ([name, value]) => /^request-id$/i.test(name) && value === world.requestId,
  );
  const ids = draft.headers.filter(([name]) => /^request-id$/i.test(name));
  // What node's parser refuses, it refuses without having seen the request's id.
  const keepsId = ids.length === 1 && isNamed.length === 1 && !codes?.includes('headers_too_large');
  const expected: Expected = { ...(keepsId && { requestId: world.requestId }), ...(codes && { codes }) };
  return sendWhole(`headers: ${name}`, draft, expected, world, random, CALM.has(name));
}
