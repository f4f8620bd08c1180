import { unlessAborted, withDeadline } from './deadline.ts';
import type { DnsAsker, Question, Reply } from './dns-question.ts';

/** A name that exists wherever the public DNS does: the first root server (IANA root hints). */
export const PROOF: Question = { name: 'a.root-servers.net', type: 'A' };
/** For so long a resolver that knew the proof is believed, and one that did not is not asked for it again. */
const BELIEVED_MS = 60_000;
const DOUBTED_MS = 5_000;

export interface NegativeAnswerGuardOptions {
  /** For the proof, which many questions may wait for: one that gives up does not end it. */
  readonly timeoutMs: number;
  /** Milliseconds that only grow. */
  readonly now: () => number;
  /** Called each time the resolver is found out; for the log. */
  readonly onDoubt: () => void;
}

/**
 * Believes "no such name" and "no such record" only of a resolver that is connected to the DNS. Behind a
 * captive portal, a severed uplink or a walled network the system's resolver says NXDOMAIN to every
 * question, in a millisecond; taken at its word it would block every signup. Failures need no proof.
 */
export class NegativeAnswerGuard implements DnsAsker {
  readonly #inner: DnsAsker;
  readonly #options: NegativeAnswerGuardOptions;
  #verdict: { readonly connected: boolean; readonly untilMs: number } | undefined;
  #proving: Promise<boolean> | undefined;

  constructor(inner: DnsAsker, options: NegativeAnswerGuardOptions) {
    this.#inner = inner;
    this.#options = options;
  }

  async ask(question: Question, signal: AbortSignal): Promise<Reply> {
    const reply = await this.#inner.ask(question, signal);
    if (reply.outcome !== 'nxdomain' && reply.outcome !== 'nodata') return reply;
    const isConnected = await unlessAborted(signal, this.#isConnected(), undefined);
    if (isConnected === undefined) return { outcome: 'timeout' };
    return isConnected ? reply : { outcome: 'error' };
  }

  async #isConnected(): Promise<boolean> {
    const { now } = this.#options;
    if (this.#verdict && now() < this.#verdict.untilMs) return this.#verdict.connected;
    this.#proving ??= this.#prove().finally(() => {
      this.#proving = undefined;
    });
    return this.#proving;
  }

  async #prove(): Promise<boolean> {
    const { timeoutMs, now, onDoubt } = this.#options;
    const reply = await withDeadline(timeoutMs, (signal) => this.#inner.ask(PROOF, signal));
    const connected = reply.outcome === 'found';
    this.#verdict = { connected, untilMs: now() + (connected ? BELIEVED_MS : DOUBTED_MS) };
    if (!connected) onDoubt();
    return connected;
  }
}
