import { afterPendingIo } from '../lib/timers.ts';
import {
  type DnsAsker,
  type DnsFailure,
  isFailure,
  isNeverAsked,
  type Question,
  type Reply,
} from './dns-question.ts';
import type { NameServer } from './name-server.ts';

/** Longer chains of CNAMEs that servers leave open are not followed. */
const MAX_ALIASES = 8;

/** Asks the servers that reply, and goes after the aliases that they leave open. */
export class DnsClient implements DnsAsker {
  readonly #servers: () => readonly NameServer[];
  readonly #hedgeMs: number;

  /** `hedgeMs`: after so long without an answer another server is asked too. */
  constructor(servers: () => readonly NameServer[], hedgeMs: number) {
    this.#servers = servers;
    this.#hedgeMs = hedgeMs;
  }

  async ask(question: Question, signal: AbortSignal): Promise<Reply> {
    let name = question.name;
    let ttlSeconds = Number.POSITIVE_INFINITY;
    for (let aliases = 0; aliases <= MAX_ALIASES; aliases++) {
      const reply = await this.#askServers({ ...question, name }, signal);
      if (reply.outcome !== 'alias') return shorten(reply, ttlSeconds);
      ttlSeconds = Math.min(ttlSeconds, reply.ttlSeconds);
      name = reply.target;
      if (isNeverAsked(name)) return { outcome: 'nxdomain', ttlSeconds };
    }
    // A loop, or as good as one: what a resolver that follows it itself would say.
    return { outcome: 'servfail' };
  }

  #askServers(question: Question, signal: AbortSignal): Promise<Reply> {
    const servers = this.#servers();
    // All that are out are looked after, though only those that reply are asked.
    const probed = servers.filter((server) => server.probeIfDue());
    const replying = servers.filter((server) => !server.isOut);
    // Where no server replies, the question goes along with the probe; between two probes it fails at once.
    const asked = replying.length > 0 ? replying : probed;
    if (asked.length === 0) return Promise.resolve({ outcome: 'error' });
    return askServers(asked, question, this.#hedgeMs, signal);
  }
}

/** An answer lives no longer than the aliases that led to it. */
function shorten(reply: Reply, ttlSeconds: number): Reply {
  if (!('ttlSeconds' in reply) || ttlSeconds === Number.POSITIVE_INFINITY) return reply;
  return { ...reply, ttlSeconds: Math.min(reply.ttlSeconds ?? ttlSeconds, ttlSeconds) };
}

/** At once, and when one and two thirds of the time have passed without an answer. */
const MIN_ATTEMPTS = 3;

/** The most telling first: what a server said, then that one could not be reached, then silence. */
const GRAVITY: readonly DnsFailure[] = ['servfail', 'refused', 'malformed', 'error', 'timeout'];

/**
 * Asks the first server; the next as soon as that one fails or has said nothing for `hedgeMs`; the same ones again
 * where packets get lost. The first answer wins, and the servers still being asked are dropped. Failures alone come to the
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
