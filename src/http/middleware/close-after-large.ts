import { getDefaultHighWaterMark } from 'node:stream';
import type { RequestContext } from '../state.ts';

/** What a socket takes at once, less the most that headers may come to. */
const LARGE_BYTES = getDefaultHighWaterMark(false) - 16_384;

/**
 * Lets no request follow a large answer on its connection. Node 24 pauses its parser at a request that comes while the answer
 * before it is still being written, and its TLS goes on feeding the parser what came with that request: a body of more than
 * one TLS record then fails as `HPE_PAUSED`, which the client would be told as 400, though it sent nothing wrong.
 * What a client has sent behind its request before it saw the answer is not answered.
 */
export function closeAfterLarge(ctx: RequestContext): void {
  if (isLarge(ctx.body)) ctx.res.shouldKeepAlive = false;
}

/** A stream has no size. */
function isLarge(body: unknown): boolean {
  if (typeof body === 'string')
    return body.length > LARGE_BYTES / 3 && Buffer.byteLength(body) >= LARGE_BYTES;
  if (Buffer.isBuffer(body)) return body.length >= LARGE_BYTES;
  return body !== undefined && body !== null;
}
