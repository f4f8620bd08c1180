import type { Logger } from '../observability/logger.ts';

/**
 * What the system says of a connection that its other end has closed or cut, and Node of a stream that was being sent over it.
 * A stream that breaks by a fault of ours comes with that fault instead.
 */
const CLIENT_LEFT = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Logs why an answer did not get through: a client that leaves is its own affair, anything else is a bug. */
export function logResponseFailure(log: Logger, err: NodeJS.ErrnoException): void {
  if (CLIENT_LEFT.has(err.code ?? ''))
    log.info({ reason: err.code }, 'the client left before its answer was through');
  else log.error({ err }, 'response failed');
}
