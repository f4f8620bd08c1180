import { afterPendingIo } from '../lib/timers.ts';
import type { NameServer } from './name-server.ts';
import { type DnsFailure, isFailure, type Question, type Reply } from './question.ts';

/** At once, and when one and two thirds of the time have passed without an answer. */
const MIN_ATTEMPTS = 3;

/** The most telling first: what a server said, then that one could not be reached, then that nobody said anything. */
const GRAVITY: readonly DnsFailure[] = ['servfail', 'refused', 'malformed', 'error', 'timeout'];

/**
 * Asks the first server; the next as soon as that one fails or has said nothing for `hedgeMs`; the same ones again
 * where packets get lost. The first answer wins, and who is still being asked is dropped. Failures alone come to the
 * most telling of them, whatever their order.
 */
export function askServers(
  servers: readonly NameServer[],
  question: Question,
  hedgeMs: number,
  signal: AbortSignal,
): Promise<Reply> {
  return new Promise((resolve) => new Race(servers, question, hedgeMs, signal, resolve).askNext());
}

class Race {
  readonly #question: Question;
  readonly #hedgeMs: number;
  readonly #signal: AbortSignal;
  readonly #resolve: (reply: Reply) => void;
  readonly #turns: NameServer[];
  readonly #done = new Set<NameServer>();
  readonly #failures: DnsFailure[] = [];
  readonly #end = new AbortController();
  #underWay = 0;
  #hedge: NodeJS.Timeout | undefined;

  constructor(
    servers: readonly NameServer[],
    question: Question,
    hedgeMs: number,
    signal: AbortSignal,
    resolve: (reply: Reply) => void,
  ) {
    const turns = Math.max(MIN_ATTEMPTS, servers.length);
    this.#turns = Array.from({ length: turns }, () => servers)
      .flat()
      .slice(0, turns);
    this.#question = question;
    this.#hedgeMs = hedgeMs;
    this.#signal = signal;
    this.#resolve = resolve;
    if (signal.aborted) this.#turns.length = 0;
    else signal.addEventListener('abort', this.#giveUp, { once: true });
  }

  readonly askNext = (): void => {
    clearTimeout(this.#hedge);
    if (this.#end.signal.aborted) return;
    let server = this.#turns.shift();
    while (server && this.#done.has(server)) server = this.#turns.shift();
    if (server) this.#ask(server);
    else if (this.#underWay === 0) this.#giveUp();
  };

  #ask(server: NameServer): void {
    if (!server.isLossy) this.#done.add(server);
    this.#underWay++;
    this.#hedge = setTimeout(afterPendingIo(this.askNext), this.#hedgeMs);
    void server.ask(this.#question, this.#end.signal).then((reply) => this.#hear(server, reply));
  }

  #hear(server: NameServer, reply: Reply): void {
    this.#underWay--;
    if (this.#end.signal.aborted) return;
    if (!isFailure(reply)) {
      this.#settle(reply);
      return;
    }
    this.#failures.push(reply.outcome);
    // What it said once it would say again.
    this.#done.add(server);
    this.askNext();
  }

  readonly #giveUp = (): void => {
    const outcome = GRAVITY.find((failure) => this.#failures.includes(failure)) ?? 'timeout';
    this.#settle({ outcome });
  };

  #settle(reply: Reply): void {
    clearTimeout(this.#hedge);
    this.#signal.removeEventListener('abort', this.#giveUp);
    this.#resolve(reply);
    this.#end.abort();
  }
}
