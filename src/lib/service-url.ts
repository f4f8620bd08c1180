import { isIP } from 'node:net';

const POSTGRES = ['postgres:', 'postgresql:'];
/** Redis 7 speaks the protocol of Valkey; the s at the end asks for TLS. */
const SHARED_STATE = ['valkey:', 'valkeys:', 'redis:', 'rediss:'];

/** Null also where a character of the password should have been escaped: the text after it would count as the host, and be shown. */
function parse(url: string): URL | null {
  const parsed = URL.parse(url);
  const isEscaped = !parsed?.pathname.includes('@') && !/%(?![0-9a-f]{2})/i.test(parsed?.password ?? '');
  return isEscaped ? parsed : null;
}

/**
 * Whether `storage.url` names a PostgreSQL database; else it is the path of an SQLite file. The name of the database is required: by
 * default PostgreSQL takes the database named like the user, which may be another program's.
 */
export function isPostgresUrl(url: string): boolean {
  const { protocol, pathname } = parse(url) ?? {};
  return POSTGRES.includes(protocol ?? '') && /^\/./.test(pathname ?? '');
}

/** After the slash, only the number of a database is allowed. */
export function isSharedStateUrl(url: string): boolean {
  const { protocol, hostname, pathname } = parse(url) ?? {};
  return SHARED_STATE.includes(protocol ?? '') && hostname !== '' && /^(\/\d*)?$/.test(pathname ?? '');
}

/** RFC 1035 section 4.2. */
const DNS_PORT = 53;

/** `ip`, `ip:port` or `[ip]:port`; undefined for anything else: a host name would have to be looked up. */
export function nameServerOf(text: string) {
  const [, six, four, digits = DNS_PORT] = /^(?:\[([^\]]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const [host, port] = [six ?? four ?? text, Number(digits)];
  const family = isIP(host);
  if (family === 0 || (six !== undefined && family !== 6) || port < 1 || port > 65_535) return undefined;
  return { host, port, family };
}

/**
 * The text without its password, for people and logs. The text may be no URL, or its password not escaped: everything between the first
 * colon of the user's part and the last @ counts as the password (where `//` is missing, between the first colon and the last @), and so
 * does each parameter with `pass` in its name.
 */
export function withoutPassword(text: string): string {
  return text
    .replace(/^([^/]*\/\/[^:/?#@]*|[^:@]*(?!:\/\/)):.*@/s, '$1:[redacted]@')
    .replace(/((?:^|[?&\s])[^=&\s]*pass[^=&\s]*=)[^&]*/gi, '$1[redacted]');
}
