import { BlockList, isIP } from 'node:net';

const compiled = new WeakMap<readonly string[], BlockList>();

/** Whether an address is in `http.trusted_proxies`: addresses and CIDR ranges, checked when they were loaded. */
export function isTrustedProxy(address: string, trustedProxies: readonly string[]): boolean {
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
export function plainAddress(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}
