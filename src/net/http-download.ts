import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { readVersion } from '../lib/paths.ts';
import { codeOf, messageOf } from '../lib/thrown.ts';
import { withDeadline } from '../lib/timers.ts';
import { type AddressCheck, addressesOf, answering } from './public-address.ts';

/** What the last download said of its content, sent back to ask only for something newer (RFC 9110, section 13). */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export type Download =
  | ({
      readonly outcome: 'fetched';
      readonly bytes: Buffer;
      readonly contentType: string | null;
    } & Validators)
  | { readonly outcome: 'not_modified' }
  /** It came, and is not to be used. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /** It did not come; another attempt may do better. */
  | { readonly outcome: 'failed'; readonly reason: string };

export interface DownloadOptions extends AddressCheck {
  /** Of the body, packed as well as unpacked. */
  readonly maxBytes: number;
  /** For all of it, redirects included. */
  readonly timeoutMs: number;
}

const MAX_REDIRECTS = 5;

/** `GET`, from addresses that were found to be public and no others. Never rejects. */
export function download(url: string, validators: Validators, options: DownloadOptions): Promise<Download> {
  return withDeadline(options.timeoutMs, async (signal) => {
    try {
      return await follow(new URL(url), validators, options, signal);
    } catch (error) {
      if (signal.aborted) return failed(`not done after ${options.timeoutMs / 1000} s`);
      return failed(messageOf(error));
    }
  });
}

async function follow(
  first: URL,
  validators: Validators,
  options: DownloadOptions,
  signal: AbortSignal,
): Promise<Download> {
  let url = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const answer = await get(url, validators, options, signal);
    if (answer.outcome !== 'redirect') return answer;
    // What was asked for by HTTPS must not come by anything less.
    if (answer.to.protocol !== 'https:' && answer.to.protocol !== url.protocol) {
      return failed(`redirected from https: to ${answer.to.protocol}`);
    }
    url = answer.to;
  }
  return failed(`redirected more than ${MAX_REDIRECTS} times`);
}

function failed(reason: string): Download {
  return { outcome: 'failed', reason };
}

/** RFC 9110, section 15.4: those that say where else to ask. */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

type GetAnswer = Download | { readonly outcome: 'redirect'; readonly to: URL };

/** One request and its answer. Rejects when there is no address, or the connection cannot be made or breaks. */
async function get(
  url: URL,
  validators: Validators,
  options: DownloadOptions,
  signal: AbortSignal,
): Promise<GetAnswer> {
  const addresses = await addressesOf(url.hostname, options, signal);
  const { etag, lastModified } = validators;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = (url.protocol === 'https:' ? requestSecure : requestPlain)(url, {
    signal,
    // A connection of its own: the address of a kept one, or of one that a proxy would open, was not checked.
    agent: false,
    lookup: answering(addresses),
    headers: {
      accept: 'text/plain, application/json',
      'accept-encoding': 'gzip, br',
      'user-agent': `postern/${readVersion()}`,
      ...(etag !== null && { 'if-none-match': etag }),
      ...(lastModified !== null && { 'if-modified-since': lastModified }),
    },
  });
  request.on('response', resolve);
  request.on('error', reject);
  request.end();
  try {
    return await readAnswer(await promise, url, validators, options.maxBytes);
  } finally {
    // Whatever else it would send is not wanted.
    request.destroy();
  }
}

async function readAnswer(
  response: IncomingMessage,
  url: URL,
  { etag, lastModified }: Validators,
  maxBytes: number,
): Promise<GetAnswer> {
  const { statusCode = 0, headers } = response;
  if (statusCode === 304 && (etag !== null || lastModified !== null)) return { outcome: 'not_modified' };
  if (REDIRECTS.has(statusCode) && headers.location !== undefined) {
    const to = URL.parse(headers.location, url.href);
    return to ? { outcome: 'redirect', to } : failed('redirected to what is no URL');
  }
  if (statusCode !== 200) return failed(`answered with status ${statusCode}`);
  const bytes = await readBody(response, maxBytes);
  if (typeof bytes === 'string') return { outcome: 'refused', reason: bytes };
  return {
    outcome: 'fetched',
    bytes,
    contentType: headers['content-type'] ?? null,
    etag: headers.etag ?? null,
    lastModified: headers['last-modified'] ?? null,
  };
}

/** Codings of RFC 9110, section 8.4.1, and of RFC 7932. `x-gzip` is an old name of the first. */
const UNPACKERS = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['br', promisify(brotliDecompress)],
]);

/**
 * The unpacked body, or why it is not to be used. Never more than `maxBytes` is kept of it, packed or not: of a longer one, or of
 * a bomb, the rest is not read. Rejects when the body breaks off.
 */
async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer | string> {
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

/** Undefined when there is more; the rest of it is not read. */
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
