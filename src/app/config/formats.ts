import { isIP, isIPv4, isIPv6 } from 'node:net';

/** The formats of `config/schema.json`: how a value is checked, and what a fault says. */
export const formats: Readonly<Record<string, { check: (text: string) => boolean; says: string }>> = {
  // Any text; marks the keys whose relative paths are resolved.
  path: { check: () => true, says: 'must be a path' },
  'sqlite-path': {
    check: (text) => pathOfSqlite(text) !== undefined,
    says: 'must be a path, plain or as sqlite:<path>',
  },
  'address-range': {
    check: isAddressRange,
    says: 'must be an IP address or a CIDR range such as 10.0.0.0/8',
  },
  'name-server': {
    check: isNameServer,
    says: 'must be an IP address, with a port as 127.0.0.1:5353 or [::1]:5353',
  },
  'https-url': {
    check: isHttpsUrl,
    says: 'must be an https: URL (http: on loopback only)',
  },
};

/** The path of `sqlite:<path>`, `sqlite:///<path>` or a plain path; undefined for any other scheme. */
export function pathOfSqlite(text: string): string | undefined {
  // One letter before the colon is a drive, not a scheme.
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1];
  const path =
    scheme === undefined ? text : scheme.toLowerCase() === 'sqlite' ? text.slice('sqlite:'.length) : '';
  return path.replace(/^\/\/(?=\/)/, '') || undefined;
}

function isAddressRange(text: string): boolean {
  const [address = '', length, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (family === 4 ? 32 : 128));
}

function isNameServer(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const [, six, four, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return false;
  return six === undefined ? isIPv4(four ?? '') : isIPv6(six);
}

function isHttpsUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url?.protocol === 'https:') return true;
  return url?.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
}
