import type { IncomingMessage } from 'node:http';
import { messageOf } from '../lib/thrown.ts';
import { withDeadline } from '../lib/time.ts';
import { exchange, readBody } from './http-exchange.ts';
import type { AddressCheck } from './public-address.ts';

/** Headers of the last download, sent back so that the server sends only newer content (RFC 9110, section 13). */
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
  /** The download arrived, but its body cannot be used. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /** The download did not arrive; another attempt may succeed. */
  | { readonly outcome: 'failed'; readonly reason: string };

export interface DownloadOptions extends AddressCheck {
  /** Limit of the body, both compressed and decompressed. */
  readonly maxBytes: number;
  /** For the whole download, redirects included. */
  readonly timeoutMs: number;
}

const MAX_REDIRECTS = 5;

/** Fetches `url` with GET; connects only to addresses that were found to be public. Never rejects. */
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
  { maxBytes, dns, allowPrivateAddresses }: DownloadOptions,
  signal: AbortSignal,
): Promise<Download> {
  const { etag, lastModified } = validators;
  const headers = {
    accept: 'text/plain, application/json',
    ...(etag !== null && { 'if-none-match': etag }),
    ...(lastModified !== null && { 'if-modified-since': lastModified }),
  };
  // A new connection: the address of a kept connection, or of one that a proxy would open, was not checked.
  const request = { dns, allowPrivateAddresses, agent: false, headers };
  let url = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const answer = await exchange(url, request, signal, (response) =>
      readAnswer(response, url, validators, maxBytes),
    );
    if (answer.outcome !== 'redirect') return answer;
    // A download that began over HTTPS must not go on over plain HTTP.
    if (answer.to.protocol !== 'https:' && answer.to.protocol !== url.protocol) {
      return failed(`redirected from ${url.protocol} to ${answer.to.protocol}`);
    }
    url = answer.to;
  }
  return failed(`redirected more than ${MAX_REDIRECTS} times`);
}

function failed(reason: string): Download {
  return { outcome: 'failed', reason };
}

/** RFC 9110, section 15.4: the statuses whose `Location` says where to ask next. */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

async function readAnswer(
  response: IncomingMessage,
  url: URL,
  { etag, lastModified }: Validators,
  maxBytes: number,
): Promise<Download | { readonly outcome: 'redirect'; readonly to: URL }> {
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
