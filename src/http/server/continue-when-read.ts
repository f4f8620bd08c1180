import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Says `100 Continue` (RFC 9110, 10.1.1) when somebody begins to read the body, not before: a request that
 * is refused by its headers never sends it. Node closes the connection after such a refusal by itself, for
 * the client may send the body all the same, and it would be taken for the next request.
 */
export function continueWhenRead(req: IncomingMessage, res: ServerResponse): void {
  const onReader = (event: string | symbol) => {
    if ((event !== 'data' && event !== 'readable') || res.headersSent) return;
    req.off('newListener', onReader);
    res.writeContinue();
  };
  req.on('newListener', onReader);
}
