import type { IncomingMessage } from 'node:http';
import { type Agent, request as requestSecure } from 'node:https';
import { readVersion } from '../../lib/paths.ts';
import { codeOf } from '../../lib/thrown.ts';
import { traceHeaders } from '../../observability/tracing.ts';
import type { HttpAnswer, HttpRequest } from '../../provider-kit/index.ts';
import { type AddressCheck, AddressRefused, addressesOf, answering } from '../public-address.ts';
import { READ_CODINGS, readBody } from '../read-body.ts';

export interface SendOptions extends AddressCheck {
  /** Its kept connections were made to addresses that had been checked. */
  readonly agent: Agent;
  readonly maxBytes: number;
}

const HEADERS = { accept: 'application/json', 'accept-encoding': READ_CODINGS };
/** Of the connection, which is the port's (RFC 9110, section 7.6.1), and what would make it another's. */
const RESERVED =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-length)$/i;

/** One request, and what came of it. Never rejects. */
export async function sendJson(
  url: URL,
  { method = 'GET', headers = {}, body }: HttpRequest,
  options: SendOptions,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  try {
    const addresses = await addressesOf(url.hostname, options, signal);
    const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const own = Object.entries(headers).filter(([name]) => !RESERVED.test(name));
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const request = requestSecure(url, {
      method,
      signal,
      agent: options.agent,
      lookup: answering(addresses),
      headers: {
        ...traceHeaders.getStore(),
        'user-agent': `postern/${readVersion()}`,
        ...HEADERS,
        ...(content && { 'content-type': 'application/json', 'content-length': content.length }),
        ...Object.fromEntries(own),
      },
    });
    request.on('response', resolve);
    // Also what comes after the answer was read.
    request.on('error', reject);
    request.end(content);
    let response: IncomingMessage | undefined;
    try {
      response = await promise;
      return await readAnswer(response, method, options.maxBytes);
    } finally {
      // A connection whose answer was read to its end goes back to the agent.
      if (!response?.complete) request.destroy();
    }
  } catch (error) {
    if (signal.aborted) return { outcome: 'timeout' };
    if (error instanceof AddressRefused) return { outcome: 'refused', code: 'address' };
    const code = codeOf(error) ?? codeOf(error instanceof Error ? error.cause : undefined);
    return { outcome: 'error', ...(code !== undefined && { code }) };
  }
}

async function readAnswer(response: IncomingMessage, method: string, maxBytes: number): Promise<HttpAnswer> {
  const { statusCode: status = 0 } = response;
  if (status >= 300 && status < 400) return { outcome: 'refused', code: 'redirect' };
  const isGood = status >= 200 && status < 300;
  const bytes = await readBody(response, maxBytes);
  if (typeof bytes === 'string')
    return isGood ? { outcome: 'malformed', code: 'body' } : { outcome: 'status', status, body: null };
  const isEmpty = bytes.length === 0 && (method === 'HEAD' || status === 204 || !isGood);
  const read = isEmpty ? { json: null } : parse(bytes);
  if (isGood)
    return read ? { outcome: 'ok', status, body: read.json } : { outcome: 'malformed', code: 'json' };
  return { outcome: 'status', status, body: read?.json ?? null };
}

/** JSON is UTF-8 (RFC 8259, section 8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function parse(bytes: Buffer): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(utf8.decode(bytes)) };
  } catch {
    return undefined;
  }
}
