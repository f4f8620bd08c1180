import type { RequestHandler } from './door.ts';

/** Are let in without waiting for others, who would share little more with them. */
export const ENOUGH = 32;

/**
 * Gathers what is posted as long as each turn of the event loop reads some more, and lets it in together. Each request then
 * takes its steps beside the others, so that the code of a step is in the processor's caches for all of them, and one commit
 * serves them all: docs/decisions/0018. Alone it waits for one turn in which no other is read. What is not posted is let in
 * at the end of its turn: its client may close its side right behind it, and node then ends the connection.
 */
export function letInByTurns(handler: RequestHandler): RequestHandler {
  const waiting: Parameters<RequestHandler>[] = [];
  let before = 0;
  const endTurn = () => {
    if (waiting.length > before && waiting.length < ENOUGH) {
      before = waiting.length;
      setImmediate(endTurn);
      return;
    }
    before = 0;
    for (const [req, res] of waiting.splice(0)) handler(req, res);
  };
  return (req, res) => {
    if (req.method !== 'POST') setImmediate(handler, req, res);
    else if (waiting.push([req, res]) === 1) setImmediate(endTurn);
  };
}
