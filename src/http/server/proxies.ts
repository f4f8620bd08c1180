import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { bearerOf } from '../../accounts/authenticator.ts';
import type { Config } from '../../app/config/config.ts';

const compiled = new WeakMap<readonly string[], BlockList>();

/** Whether an address is in `http.trusted_proxies`: addresses and CIDR ranges. BlockList knows that an IPv4 address and its mapped form are one. */
export function isTrustedProxy(address: string, trustedProxies: readonly string[]): boolean {
  if (isIP(address) === 0 || trustedProxies.length === 0) return false;
  let list = compiled.get(trustedProxies);
  if (list === undefined) {
    list = compile(trustedProxies);
    compiled.set(trustedProxies, list);
  }
  return list.check(address, familyOf(address));
}

function compile(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', length] = range.split('/');
    if (length === undefined) list.addAddress(network, familyOf(network));
    else list.addSubnet(network, Number(length), familyOf(network));
  }
  return list;
}

const familyOf = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

/** Turns `::ffff:192.0.2.1`, an IPv4 peer's name on a socket open to both families (RFC 4291, 2.5.5.2), into `192.0.2.1`. */
function plainAddress(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

/** The members of a forwarding header: one for each proxy, the nearest proxy's last. An empty member keeps its place. */
function membersOf(header: string | string[] | undefined): string[] {
  return String(header ?? '')
    .split(',')
    .map((member) => member.trim());
}

export type ForwardedRequest = Pick<IncomingMessage, 'headers' | 'socket'>;

/**
 * Reads `X-Forwarded-For` from the right, one member for each trusted proxy. Members further left were sent by the client itself
 * and are not read. `proxies` is how many members count, of `X-Forwarded-Proto` and `Forwarded` too: 0 where the peer is no
 * trusted proxy, Infinity where `X-Forwarded-For` ends, or has a member that is no address, before it names a client.
 */
function readHops({ headers, socket }: ForwardedRequest, trustedProxies: readonly string[]) {
  const addresses = membersOf(headers['x-forwarded-for']).map(addressOf);
  let client = plainAddress(socket.remoteAddress ?? '');
  let proxies = 0;
  while (isTrustedProxy(client, trustedProxies)) {
    const previous = addresses.pop();
    if (previous === undefined) return { client, proxies: Number.POSITIVE_INFINITY };
    client = previous;
    proxies += 1;
  }
  return { client, proxies };
}

/** The peer's address. Behind trusted proxies: the right-most in `X-Forwarded-For` that is not trusted, else the left-most that was read. */
export function clientAddress(req: ForwardedRequest, trustedProxies: readonly string[]): string {
  return readHops(req, trustedProxies).client;
}

/** What the access log says about the client: `client_address`, and nothing unless `log.client_address` is on. */
export type LoggedClient = (req: ForwardedRequest) => { readonly client_address?: string };

export const noClient: LoggedClient = () => ({});

export function loggedClient({ http, log }: Pick<Config, 'http' | 'log'>): LoggedClient {
  if (!log.clientAddress) return noClient;
  return (req) => ({ client_address: clientAddress(req, http.trustedProxies) });
}

/** Some proxies add the port: `192.0.2.1:443`, `[2001:db8::1]:443`. */
function addressOf(text: string): string | undefined {
  const [, six, four] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  const address = plainAddress(six ?? four ?? text);
  return isIP(address) === 0 ? undefined : address;
}

/**
 * Whether the last `proxies` members of `X-Forwarded-Proto` and `Forwarded` (RFC 7239) say that the client and every proxy but
 * the nearest spoke HTTPS; schemes are caseless (RFC 3986, 3.1). Where both headers name a scheme, both must say HTTPS: a proxy
 * that sets only one of the headers passes on the other as the client sent it.
 */
function saysHttps(headers: IncomingHttpHeaders, proxies: number): boolean {
  const legacy = headers['x-forwarded-proto'];
  const protos = headers.forwarded === undefined ? [] : protosOf(headers.forwarded).slice(-proxies);
  const schemes = [
    ...(legacy === undefined ? [] : membersOf(legacy).slice(-proxies)),
    ...(protos.every((proto) => proto === undefined) ? [] : protos),
  ];
  return schemes.length > 0 && schemes.every((scheme) => scheme?.toLowerCase() === 'https');
}

/** RFC 7239, section 4: `for=192.0.2.1;proto=https, for="[2001:db8::1]"`; a pair, if there is one, and what follows it. */
const PAIR = /[ \t]*(?:([\w!#$%&'*+.^`|~-]+)=("(?:[^"\\]|\\.)*"|[\w!#$%&'*+.^`|~-]+)[ \t]*)?([;,]|$)/y;

/** Each element's `proto`, undefined where it names none; only `malformed` for bad syntax (quotes could forge one) or two in one element. */
function protosOf(header: string): (string | undefined)[] {
  const protos: (string | undefined)[] = [];
  let proto: string | undefined;
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < header.length) {
    const [pair, name, value = '', end] = PAIR.exec(header) ?? [];
    const isProto = name?.toLowerCase() === 'proto';
    if (pair === undefined || (isProto && proto !== undefined)) return ['malformed'];
    if (isProto) proto = value.replace(/^"(.*)"$/, '$1');
    if (end !== ',') continue;
    protos.push(proto);
    proto = undefined;
  }
  return [...protos, proto];
}

/** Whether the plain port serves a request: only if a trusted proxy received it over HTTPS. `onKeyInClear` gets keys that came in clear. */
export function createPlainGate(trustedProxies: readonly string[], onKeyInClear: (secret: string) => void) {
  return (req: IncomingMessage): boolean => {
    const { proxies } = readHops(req, trustedProxies);
    if (proxies > 0 && saysHttps(req.headers, proxies)) return true;
    const secret = bearerOf(req.headers.authorization);
    if (secret !== undefined) onKeyInClear(secret);
    return false;
  };
}
