import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { bearerOf } from '../../accounts/authenticator.ts';

const compiled = new WeakMap<readonly string[], BlockList>();

/** Whether an address is in `http.trusted_proxies`: addresses and CIDR ranges, checked when they were loaded. */
function isTrustedProxy(address: string, trustedProxies: readonly string[]): boolean {
  const family = isIP(address);
  if (family === 0 || trustedProxies.length === 0) return false;
  let list = compiled.get(trustedProxies);
  if (list === undefined) {
    list = compile(trustedProxies);
    compiled.set(trustedProxies, list);
  }
  return list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

function compile(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', length] = range.split('/');
    const family = isIP(network) === 4 ? 'ipv4' : 'ipv6';
    if (length === undefined)
      list.addAddress(plainAddress(network), isIP(plainAddress(network)) === 4 ? 'ipv4' : 'ipv6');
    else list.addSubnet(network, Number(length), family);
  }
  return list;
}

/** `::ffff:192.0.2.1`, as a socket open to both families names an IPv4 peer (RFC 4291, 2.5.5.2), is `192.0.2.1`. */
function plainAddress(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

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

/**
 * Whether a proxy says that the client spoke HTTPS to it, in `X-Forwarded-Proto` or `Forwarded` (RFC 7239); schemes are
 * caseless (RFC 3986, 3.1). The last value rules, for the nearest proxy wrote it. Where both headers speak, both must say so:
 * a proxy that sets one of them passes the client's own other one on.
 */
function saysHttps(headers: IncomingHttpHeaders): boolean {
  const legacy = [headers['x-forwarded-proto'] ?? []].flat().join(',');
  const claims = [
    headers['x-forwarded-proto'] === undefined ? undefined : legacy.slice(legacy.lastIndexOf(',') + 1).trim(),
    headers.forwarded === undefined ? undefined : protoOf(headers.forwarded),
  ].filter((claim) => claim !== undefined);
  return claims.length > 0 && claims.every((claim) => claim.toLowerCase() === 'https');
}

/** RFC 7239, section 4: `for=192.0.2.1;proto=https, for="[2001:db8::1]"`; one pair and what follows it. */
const PAIR = /[ \t]*([\w!#$%&'*+.^`|~-]+)=("(?:[^"\\]|\\.)*"|[\w!#$%&'*+.^`|~-]+)[ \t]*([;,]|$)/y;

/** The last element's `proto`; undefined when it names none, `malformed` when quotes would let a client forge it. */
function protoOf(header: string): string | undefined {
  let proto: string | undefined;
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < header.length) {
    const [, name, value = '', end] = PAIR.exec(header) ?? [];
    if (name === undefined) return 'malformed';
    if (name.toLowerCase() === 'proto') {
      if (proto !== undefined) return 'malformed';
      proto = value.replace(/^"(.*)"$/, '$1');
    }
    if (end === ',') proto = undefined;
  }
  return proto;
}

/**
 * Tells whether the plain port serves a request: one that a trusted proxy took in by HTTPS. `onKeyInClear` is called with a key
 * that came over plain HTTP, where it can be read on the way.
 */
export function createPlainGate(trustedProxies: readonly string[], onKeyInClear: (secret: string) => void) {
  return (req: IncomingMessage): boolean => {
    const peer = plainAddress(req.socket.remoteAddress ?? '');
    if (isTrustedProxy(peer, trustedProxies) && saysHttps(req.headers)) return true;
    const secret = bearerOf(req.headers.authorization);
    if (secret !== undefined) onKeyInClear(secret);
    return false;
  };
}
