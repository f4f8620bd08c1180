import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { readVersion } from '../app/version.ts';
import { addressesOf, answering } from './checked-addresses.ts';
import type { Download, DownloadOptions, Validators } from './http-download.ts';
import { readBody } from './read-body.ts';

/** RFC 9110, section 15.4: those that say where else to ask. */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export type GetAnswer = Download | { readonly outcome: 'redirect'; readonly to: URL };

/** One request and its answer. Rejects when the connection cannot be made or breaks. */
export async function get(
  url: URL,
  validators: Validators,
  options: DownloadOptions,
  signal: AbortSignal,
): Promise<GetAnswer> {
  const addresses = await addressesOf(url.hostname, options, signal);
  if (!addresses.ok) return { outcome: 'failed', reason: addresses.reason };
  const { etag, lastModified } = validators;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = (url.protocol === 'https:' ? requestSecure : requestPlain)(url, {
    signal,
    // A connection of its own: nobody checked the address of one that lay ready, or that a proxy would open.
    agent: false,
    lookup: answering(addresses.addresses),
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
    return to ? { outcome: 'redirect', to } : { outcome: 'failed', reason: 'redirected to what is no URL' };
  }
  if (statusCode !== 200) return { outcome: 'failed', reason: `answered with status ${statusCode}` };
  const declared = Number(headers['content-length'] ?? 0);
  if (declared > maxBytes) return { outcome: 'refused', reason: `more than ${maxBytes} bytes` };
  const body = await readBody(response, headers['content-encoding'], maxBytes);
  if (!body.ok) return { outcome: 'refused', reason: body.reason };
  return {
    outcome: 'fetched',
    bytes: body.bytes,
    contentType: headers['content-type'] ?? null,
    etag: headers.etag ?? null,
    lastModified: headers['last-modified'] ?? null,
  };
}
