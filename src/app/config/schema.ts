import { readFileSync } from 'node:fs';
import { isIP, isIPv4, isIPv6 } from 'node:net';
import { join } from 'node:path';
import { packageRoot } from '../../lib/paths.ts';
import type { JsonSchema } from '../../provider-kit/index.ts';

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

/** What of a JSON Schema the loader reads itself; the rest is ajv's. */
export interface SchemaNode extends JsonSchema {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly format?: string;
  readonly default?: unknown;
  /** Never shown; may be read from a file by a variable that ends in `_FILE`. */
  readonly secret?: boolean;
}

export const configSchema: SchemaNode = JSON.parse(
  readFileSync(join(packageRoot, 'config', 'schema.json'), 'utf8'),
);

/** Every key that holds a value, in the schema's order: `http.tls.cert_file` to its schema. */
export const configKeys: ReadonlyMap<string, SchemaNode> = new Map(leavesOf(configSchema));

function* leavesOf(node: SchemaNode, prefix = ''): Generator<[string, SchemaNode]> {
  for (const [name, child] of Object.entries(node.properties ?? {})) {
    if (child.properties === undefined) yield [prefix + name, child];
    else yield* leavesOf(child, `${prefix}${name}.`);
  }
}

/** Whether a value of this schema can be a plain string, so that a variable's text is taken as it is. */
export function takesText(node: SchemaNode): boolean {
  const types = typeof node.type === 'string' ? [node.type] : (node.type ?? []);
  return types.includes('string') || (node.enum ?? []).some((value) => typeof value === 'string');
}
