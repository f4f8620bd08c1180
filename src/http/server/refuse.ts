import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERRORS, type ErrorCode } from '../../errors.ts';
import type { Logger } from '../../observability/logger.ts';
import { errorEnvelope } from '../error-envelope.ts';
import { requestIdOf } from '../request-state.ts';
import { type Connections, closeBehindLast } from './connections.ts';

/**
 * How long a refused client may still send before its connection is cut. Cutting at once would answer its
 * next packet with a reset, which can overtake the answer (RFC 9112, 9.6).
 */
const LINGER_MS = 1000;

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

const refused = new WeakMap<Duplex, ErrorCode>();

/** The refusal that was sent on the connection itself, which only lingers, so that it is read. */
export function refusalOn(socket: Duplex): ErrorCode | undefined {
  return refused.get(socket);
}

/** Answers on a connection that has no response object (parser errors, upgrades), and closes it. */
export function refuseConnection(socket: Duplex, code: ErrorCode, requestId: string): void {
  if (refused.has(socket)) return;
  refused.set(socket, code);
  const { status } = ERRORS[code];
  const { body, headers } = refusal(code, requestId);
  const head = Object.entries({ Date: new Date().toUTCString(), ...headers }).map(
    ([k, v]) => `${k}: ${v}\r\n`,
  );
  // A client that is gone already is no news.
  socket.on('error', () => {});
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('end', () => socket.destroy()).once('close', () => clearTimeout(timer));
}

/** Answers a request that the handler never sees; its body is dropped and the connection is closed. */
export function refuseRequest(
  req: IncomingMessage,
  res: ServerResponse,
  code: ErrorCode,
  requestId: string,
): void {
  const { body, headers } = refusal(code, requestId);
  res.writeHead(ERRORS[code].status, headers).write(body);
  whenReceived(req, () => res.end());
}

function refusal(code: ErrorCode, requestId: string): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify(errorEnvelope(code, requestId));
  return {
    body,
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      'Request-Id': requestId,
      Connection: 'close',
    },
  };
}

/** Node's codes for what its parser and its clocks refuse; everything else is no valid HTTP. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

/** Answers what node's parser refuses in the envelope, and closes the connection. */
export function createClientErrorHandler(
  connections: Connections,
  log: Logger,
  onRefused: (code: ErrorCode) => void,
) {
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    // The parser fails again at each packet that is still on its way; cutting the connection would lose the answer.
    if (refusalOn(socket) !== undefined) return;
    const { unanswered, last } = connections.stateOf(socket);
    const open = unanswered.filter((res) => !isOver(res));
    const [waiting] = open;
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
    } else if (waiting?.headersSent === true) {
      // Its answer, which may still be in the socket's hands, goes out; nothing comes after it.
      socket.end(() => socket.destroy());
    } else if (waiting?.req.complete === true) {
      // The fault lies in a later, pipelined message. A refusal now would be taken for the answer of one before.
      closeBehindLast(open.filter(({ req }) => req.complete));
    } else if (waiting === undefined && last?.complete === false) {
      // Its answer is out and only its body is not in: there is nothing left to answer.
      socket.destroy();
    } else {
      const code = CODES[error.code ?? ''] ?? 'bad_request';
      // As the request was named when it was let in, if it was.
      const requestId = requestIdOf(waiting?.getHeader('Request-Id') ?? waiting?.req.headers['request-id']);
      refuseConnection(socket, code, requestId);
      onRefused(code);
      log.info({ request_id: requestId, code, reason: error.code }, 'request refused by the parser');
    }
  };
}

/** A whole answer may still be in the socket's hands: the fault is in the message after it, and is answered behind it. */
function isOver({ writableEnded, shouldKeepAlive, req }: ServerResponse): boolean {
  return writableEnded && shouldKeepAlive && req.complete;
}
