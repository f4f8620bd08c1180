import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../../errors.ts';
import type { Logger } from '../../observability/logger.ts';
import { requestIdOf } from '../request-id.ts';
import { type Connections, closeBehindLast } from './connections.ts';
import { refusalOn, refuseConnection } from './refuse.ts';

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
