import { unlessAborted, withDeadline } from '../lib/timers.ts';
import type { Ask, Question } from './dns-question.ts';

/** A name that exists wherever the public DNS does: the first root server (IANA root hints). */
export const PROOF: Question = { name: 'a.root-servers.net', type: 'A' };
/** For so long a resolver that knew the proof is believed, and one that did not is not asked for it again. */
const BELIEVED_MS = 60_000;
const DOUBTED_MS = 5_000;

interface GuardOptions {
  /** For the proof, which many questions may wait for: one that gives up does not end it. */
  readonly timeoutMs: number;
  /** Milliseconds that only grow. */
  readonly now: () => number;
  /** Called each time the resolver is found out; for the log. */
  readonly onDoubt: () => void;
}

/**
 * Believes "no such name" and "no such record" only of a resolver that is connected to the DNS. Behind a captive portal, a
 * severed uplink or a walled network the system's resolver says NXDOMAIN to every question, in a millisecond; taken at its
 * word it would block every signup. Failures need no proof.
 */
export function guardNegativeAnswers(ask: Ask, { timeoutMs, now, onDoubt }: GuardOptions): Ask {
  let verdict = { isConnected: false, untilMs: Number.NEGATIVE_INFINITY };
  let proving: Promise<boolean> | undefined;

  const prove = async () => {
    const reply = await withDeadline(timeoutMs, (signal) => ask(PROOF, signal));
    const isConnected = reply.outcome === 'found';
    verdict = { isConnected, untilMs: now() + (isConnected ? BELIEVED_MS : DOUBTED_MS) };
    proving = undefined;
    if (!isConnected) onDoubt();
    return isConnected;
  };

  return async (question, signal) => {
    const reply = await ask(question, signal);
    if (reply.outcome !== 'nxdomain' && reply.outcome !== 'nodata') return reply;
    if (now() >= verdict.untilMs) proving ??= prove();
    const isConnected = await unlessAborted(
      signal,
      proving ?? Promise.resolve(verdict.isConnected),
      undefined,
    );
    if (isConnected === undefined) return { outcome: 'timeout' };
    return isConnected ? reply : { outcome: 'error' };
  };
}
