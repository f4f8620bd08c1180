import { Resolver } from 'node:dns';
import type { DnsResolver } from '../provider-kit/index.ts';
import { CachingResolver } from './caching-resolver.ts';
import { DnsClient } from './dns-client.ts';
import type { DnsAsker } from './dns-question.ts';
import { DohTransport, parseServerAddress, TcpTransport, UdpTransport } from './dns-transports.ts';
import { NameServer } from './name-server.ts';
import { NegativeAnswerGuard } from './negative-answer-guard.ts';

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
  /** The system's resolver does not know the public DNS; told each time that it is found out. */
  readonly onDoubt?: () => void;
  /** A server stopped replying, or replies again; told once each time. */
  readonly onServerChange?: (server: string, isOut: boolean) => void;
  /** Told once, before anything is asked: whom questions go to, now and whenever it is called. */
  readonly onOpen?: (servers: () => readonly Pick<NameServer, 'label' | 'isOut'>[]) => void;
}

/**
 * The resolver that the configuration's `dns` section asks for. Servers that an operator named are taken at
 * their word; the system's may be anything that the network handed out. Throws on a server that is no address.
 */
export function createDnsResolver(
  { servers, timeoutMs, dohUrl }: DnsOptions,
  { onDoubt = () => undefined, onServerChange = () => undefined, onOpen = () => undefined }: DnsEvents = {},
): DnsResolver {
  // Looked up at each call, so that a test's clock is obeyed.
  const now = () => performance.now();
  const hedgeMs = timeoutMs / 3;
  const serverOf = (label: string, transport: DnsAsker, isLossy: boolean) =>
    new NameServer({
      label,
      transport,
      isLossy,
      patienceMs: hedgeMs,
      probeTimeoutMs: timeoutMs,
      now,
      onChange: onServerChange,
    });
  const datagramServer = (text: string) => {
    const address = parseServerAddress(text);
    return serverOf(text, new UdpTransport(address, new TcpTransport(address)), true);
  };
  const clientOf = (current: () => readonly NameServer[]) => {
    onOpen(current);
    return new DnsClient(current, hedgeMs);
  };
  const resolverOf = (client: DnsAsker) => new CachingResolver(client, timeoutMs, now);

  if (dohUrl !== null) {
    // The rest of the URL may name a customer.
    const server = serverOf(new URL(dohUrl).origin, new DohTransport(dohUrl), false);
    return resolverOf(clientOf(() => [server]));
  }
  if (servers.length > 0) {
    const named = servers.map(datagramServer);
    return resolverOf(clientOf(() => named));
  }
  const client = clientOf(systemServers(datagramServer, now));
  return resolverOf(new NegativeAnswerGuard(client, { timeoutMs, now, onDoubt }));
}
