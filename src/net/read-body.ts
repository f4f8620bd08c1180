import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { codeOf } from '../lib/thrown.ts';

/** For `accept-encoding`. */
export const READ_CODINGS = 'gzip, br';

/** Codings of RFC 9110, section 8.4.1, and of RFC 7932. `x-gzip` is an old name of the first. */
const UNPACKERS = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['br', promisify(brotliDecompress)],
]);

/**
 * The decompressed body, or a text that says why it cannot be used. Keeps `maxBytes` at most, compressed or not: the rest of a
 * longer body, or of a decompression bomb, is not read. Rejects when the body breaks off.
 */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer | string> {
  const coding = response.headers['content-encoding']?.toLowerCase() ?? '';
  const unpack = UNPACKERS.get(coding);
  if (!unpack && coding !== '' && coding !== 'identity') {
    return `packed as "${coding}", which was not asked for`;
  }
  const tooLong = `more than ${maxBytes} bytes`;
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) return tooLong;
  const body = await readUpTo(maxBytes, response as AsyncIterable<Buffer>).catch((cause) => {
    throw new Error('it broke off before its end', { cause });
  });
  if (!body) return tooLong;
  if (!unpack) return body;
  try {
    return await unpack(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') return tooLong;
    return `damaged or cut off: it cannot be unpacked (${coding})`;
  }
}

/** Undefined when the body is longer than `maxBytes`; its rest is not read. */
export async function readUpTo(
  maxBytes: number,
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
