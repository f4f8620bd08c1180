import type { DnsResolver } from '../provider-kit/index.ts';
import { CachingResolver } from './caching-resolver.ts';
import { DnsClient } from './dns-client.ts';
import { DohTransport } from './doh-transport.ts';
import { NameServer } from './name-server.ts';
import type { Questioner } from './question.ts';
import { parseServerAddress } from './server-address.ts';
import { SkepticalDnsClient } from './skeptical-dns-client.ts';
import { systemServers } from './system-servers.ts';
import { TcpTransport } from './tcp-transport.ts';
import { UdpTransport } from './udp-transport.ts';

export interface DnsOptions {
  /** `ip` or `ip:port`; none means the system's. */
  readonly servers: readonly string[];
  /** For one question, whatever it takes; a look-up that asks two asks them side by side. */
  readonly timeoutMs: number;
  /** An HTTPS address that speaks RFC 8484; asked in place of `servers` when set. */
  readonly dohUrl: string | null;
}

/** What an operator should hear of. */
export interface DnsEvents {
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
  const serverOf = (label: string, transport: Questioner, isLossy: boolean) =>
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
  const resolverOf = (client: Questioner) => new CachingResolver(client, timeoutMs, now);

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
  return resolverOf(new SkepticalDnsClient(client, { timeoutMs, now, onDoubt }));
}
