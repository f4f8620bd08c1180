import type { RequestHandler } from './door.ts';

/** Those who came first wait no longer for others, who would share little more with them. */
export const AT_MOST = 32;

/**
 * Gathers requests as long as each turn of the event loop reads some more, and lets them in together. Each then takes its
 * steps beside the others, so that the code of a step is in the processor's caches for all of them, and one commit serves
 * them all: docs/decisions/0018. A request alone waits for one turn in which nothing is read.
 */
export function letInByTurns(handler: RequestHandler): RequestHandler {
  const waiting: Parameters<RequestHandler>[] = [];
  let before = 0;
  const endTurn = () => {
    if (waiting.length > before && waiting.length < AT_MOST) {
      before = waiting.length;
      setImmediate(endTurn);
      return;
    }
    before = 0;
    for (const [req, res] of waiting.splice(0)) handler(req, res);
  };
  return (req, res) => {
    if (waiting.push([req, res]) === 1) setImmediate(endTurn);
  };
}
