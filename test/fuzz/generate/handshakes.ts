import type { GeneratedCase, World } from '../fuzz-case.ts';
import type { Random } from '../random.ts';
import { aCheck, anOrdinaryBody, write } from './request.ts';

/** RFC 8446, 5.1: content type, version, length of a record. */
const record = (type: number, length: number, payload: Buffer) =>
  Buffer.concat([Buffer.from([type, 3, 1, length >> 8, length & 0xff]), payload]);
/** RFC 8446, 4.1.2, up to the session id; the rest is noise. */
const hello = (random: Random) =>
  Buffer.concat([Buffer.from([1, 0, 1, 0xfc, 3, random.below(5)]), random.bytes(random.between(0, 505))]);

const GENERATORS: readonly (readonly [name: string, generate: (random: Random, world: World) => Buffer])[] = [
  ['plain HTTP', (random, world) => write(aCheck(world, anOrdinaryBody(world)), random, false)],
  ['noise', (random) => random.bytes(random.between(1, 600))],
  ['a record cut short', (random) => record(22, random.between(1, 0xffff), random.bytes(random.below(100)))],
  ['an odd record type', (random) => record(random.below(256), 20, random.bytes(20))],
  [
    'a hello of noise',
    (random) => {
      const payload = hello(random);
      return record(22, payload.length, payload);
    },
  ],
  ['an alert', (random) => record(21, 2, random.bytes(2))],
  ['a heartbeat', () => record(24, 3, Buffer.from([1, 0x40, 0]))],
  ['SSLv2', (random) => Buffer.concat([Buffer.from([0x80, 0x2e, 1, 0, 2]), random.bytes(43)])],
  ['nothing', () => Buffer.alloc(0)],
];

/** Bytes on the HTTPS port that are no TLS handshake: no answer is due, an end of the connection is. */
export function generateHandshake(random: Random, world: World): GeneratedCase {
  const [name, generate] = random.pick(GENERATORS);
  return {
    name: `handshake: ${name}`,
    listener: 'tcp',
    steps: [{ send: generate(random, world) }],
    ending: random.pick(['await_close', 'finish_at_once', 'finish_at_once', 'reset']),
    expected: [],
    leastAnswers: 0,
  };
}
