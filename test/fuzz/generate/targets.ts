import { METHODS } from 'node:http';
import type { Expected, GeneratedCase, World } from '../fuzz-case.ts';
import type { Random } from '../random.ts';
import { aCheck, anOrdinaryBody, asOctets, type Draft, sendWhole } from './request.ts';

type Codes = Expected['codes'];
type Generator = (random: Random, world: World, check: Draft) => readonly [draft: Draft, codes: Codes];

const PATHS = [
  '/',
  '//',
  '/v1/',
  '/v1',
  '/V1/',
  '/v1//',
  '//v1/',
  '/v1/.',
  '/v1/..',
  '/./v1/',
  '/../v1/',
  '/v1/../v1/',
  '/%76%31/',
  '/v1%2f',
  '/v1/%2e%2e/',
  '/v1/%',
  '/v1/%zz',
  '/v1/%00',
  '/v1/%c0%af',
  '/v1/%ff',
  '/v1;a=b',
  '/v1/\\',
  '/healthz',
  '/healthz/',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/api/v1/',
  '/favicon.ico',
  '/.env',
  '/v1/constructor',
  '/__proto__',
  '/v1/*',
  '/v1/:x',
  '/v1/(.*)',
];
const QUERIES = [
  '',
  '?',
  '??',
  '?a',
  '?a=b&a=c',
  '?email=a@b.de',
  '?%',
  '?__proto__[x]=1',
  '#',
  '?a#b',
  `?${'a[b]='.repeat(50)}`,
  '?\xff',
  '?a=%ff',
];
const ABSOLUTE = [
  'http://localhost',
  'https://localhost',
  'HTTP://EVIL.example:99999',
  'http://',
  'http://[::1',
  'http://a@b:c@d',
  'http://%zz',
  'http:///',
  'ftp://x',
  'http://\xff',
  '://',
  'http://[]',
  'http://a:-1',
  'http://xn--',
  'http://a b',
  'javascript:',
  'http:',
  'http://a\\b',
  'http://1.2.3.4.5',
  `http://${'a'.repeat(300)}`,
  'http://a..b',
  'http://[1::2::3]',
  'http://a^b',
  'http://a|b',
  'http://a%',
  'mailto:a',
];
const ODD_METHODS = [
  'get',
  'POST1',
  'P',
  'XXXX',
  'P0ST',
  'PRI',
  'CONNECTION',
  'GETPOST',
  '\xff',
  '*',
  'POST,',
];
const VERSIONS = [
  '1.0',
  '0.9',
  '1.2',
  '2.0',
  '3.0',
  '9.9',
  '11',
  '1',
  '1.',
  '.1',
  '1.1.1',
  'x.y',
  '',
  '1.10',
  ' 1.1',
  '1.1 ',
];

/** One octet of a target; some are no URI characters, and some end a request line. */
const octet = (random: Random) =>
  random.pick(
    random.chance(0.5) ? [...'/.%?#&=;:@+-_~!$()*,[]{}|^`<>"\\ '] : [String.fromCharCode(random.below(256))],
  );
const path = (random: Random, { marker }: World) =>
  random.weigh<() => string>([
    [6, () => random.pick(PATHS)],
    [4, () => `${random.pick(PATHS)}${marker}`],
    [4, () => `/v1/${random.some(1, 20, () => octet(random))}`],
    [2, () => `/${random.some(1, 10, () => `%${random.below(256).toString(16).padStart(2, '0')}`)}`],
    [2, () => `/${asOctets(random.pick(['é', '漢字', '😀', '\u202e', '\u2028', '\ufeff']))}`],
    [
      1,
      () =>
        `/${random.pick(['a', '/', '../', '%2e'])}`.padEnd(
          random.between(1000, 20_000),
          random.pick(['a', '/', '.', '%']),
        ),
    ],
  ])();

const GENERATORS: readonly (readonly [weight: number, name: string, generate: Generator])[] = [
  [
    10,
    'path',
    (random, world, check) => [{ ...check, target: path(random, world) + random.pick(QUERIES) }, undefined],
  ],
  [
    5,
    'method',
    (random, world, check) => [
      // Without HEAD: what the parser refuses it answers as it answers all others, with a body.
      { ...check, method: random.pick(METHODS.filter((m) => m !== 'HEAD')), target: path(random, world) },
      undefined,
    ],
  ],
  [3, 'no method', (random, _, check) => [{ ...check, method: random.pick(ODD_METHODS) }, ['bad_request']]],
  [
    4,
    'absolute form',
    (random, world, check) => [
      { ...check, target: random.pick(ABSOLUTE) + random.pick(['', '/v1/', path(random, world)]) },
      undefined,
    ],
  ],
  [
    2,
    'authority form',
    (random, _, check) => [
      {
        ...check,
        method: random.pick(['CONNECT', 'POST']),
        target: random.pick(['localhost:443', 'a:b', '[::1]:1', ':', '@', 'x']),
      },
      undefined,
    ],
  ],
  [
    1,
    'asterisk form',
    (random, _, check) => [
      { ...check, method: random.pick(['OPTIONS', 'POST']), target: random.pick(['*', '**', '*/v1/']) },
      undefined,
    ],
  ],
  [2, 'version', (random, _, check) => [{ ...check, version: random.pick(VERSIONS) }, undefined]],
  [
    3,
    'another method',
    (random, _, check) => [
      {
        ...check,
        method: random.pick([
          'GET',
          'PUT',
          'DELETE',
          'PATCH',
          'OPTIONS',
          'TRACE',
          'HEAD',
          'PROPFIND',
          'PURGE',
          'QUERY',
        ]),
      },
      ['method_not_allowed'],
    ],
  ],
];

/** A request whose first line is odd; everything after it is right. */
export function generateTarget(random: Random, world: World): GeneratedCase {
  const [name, generate] = random.weigh(GENERATORS.map(([weight, ...rest]) => [weight, rest] as const));
  const [draft, codes] = generate(random, world, aCheck(world, anOrdinaryBody(world)));
  const expected: Expected = { isHead: draft.method === 'HEAD', ...(codes && { codes }) };
  return sendWhole(`target: ${name}`, draft, expected, world, random, name === 'another method');
}
