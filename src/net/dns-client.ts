import { askServers } from './ask-servers.ts';
import type { NameServer } from './name-server.ts';
import type { Question, Questioner, Reply } from './question.ts';
import { isNeverAsked } from './special-names.ts';

/** Longer chains of CNAMEs that servers leave open are followed by nobody. */
const MAX_ALIASES = 8;

/** Asks the servers that reply, and goes after the aliases that they leave open. */
export class DnsClient implements Questioner {
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
    // Where nobody replies, the question goes along with the probe; between two probes it fails at once.
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
