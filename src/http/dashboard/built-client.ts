import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/**
 * The paths of the dashboard: each is answered with the same page, whose code shows the part that is asked for. The client's list is
 * dashboard/src/pages.ts; a test compares the two. Every other path is 404.
 */
export const CLIENT_ROUTES = [
  '/',
  '/sign-in',
  '/setup',
  '/account/password',
  '/checks',
  '/checks/:id',
  '/try',
  '/keys',
  '/rules',
  '/rules/history',
  '/rules/shadow',
  '/providers',
  '/lists',
  '/lists/named/:name',
  '/people',
  '/audit',
  '/docs',
  '/docs/openapi',
  '/docs/dashboard-openapi',
  '/docs/:name',
  '/docs/:folder/:name',
] as const;

/** File endings of the encoded forms, which the build writes where they are smaller. The first is preferred. */
const ENDINGS = [
  { encoding: 'br', ending: '.br' },
  { encoding: 'gzip', ending: '.gz' },
  { encoding: 'identity', ending: '' },
];

export type BuiltClient = NonNullable<ReturnType<typeof readBuiltClient>>;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

/** Reads the whole client into memory, about four megabytes: no request reads a disk, and a new build needs a start. Null where not built. */
export function readBuiltClient(directory: string) {
  const page = join(directory, 'index.html');
  if (!existsSync(page)) return null;
  const folder = join(directory, 'assets');
  const names = readdirSync(folder);
  const originals = names.filter((name) => !['.br', '.gz'].includes(extname(name)));
  return {
    /** The one page, with the place for the nonce still in it. */
    page: readFileSync(page, 'utf8'),
    /** By name, as it follows `/assets/` in the path. */
    assets: new Map(originals.map((name) => [name, readAsset(folder, name, new Set(names))])),
  };
}

function readAsset(folder: string, name: string, names: ReadonlySet<string>) {
  const contentType = CONTENT_TYPES[extname(name)];
  if (contentType === undefined)
    throw new Error(`${join(folder, name)}: no content type is known for its ending`);
  const forms = ENDINGS.filter(({ ending }) => names.has(name + ending)).map(({ encoding, ending }) => ({
    encoding,
    body: readFileSync(join(folder, name + ending)),
    /** A strong tag of its own for each form, as RFC 9110, 8.8.3.3, requires. The name contains a hash of the content. */
    etag: `"${name}${ending}"`,
  }));
  return { contentType, forms };
}
