import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Duplex, finished } from 'node:stream';
import { ERRORS, type ErrorCode } from '../../errors.ts';
import { errorEnvelope, requestIdOf } from '../request-state.ts';
import { type Connections, closeBehindLast } from './connections.ts';
import type { ForwardedRequest } from './proxies.ts';

/** How long a refused client may still send. After an immediate cut, a reset of its next packet can overtake the answer (RFC 9112, 9.6). */
const LINGER_MS = 1000;

/** Drops the rest of a body, then calls `then` (after `LINGER_MS` at the latest), which ends the answer: node closes the connection with it. */
export function whenReceived(req: IncomingMessage, then: () => void): void {
  finished(req.resume(), { signal: AbortSignal.timeout(LINGER_MS) }, () => then());
}

const refused = new WeakMap<Duplex, ErrorCode>();

/** The refusal that `refuseConnection` sent; the connection stays open only until the client has read it. */
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
  // A client that has closed its connection already is no fault.
  socket.on('error', () => {});
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('end', () => socket.destroy()).once('close', () => clearTimeout(timer));
}

/** Answers a request that the handler never sees; its body is dropped and the connection is closed. */
export function refuseRequest(req: IncomingMessage, res: ServerResponse, code: ErrorCode, requestId: string) {
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

/** Node's codes for what its parser and its timeouts refuse; everything else is no valid HTTP. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

/** Counts and logs a refusal that the handler does not see; answers the request's id. */
export type TellRefusal = (
  req: ForwardedRequest,
  code: ErrorCode,
  requestId: string,
  where: string,
  reason?: string,
) => string;

/** Answers with an error envelope when node's parser refuses a message, and closes the connection. */
export function createClientErrorHandler(connections: Connections, tell: TellRefusal) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    // The parser fails again at each packet that is still on its way; cutting the connection would lose the answer.
    if (refusalOn(socket) !== undefined) return;
    const { unanswered, last } = connections.stateOf(socket);
    // An answer written whole, if only to the socket's buffer, is done: the fault is in a later message, and its refusal comes after.
    const open = unanswered.filter(
      ({ writableEnded, shouldKeepAlive, req }) => !(writableEnded && shouldKeepAlive && req.complete),
    );
    const [waiting] = open;
    // Bytes written before the TLS handshake is through are sent after it, and would be read as the answer to the first request.
    if (['ECONNRESET', 'ERR_TLS_HANDSHAKE_TIMEOUT'].includes(error.code ?? '') || !socket.writable) {
      socket.destroy();
    } else if (waiting?.headersSent === true) {
      // The answer has begun. The part of it that is still in the socket's buffer is sent, and nothing after it.
      socket.end(() => socket.destroy());
    } else if (waiting?.req.complete === true) {
      // The fault lies in a later, pipelined message. A refusal now would be read as the answer to an earlier request.
      closeBehindLast(open.filter(({ req }) => req.complete));
    } else if (waiting === undefined && last?.complete === false) {
      // The last request was answered before its body had arrived: there is nothing left to answer.
      socket.destroy();
    } else {
      const code = CODES[error.code ?? ''] ?? 'bad_request';
      // The id that the request got when it began, if a request began.
      const requestId = requestIdOf(waiting?.getHeader('Request-Id') ?? waiting?.req.headers['request-id']);
      refuseConnection(socket, code, requestId);
      tell(waiting?.req ?? { headers: {}, socket }, code, requestId, 'by the parser', error.code);
    }
  };
}
