import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../app/config/temporary-folder.ts';
import { servePages } from './serve-pages.ts';

const SCRIPT = 'export const words = "again and again";\n'.repeat(50);

function aBuild(): string {
  const directory = temporaryFolder({
    'index.html': '<!doctype html>',
    'assets/app-1.js': SCRIPT,
    'assets/icon-1.svg': '<svg/>',
  });
  writeFileSync(join(directory, 'assets/app-1.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(directory, 'assets/app-1.js.gz'), gzipSync(SCRIPT));
  return directory;
}

/** fetch would add `no-cache` to a conditional request. */
const conditional = (encodings: string, etag: string) => ({
  headers: { 'accept-encoding': encodings, 'if-none-match': etag, 'cache-control': 'max-age=0' },
});
const accepting = (encodings: string) => ({ headers: { 'accept-encoding': encodings } });

describe('a file of the dashboard', () => {
  it.each([
    ['br, gzip', 'br'],
    // As browsers send it.
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', null],
    ['zstd', null],
  ])('is sent to a client that accepts %j in its smallest form', async (accepted, encoding) => {
    const ask = await servePages(aBuild());
    const answer = await ask('/assets/app-1.js', accepting(accepted));
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(await answer.text()).toBe(SCRIPT);
  });

  it('is sent uncompressed where the build found compression to be no smaller', async () => {
    const ask = await servePages(aBuild());
    const answer = await ask('/assets/icon-1.svg', accepting('br, gzip'));
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(await answer.text()).toBe('<svg/>');
  });

  it('is cacheable for good, and answered with 304 to clients that have it', async () => {
    const ask = await servePages(aBuild());
    const first = await ask('/assets/app-1.js', accepting('br'));
    expect(first.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const etag = first.headers.get('etag') ?? '';
    const again = await ask('/assets/app-1.js', conditional('br', etag));
    expect([again.status, await again.text()]).toEqual([304, '']);
    const otherForm = await ask('/assets/app-1.js', conditional('gzip', etag));
    expect(otherForm.status).toBe(200);
  });

  it('answers HEAD with the length of what GET would send', async () => {
    const ask = await servePages(aBuild());
    const head = await ask('/assets/app-1.js', { method: 'HEAD', ...accepting('gzip') });
    expect(head.headers.get('content-length')).toBe(String(gzipSync(SCRIPT).length));
  });

  it.each([
    '/assets/other.js',
    '/assets/app-1.js.br',
    '/assets/..%2findex.html',
    '/assets/%2e%2e%2findex.html',
    '/assets/',
    '/assets/constructor',
  ])('%s is not found', async (path) => {
    const ask = await servePages(aBuild());
    expect((await ask(path)).status).toBe(404);
  });

  it('stops the start when the build contains a file without a known content type', async () => {
    const directory = temporaryFolder({ 'index.html': '', 'assets/a.xyz': '' });
    await expect(servePages(directory)).rejects.toThrow(/a\.xyz.*content type/);
  });
});
