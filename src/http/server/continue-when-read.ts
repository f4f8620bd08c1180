import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Says `100 Continue` (RFC 9110, 10.1.1) when somebody begins to read the body, not before: a request that
 * is refused by its headers never sends it. Such an answer closes the connection, for the client may send
 * the body all the same, and it would be taken for the next request.
 */
export function continueWhenRead(req: IncomingMessage, res: ServerResponse): void {
  const keepsAlive = res.shouldKeepAlive;
  res.shouldKeepAlive = false;
  const onReader = (event: string | symbol) => {
    if ((event !== 'data' && event !== 'readable') || res.headersSent) return;
    req.off('newListener', onReader);
    res.shouldKeepAlive = keepsAlive;
    res.writeContinue();
  };
  req.on('newListener', onReader);
}
