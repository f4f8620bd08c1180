import { isIP } from 'node:net';

const POSTGRES = ['postgres:', 'postgresql:'];
/** Redis 7 speaks what Valkey speaks; the last letter asks for TLS. */
const SHARED_STATE = ['valkey:', 'valkeys:', 'redis:', 'rediss:'];

/** Null too where a character of the password should have been escaped: what follows it would be taken for the host, and shown. */
function parse(url: string): URL | null {
  const parsed = URL.parse(url);
  const isEscaped = !parsed?.pathname.includes('@') && !/%(?![0-9a-f]{2})/i.test(parsed?.password ?? '');
  return isEscaped ? parsed : null;
}

/**
 * Whether `storage.url` names a PostgreSQL database; else it is the file of an SQLite one. Without a name it would be the database
 * that is named like the user, which may be another program's.
 */
export function isPostgresUrl(url: string): boolean {
  const { protocol, pathname } = parse(url) ?? {};
  return POSTGRES.includes(protocol ?? '') && /^\/./.test(pathname ?? '');
}

/** After the slash is the number of a database, if anything. */
export function isSharedStateUrl(url: string): boolean {
  const { protocol, hostname, pathname } = parse(url) ?? {};
  return SHARED_STATE.includes(protocol ?? '') && hostname !== '' && /^(\/\d*)?$/.test(pathname ?? '');
}

/** RFC 1035 section 4.2. */
const DNS_PORT = 53;

/** `ip`, `ip:port` or `[ip]:port`; undefined for anything else: the name of a server would have to be looked up. */
export function nameServerOf(text: string) {
  const [, six, four, digits = DNS_PORT] = /^(?:\[([^\]]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const [host, port] = [six ?? four ?? text, Number(digits)];
  const family = isIP(host);
  if (family === 0 || (six !== undefined && family !== 6) || port < 1 || port > 65_535) return undefined;
  return { host, port, family };
}

/**
 * For people and logs. A password may hold what it should have escaped, and the text may be no URL: what stands between the first
 * colon of the user's part and the last @ is taken for one, and so is each parameter whose name tells of one.
 */
export function withoutPassword(text: string): string {
  return text
    .replace(/^([^/]*\/\/[^:/?#@]*):.*@/s, '$1:[redacted]@')
    .replace(/([?&][^=&]*pass[^=&]*=)[^&]*/gi, '$1[redacted]');
}
