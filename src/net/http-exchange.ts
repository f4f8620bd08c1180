import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { readVersion } from '../lib/paths.ts';
import { codeOf } from '../lib/thrown.ts';
import { type AddressCheck, addressesOf, answering } from './public-address.ts';

interface SentRequest extends AddressCheck, Pick<RequestOptions, 'method' | 'agent'> {
  /** Take precedence over ours. */
  readonly headers: Readonly<Record<string, string | number>>;
  readonly content?: Buffer | undefined;
}

/**
 * Sends one request to an address that was checked, and reads its answer. Rejects when there is no address, or the connection cannot be
 * made or breaks.
 */
export async function exchange<Answer>(
  url: URL,
  { method, agent, headers, content, ...check }: SentRequest,
  signal: AbortSignal,
  read: (response: IncomingMessage) => Promise<Answer>,
): Promise<Answer> {
  const addresses = await addressesOf(url.hostname, check, signal);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  // Loaded at the first request: most commands send none.
  const http = await import(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const request: ClientRequest = http.request(url, {
    method,
    signal,
    agent,
    lookup: answering(addresses),
    headers: { 'accept-encoding': 'gzip, br', 'user-agent': `postern/${readVersion()}`, ...headers },
  });
  request.on('response', resolve);
  // Also handles errors that come after the answer was read.
  request.on('error', reject);
  // Nothing else comes where the server answers 101: Node closes the connection, without an error.
  request.on('close', () => reject(new Error('the connection was closed before an answer')));
  request.end(content);
  let response: IncomingMessage | undefined;
  try {
    response = await promise;
    return await read(response);
  } finally {
    // Stops the rest of an answer. A connection whose answer was read to its end goes back to its agent.
    if (!response?.complete) request.destroy();
  }
}

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
