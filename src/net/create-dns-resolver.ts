import { Resolver } from 'node:dns';
import type { Config } from '../app/config/config.ts';
import { nameServerOf } from '../lib/service-url.ts';
import { systemClock, unlessAborted, withDeadline } from '../lib/time.ts';
import type { Clock, DnsResolver } from '../provider-kit/index.ts';
import { cachingResolver } from './caching-resolver.ts';
import { createDnsClient } from './dns-client.ts';
import { type Ask, isFailure, type Question, type ServerReply } from './dns-message.ts';
import { askByDatagram, askOverHttps } from './dns-transports.ts';
import { type DnsServerState, NameServer } from './name-server.ts';

/** A name that exists wherever the public DNS does: the first root server (IANA root hints). */
export const PROOF: Question = { name: 'a.root-servers.net', type: 'A' };
/** How long a proof holds, and how long a failed proof holds before the resolver is asked again. */
const BELIEVED_MS = 60_000;
const DOUBTED_MS = 5_000;

interface GuardOptions {
  /** For the proof. Many questions may wait for one proof; a question that is aborted does not end it. */
  readonly timeoutMs: number;
  /** Milliseconds that only grow. */
  readonly now: () => number;
  /** Called each time the proof fails; for the log. */
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

/** A laptop that changes networks, or a new resolv.conf, is noticed within this time. Reading costs 0.1 ms. */
const REREAD_MS = 30_000;

/**
 * Returns the system's current name servers (/etc/resolv.conf or its equivalent), read again every `REREAD_MS`. A server that is still
 * listed keeps its object, and so its state. Other resolver options are ignored.
 */
export function systemServers<Server>(
  make: (address: string) => Server,
  now: () => number,
  read: () => readonly string[] = () => new Resolver().getServers(),
): () => readonly Server[] {
  let known = new Map<string, Server>();
  let readMs = Number.NEGATIVE_INFINITY;
  return () => {
    if (now() - readMs < REREAD_MS) return [...known.values()];
    readMs = now();
    known = new Map(read().map((address) => [address, known.get(address) ?? make(address)]));
    return [...known.values()];
  };
}

interface DnsEvents {
  readonly clock?: Clock;
  /** Called each time the proof shows that the system's resolver does not know the public DNS. */
  readonly onDoubt?: () => void;
  /** Called once each time a server stops replying or replies again. */
  readonly onServerChange?: (server: string, isOut: boolean) => void;
}

type NamedAsk = readonly [server: string, ask: Ask<ServerReply>];

function byDatagram(address: string): NamedAsk {
  const server = nameServerOf(address);
  if (!server) throw new Error(`${address} is no address of a name server`);
  return [address, askByDatagram(server)];
}

/** Names a DNS-over-HTTPS server by the origin of its URL: the rest may name a customer. */
function asksOf(addresses: readonly string[], dohUrl: string | null): readonly NamedAsk[] {
  return dohUrl === null ? addresses.map(byDatagram) : [[new URL(dohUrl).origin, askOverHttps(dohUrl)]];
}

/**
 * Makes the resolver of the configuration's `dns` section, with its `servers`. Servers that the operator named are believed; the system's
 * need the proof for a negative answer, as the network may have handed out anything. Throws on a server that is no address.
 */
export function createDnsResolver(
  { servers, timeoutMs, dohUrl }: Config['dns'],
  { clock = systemClock, onDoubt = () => undefined, onServerChange = () => undefined }: DnsEvents = {},
): DnsResolver & { readonly servers: () => readonly DnsServerState[] } {
  // Looked up at each call, so that a test's clock is obeyed.
  const now = () => performance.now();
  const how = { isLossy: dohUrl === null, timeoutMs, now, clock, onChange: onServerChange };
  const serverOf = ([server, ask]: NamedAsk) => new NameServer({ server, ask, ...how });
  const named = asksOf(servers, dohUrl).map(serverOf);
  const current =
    named.length > 0 ? () => named : systemServers((address) => serverOf(byDatagram(address)), now);
  const client = createDnsClient(current);
  const ask = named.length > 0 ? client : guardNegativeAnswers(client, { timeoutMs, now, onDoubt });
  return Object.assign(cachingResolver(ask, timeoutMs, now), { servers: current });
}

/** Asks each server of the `dns` section, else each of the system's, a question that every resolver can answer. */
export function probeServers({ servers, timeoutMs, dohUrl }: Config['dns']) {
  const addresses = servers.length > 0 ? servers : new Resolver().getServers();
  return Promise.all(
    asksOf(addresses, dohUrl).map(async ([server, ask]) => {
      const once = () => withDeadline(timeoutMs, (signal) => ask(PROOF, signal));
      const first = await once();
      // Asked twice: a datagram may be lost.
      const { outcome } = isFailure(first) ? await once() : first;
      return { server, outcome };
    }),
  );
}
