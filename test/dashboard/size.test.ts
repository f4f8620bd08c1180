import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from 'vite';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';

const LIMIT_BYTES = 250_000;
const built = join(packageRoot, 'dist/dashboard');

/** The page, its entry with what that imports at once, their styles, and the script before them. */
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

it.skipIf(!existsSync(built))('the first load of the dashboard is under 250 kB compressed', () => {
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

/** What would not get smaller is sent as it is. */
function sentSize(file: string, ending: string): number {
  const compressed = join(built, file + ending);
  return statSync(existsSync(compressed) ? compressed : join(built, file)).size;
}

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
