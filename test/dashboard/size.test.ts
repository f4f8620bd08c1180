import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from 'vite';
import { expect, it } from 'vitest';
import { PAGES, SIGNED_OUT } from '../../dashboard/src/pages.ts';
import { packageRoot } from '../../src/lib/paths.ts';

const LIMIT_BYTES = 170_000;
const built = join(packageRoot, 'dist/dashboard');

/** The page, its entry script with all static imports, their styles, and the script before them. */
function firstLoad(): readonly string[] {
  const manifest: Manifest = JSON.parse(readFileSync(join(built, '.vite/manifest.json'), 'utf8'));
  const files = new Set<string>();
  const add = (name: string) => {
    const chunk = manifest[name];
    if (chunk === undefined || files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const css of chunk.css ?? []) files.add(css);
    for (const imported of chunk.imports ?? []) add(imported);
  };
  add('index.html');
  const page = readFileSync(join(built, 'index.html'), 'utf8');
  for (const [, file = ''] of page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)) files.add(file);
  return [...files];
}

it.skipIf(!existsSync(built))('the first load of the dashboard is under 170 kB compressed', () => {
  const files = firstLoad();
  expect(files.some((file) => file.endsWith('.js')) && files.some((file) => file.endsWith('.css'))).toBe(
    true,
  );
  const sizeOf = (ending: string) =>
    statSync(join(built, 'index.html')).size +
    files.map((file) => sentSize(file, ending)).reduce((sum, size) => sum + size, 0);
  const [brotli, gzip] = [sizeOf('.br'), sizeOf('.gz')];
  console.info(`first load of the dashboard: ${kilobytes(brotli)} with Brotli, ${kilobytes(gzip)} with gzip`);
  expect(gzip).toBeLessThan(LIMIT_BYTES);
});

/** A file that compression does not make smaller is sent as it is. */
function sentSize(file: string, ending: string): number {
  const compressed = join(built, file + ending);
  return statSync(existsSync(compressed) ? compressed : join(built, file)).size;
}

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

it.skipIf(!existsSync(built))(
  'the page names the files of every page of the app, and has text before its style sheet',
  () => {
    const html = readFileSync(join(built, 'index.html'), 'utf8');
    const told = /data-pages="([^"]+)"/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? '{}';
    const { pages, files }: { pages: Record<string, number[]>; files: string[] } = JSON.parse(told);
    expect(Object.keys(pages).toSorted()).toEqual(
      [...PAGES, ...Object.values(SIGNED_OUT)].map(({ path }) => path).toSorted(),
    );
    expect(files.filter((file) => !existsSync(join(built, 'assets', file)))).toEqual([]);
    for (const [path, indices] of Object.entries(pages)) expect(indices.length, path).toBeGreaterThan(0);
    expect(html.indexOf('The dashboard is loading')).toBeLessThan(html.indexOf('rel="stylesheet"'));
  },
);

it.skipIf(!existsSync(built))(
  'few files are so small that their request costs more than their content',
  () => {
    const small = readdirSync(join(built, 'assets')).filter(
      (file) => file.endsWith('.js') && statSync(join(built, 'assets', file)).size < 1_000,
    );
    expect(small.length, small.join(', ')).toBeLessThan(8);
  },
);

it.skipIf(!existsSync(built))('styles of a lazily loaded page override the styles of the first load', () => {
  const first = new Set(firstLoad());
  const sheets = readdirSync(join(built, 'assets')).filter((file) => file.endsWith('.css'));
  const layersOf = (file: string) =>
    [...readFileSync(join(built, 'assets', file), 'utf8').matchAll(/@layer ([\w.]+)/g)].map(
      ([, name]) => name,
    );
  const [early, late] = [true, false].map((isFirst) =>
    sheets.filter((file) => first.has(`assets/${file}`) === isFirst).flatMap(layersOf),
  );
  // Rules outside of an inner layer override the rules in it, whatever the order of the sheets (css-cascade-5, 6.4.3).
  expect([new Set(early), new Set(late)]).toEqual([new Set(['mantine.first']), new Set(['mantine'])]);
});
