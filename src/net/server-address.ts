import { isIP } from 'node:net';

/** RFC 1035 section 4.2. */
const DNS_PORT = 53;

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly family: 4 | 6;
}

/** Reads `ip`, `ip:port` or `[ip]:port`. Throws on what is no address: names of servers would have to be looked up. */
export function parseServerAddress(text: string): ServerAddress {
  const [, six, four, port] = /^(?:\[([^\]]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = six ?? four ?? text;
  const family = isIP(host);
  if (family !== 4 && family !== 6) throw new Error(`${text} is no address of a name server`);
  return { host, port: port === undefined ? DNS_PORT : Number(port), family };
}
