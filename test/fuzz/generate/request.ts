import type { Expected, GeneratedCase, World } from '../fuzz-case.ts';
import type { Random } from '../random.ts';

export type Field = readonly [name: string, value: string];

/** A request before it is bytes. Texts are written as Latin-1, so that any octet can stand in them. */
export interface Draft {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly headers: readonly Field[];
  readonly body: Buffer;
}

/** A check that would be answered, but for what a generator changes. */
export function aCheck({ liveKey, requestId }: World, body: Buffer): Draft {
  return {
    method: 'POST',
    target: '/v1/',
    version: '1.1',
    headers: [
      ['Host', 'localhost'],
      ['Authorization', `Bearer ${liveKey}`],
      ['Content-Type', 'application/json'],
      ['Request-Id', requestId],
    ],
    body,
  };
}

/** Body and length for requests whose body does not matter. */
export function anOrdinaryBody({ marker }: World): Buffer {
  return Buffer.from(JSON.stringify({ email: `${marker}@example.com` }));
}

export function without({ headers }: Draft, ...names: string[]): Field[] {
  return headers.filter(([name]) => !names.includes(name));
}

export function head({ method, target, version, headers }: Draft): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${target} HTTP/${version}\r\n${lines.join('')}\r\n`, 'latin1');
}

/** Framed by its length, or in well-formed chunks. */
export function write(draft: Draft, random: Random, isChunked: boolean): Buffer {
  const { headers, body } = draft;
  if (!isChunked) {
    const length: Field = ['Content-Length', String(body.length)];
    return Buffer.concat([head({ ...draft, headers: [...headers, length] }), body]);
  }
  const parts = [head({ ...draft, headers: [...headers, ['Transfer-Encoding', 'chunked']] })];
  for (let at = 0; at < body.length; ) {
    const piece = body.subarray(at, at + random.between(1, Math.max(1, body.length >> 2)));
    parts.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
    at += piece.length;
  }
  parts.push(Buffer.from('0\r\n\r\n'));
  return Buffer.concat(parts);
}

/** What a trusted proxy says of a request that came to it by HTTPS from one of a few hundred clients. */
export function asProxied(draft: Draft, random: Random): Draft {
  const client = `198.51.100.${random.below(256)}`;
  return {
    ...draft,
    headers: [...draft.headers, ['X-Forwarded-Proto', 'https'], ['X-Forwarded-For', client]],
  };
}

/** One whole request, whose connection can serve the next one. */
export function sendWhole(
  name: string,
  draft: Draft,
  expected: Expected,
  world: World,
  random: Random,
  isCalm: boolean,
): GeneratedCase {
  const isChunked = random.chance(0.1);
  const bytes = write(world.listener === 'plain' ? asProxied(draft, random) : draft, random, isChunked);
  return {
    name,
    listener: world.listener,
    steps: [{ send: bytes }],
    ending: 'keep',
    expected: [expected],
    leastAnswers: 1,
    // After a refusal, what is left of a chunked body has no known length.
    isCalm: isCalm && !isChunked,
  };
}

/** Text as UTF-8 octets in a Latin-1 string, for a request line or a header. */
export function asOctets(text: string): string {
  return Buffer.from(text).toString('latin1');
}
