import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isTrustedProxy, plainAddress } from './trusted-proxies.ts';

/**
 * The address that a request came from: the peer's, or behind trusted proxies the right-most address of
 * `X-Forwarded-For` that is not one of them. What stands further left is the client's own say and never
 * read; neither is anything left of an entry that is no address.
 */
export function clientAddress(
  req: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustedProxies: readonly string[],
): string {
  const peer = plainAddress(req.socket.remoteAddress ?? '');
  const header = req.headers['x-forwarded-for'];
  const hops = [header ?? []].flat().join(',').split(',').map(addressOf);
  let client = peer;
  while (isTrustedProxy(client, trustedProxies)) {
    const previous = hops.pop();
    if (previous === undefined) break;
    client = previous;
  }
  return client;
}

/** Some proxies add the port: `192.0.2.1:443`, `[2001:db8::1]:443`. */
function addressOf(entry: string): string | undefined {
  const text = entry.trim();
  const [, six, four] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  const address = plainAddress(six ?? four ?? text);
  return isIP(address) === 0 ? undefined : address;
}
