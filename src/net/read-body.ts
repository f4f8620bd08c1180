import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip } from 'node:zlib';

export type Body =
  | { readonly ok: true; readonly bytes: Buffer }
  /** What came is not to be used, for example `unpacks to more than 1000 bytes`. */
  | { readonly ok: false; readonly reason: string };

/** Codings of RFC 9110, section 8.4.1, and of RFC 7932. `x-gzip` is an old name of the first. */
const DECODERS = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
]);

class LimitReached extends Error {}

/**
 * Reads and unpacks a body, never more of it than `maxBytes` on either side: a bomb is dropped where it
 * reaches the limit. Rejects when the body breaks off.
 */
export async function readBody(
  source: Readable,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Body> {
  const isPlain = encoding === undefined || encoding === '' || encoding.toLowerCase() === 'identity';
  const decoder = isPlain ? undefined : DECODERS.get(encoding.toLowerCase())?.();
  if (!isPlain && !decoder) {
    source.destroy();
    return { ok: false, reason: `packed as "${encoding}", which was not asked for` };
  }
  let brokenFirst: 'source' | 'decoder' | undefined;
  source.on('error', () => {
    brokenFirst ??= 'source';
  });
  decoder?.on('error', () => {
    brokenFirst ??= 'decoder';
  });
  const chunks: Uint8Array[] = [];
  const collect = async (stream: AsyncIterable<Uint8Array>) => {
    for await (const chunk of limited(stream, maxBytes)) chunks.push(chunk);
  };
  try {
    if (decoder) {
      await pipeline(
        source,
        (packed: AsyncIterable<Uint8Array>) => limited(packed, maxBytes),
        decoder,
        collect,
      );
    } else await pipeline(source, collect);
  } catch (error) {
    if (error instanceof LimitReached) return { ok: false, reason: `more than ${maxBytes} bytes` };
    if (brokenFirst === 'decoder')
      return { ok: false, reason: `damaged or cut off: it cannot be unpacked (${encoding})` };
    throw new Error('it broke off before its end', { cause: error });
  }
  return { ok: true, bytes: Buffer.concat(chunks) };
}

async function* limited(stream: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > maxBytes) throw new LimitReached();
    yield chunk;
  }
}
