import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERRORS, type ErrorCode } from '../../errors.ts';
import { errorEnvelope } from '../error-envelope.ts';
import { LINGER_MS, whenReceived } from './linger.ts';

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
