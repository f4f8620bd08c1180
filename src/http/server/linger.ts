import type { IncomingMessage } from 'node:http';

/**
 * How long a refused client may still send before its connection is cut. Cutting at once would answer its
 * next packet with a reset, which can overtake the answer (RFC 9112, 9.6).
 */
export const LINGER_MS = 1000;

/**
 * Drops what still comes of a request's body, and calls back when there is no more of it, at the latest
 * after `LINGER_MS`: only then may the answer end, for node closes the connection with it.
 */
export function whenReceived(req: IncomingMessage, then: () => void): void {
  const once = () => {
    clearTimeout(timer);
    req.off('end', once).off('close', once);
    then();
  };
  const timer = setTimeout(once, LINGER_MS).unref();
  req.once('end', once).once('close', once).resume();
}
