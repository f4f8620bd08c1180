import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

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
  const file = join(directory, 'index.html');
  if (!existsSync(file)) return null;
  const page = readFileSync(file, 'utf8');
  const folder = join(directory, 'assets');
  const names = readdirSync(folder);
  const originals = names.filter((name) => !['.br', '.gz'].includes(extname(name)));
  return {
    /** The one page, with the place for the nonce still in it. */
    page,
    paths: pathsIn(page),
    /** By name, as it follows `/assets/` in the path. */
    assets: new Map(originals.map((name) => [name, readAsset(folder, name, new Set(names))])),
  };
}

/** The paths at which the page is shown, of which its code then shows the part that is asked for: `/checks/:id`. The build writes them into it. */
function pathsIn(page: string): readonly string[] {
  const [, escaped = '{}'] = /data-pages="([^"]+)"/.exec(page) ?? [];
  const { pages = {} }: { pages?: object } = JSON.parse(escaped.replaceAll('&quot;', '"'));
  return Object.keys(pages);
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
