import { messageOf } from '../lib/thrown.ts';
import type { DnsResolver } from '../provider-kit/index.ts';
import { withDeadline } from './deadline.ts';
import { get } from './http-get.ts';

/** What the last download said of its content, sent back to ask only for something newer (RFC 9110, section 13). */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** What a download came to. */
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

export interface DownloadOptions {
  readonly dns: DnsResolver;
  /** For tests: a server on loopback. */
  readonly allowPrivateAddresses: boolean;
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
