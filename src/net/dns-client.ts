import { afterPendingIo } from '../lib/time.ts';
import {
  type Ask,
  type DnsFailure,
  isFailure,
  isNeverAsked,
  type Question,
  type Reply,
  type ServerReply,
} from './dns-message.ts';
import type { NameServer } from './name-server.ts';

/** The longest chain of CNAMEs that is followed where servers leave it unresolved. */
const MAX_ALIASES = 8;

/** Asks the servers that are not out, and follows the CNAMEs that a server left unresolved. */
export function createDnsClient(servers: () => readonly NameServer[]): Ask {
  return async (question, signal) => {
    let name = question.name;
    let ttlSeconds = Number.POSITIVE_INFINITY;
    for (let aliases = 0; aliases <= MAX_ALIASES; aliases++) {
      const reply = await askReplying(servers(), { ...question, name }, signal);
      if (reply.outcome !== 'alias') return shorten(reply, ttlSeconds);
      ttlSeconds = Math.min(ttlSeconds, reply.ttlSeconds);
      name = reply.target;
      if (isNeverAsked(name)) return { outcome: 'nxdomain', ttlSeconds };
    }
    // A loop, or too long a chain: a resolver that follows CNAMEs itself would answer SERVFAIL.
    return { outcome: 'servfail' };
  };
}

async function askReplying(
  servers: readonly NameServer[],
  question: Question,
  signal: AbortSignal,
): Promise<ServerReply> {
  // Every server that is out is probed when due, though only servers that reply are asked.
  const probed = servers.filter((server) => server.probeIfDue());
  const replying = servers.filter((server) => !server.isOut);
  // If all servers are out, the question is sent beside the probe; between two probes it fails at once.
  const asked = replying.length > 0 ? replying : probed;
  return asked.length > 0 ? askServers(asked, question, signal) : { outcome: 'error' };
}

/** An answer lives no longer than the aliases that led to it. */
function shorten(reply: Reply, ttlSeconds: number): Reply {
  if (isFailure(reply) || ttlSeconds === Number.POSITIVE_INFINITY) return reply;
  return { ...reply, ttlSeconds: Math.min(reply.ttlSeconds ?? ttlSeconds, ttlSeconds) };
}

/** The first at once, then one after each third of the timeout without an answer. */
const MIN_ATTEMPTS = 3;
/** The most telling failure first: a server's reply, then an unreachable server, then silence. */
const GRAVITY: readonly DnsFailure[] = ['servfail', 'refused', 'malformed', 'error', 'timeout'];

/**
 * Asks the first server, and the next as soon as one fails or is silent for its `patienceMs`. A silent server is asked again if
 * `isLossy`. The first answer wins, and the servers still being asked are dropped. If all fail, the most telling failure is
 * returned, whatever their order.
 */
export function askServers(
  servers: readonly NameServer[],
  question: Question,
  signal: AbortSignal,
): Promise<ServerReply> {
  const attempts = Math.max(MIN_ATTEMPTS, servers.length);
  const waiting = Array.from({ length: attempts }, () => servers)
    .flat()
    .slice(0, attempts);
  const notAgain = new Set<NameServer>();
  const failures: DnsFailure[] = [];
  const settled = new AbortController();
  const { promise, resolve } = Promise.withResolvers<ServerReply>();
  let underWay = 0;
  let hedge: NodeJS.Timeout | undefined;

  const settle = (reply: ServerReply) => {
    clearTimeout(hedge);
    signal.removeEventListener('abort', giveUp);
    resolve(reply);
    settled.abort();
  };
  const giveUp = () =>
    settle({ outcome: GRAVITY.find((failure) => failures.includes(failure)) ?? 'timeout' });
  const askNext = () => {
    clearTimeout(hedge);
    if (settled.signal.aborted) return;
    let server = waiting.shift();
    while (server && notAgain.has(server)) server = waiting.shift();
    if (server) void ask(server);
    else if (underWay === 0) giveUp();
  };
  const ask = async (server: NameServer) => {
    if (!server.isLossy) notAgain.add(server);
    underWay++;
    hedge = setTimeout(afterPendingIo(askNext), server.patienceMs);
    const reply = await server.ask(question, settled.signal);
    underWay--;
    if (settled.signal.aborted) return;
    if (!isFailure(reply)) return settle(reply);
    failures.push(reply.outcome);
    // A second question would fail in the same way.
    notAgain.add(server);
    askNext();
  };

  if (signal.aborted) giveUp();
  else {
    signal.addEventListener('abort', giveUp, { once: true });
    askNext();
  }
  return promise;
}
