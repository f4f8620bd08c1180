import type { DiskWait } from './disk-wait.ts';
import type { RequestHandler } from './door.ts';

/** Are let in without waiting for others, who would share little more with them. */
export const ENOUGH = 32;
/** Who were answered together and ask again do so one right after the other: where none has for so long, none is waited for. */
export const GAP_MS = 0.3;

/**
 * Gathers what is posted as long as each turn of the event loop reads some more, and lets it in together. Each request then
 * takes its steps beside the others, so that the code of a step is in the processor's caches for all of them, and one commit
 * serves them all: docs/decisions/0018. While many answers wait for the disk it waits as well, up to 10 ms, for those who get them
 * will ask again together: 0041; then for these, as long as one comes right after the other: 0043. Who leaves meanwhile is not
 * checked. Alone a request waits for one turn in which no other is read. What is not posted is let in at the end of its turn: its
 * client may close its side right behind it, and node then ends the connection.
 */
export function letInByTurns(handler: RequestHandler, wait: DiskWait): RequestHandler {
  const waiting: Parameters<RequestHandler>[] = [];
  let before = 0;
  /** When the last was read, as `performance.now()`. */
  let lastRead = 0;
  /** Each group waits for one commit of others at most. */
  let commit: 'not met' | 'waited for' | 'over' = 'not met';
  const endTurn = () => {
    if (waiting.length < ENOUGH) {
      if (commit === 'not met' && wait.isLong) {
        commit = 'waited for';
        wait.whenOver(goOn);
        return;
      }
      const hasRead = waiting.length > before;
      if (hasRead) {
        before = waiting.length;
        lastRead = performance.now();
      }
      if (hasRead || (wait.away > 0 && performance.now() - lastRead < GAP_MS)) {
        setImmediate(endTurn);
        return;
      }
    }
    wait.expectNobody();
    before = 0;
    commit = 'not met';
    for (const [req, res] of waiting.splice(0)) handler(req, res);
  };
  const goOn = () => {
    if (commit !== 'waited for') return;
    commit = 'over';
    before = 0;
    endTurn();
  };
  return (req, res) => {
    if (req.method !== 'POST') {
      setImmediate(handler, req, res);
      return;
    }
    wait.comeBack();
    if (waiting.push([req, res]) === 1) setImmediate(endTurn);
    else if (waiting.length === ENOUGH) setImmediate(goOn);
  };
}
