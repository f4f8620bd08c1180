import { Resolver } from 'node:dns';
import { systemClock } from '../lib/system-clock.ts';
import type { Clock, DnsResolver } from '../provider-kit/index.ts';
import { CachingResolver } from './caching-resolver.ts';
import { createDnsClient } from './dns-client.ts';
import type { Ask, ServerReply } from './dns-question.ts';
import { askByDatagram, askOverHttps, parseServerAddress } from './dns-transports.ts';
import { type DnsServerState, NameServer } from './name-server.ts';
import { guardNegativeAnswers } from './negative-answer-guard.ts';

/** A laptop that changes networks, or a new resolv.conf, is noticed within this time. Reading costs 0.1 ms. */
const REREAD_MS = 30_000;

/** The servers of /etc/resolv.conf, or what the system has in its place; none of its other options counts here. */
function readSystemServers(): readonly string[] {
  return new Resolver().getServers();
}

/** The system's servers as they are now, each made once, so that what is known of it is kept. */
export function systemServers<Server>(
  make: (address: string) => Server,
  now: () => number,
  read = readSystemServers,
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

interface DnsOptions {
  /** `ip` or `ip:port`; none means the system's. */
  readonly servers: readonly string[];
  /** For one question, whatever it takes; a look-up that asks two asks them side by side. */
  readonly timeoutMs: number;
  /** An HTTPS address that speaks RFC 8484; asked in place of `servers` when set. */
  readonly dohUrl: string | null;
}

/** What an operator should hear of. */
interface DnsEvents {
  readonly clock?: Clock;
  /** The system's resolver does not know the public DNS; told each time that it is found out. */
  readonly onDoubt?: () => void;
  /** A server stopped replying, or replies again; told once each time. */
  readonly onServerChange?: (server: string, isOut: boolean) => void;
}

/**
 * The resolver that the configuration's `dns` section asks for, and the servers that it asks. Servers that an operator named are
 * taken at their word; the system's may be anything that the network handed out. Throws on a server that is no address.
 */
export function createDnsResolver(
  { servers, timeoutMs, dohUrl }: DnsOptions,
  { clock = systemClock, onDoubt = () => undefined, onServerChange = () => undefined }: DnsEvents = {},
): DnsResolver & { readonly servers: () => readonly DnsServerState[] } {
  // Looked up at each call, so that a test's clock is obeyed.
  const now = () => performance.now();
  const serverOf = (server: string, ask: Ask<ServerReply>, isLossy: boolean) =>
    new NameServer({ server, ask, isLossy, timeoutMs, now, clock, onChange: onServerChange });
  const datagramServer = (text: string) => serverOf(text, askByDatagram(parseServerAddress(text)), true);

  let current: () => readonly NameServer[];
  let ask: Ask;
  if (dohUrl === null && servers.length === 0) {
    current = systemServers(datagramServer, now);
    ask = guardNegativeAnswers(createDnsClient(current), { timeoutMs, now, onDoubt });
  } else {
    // Of the URL the origin alone is shown: the rest may name a customer.
    const named =
      dohUrl === null
        ? servers.map(datagramServer)
        : [serverOf(new URL(dohUrl).origin, askOverHttps(dohUrl), false)];
    current = () => named;
    ask = createDnsClient(current);
  }
  return Object.assign(new CachingResolver(ask, timeoutMs, now), { servers: current });
}
