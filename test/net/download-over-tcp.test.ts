import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type DownloadOptions, download } from '../../src/net/http-download.ts';
import type { DnsResolver } from '../../src/provider-kit/index.ts';
import { plainList, startListServer } from '../support/list-server.ts';

const NONE = { etag: null, lastModified: null };

/** Answers each question with the next of its answers, and then always with the last one. */
function aFickleResolver(
  ...answers: readonly (readonly string[])[]
): DnsResolver & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    mx: async () => ({ outcome: 'nodata' }),
    async addresses(host) {
      const records = answers[Math.min(asked.length, answers.length - 1)] ?? [];
      asked.push(host);
      return { outcome: 'found', records };
    },
  };
}

const get = (url: string, options: Partial<DownloadOptions> = {}) =>
  download(url, NONE, {
    dns: aFickleResolver(['127.0.0.1']),
    allowPrivateAddresses: true,
    maxBytes: 100_000,
    timeoutMs: 10_000,
    ...options,
  });

describe('a download over a real connection', () => {
  it('connects to the address that was checked: the name is looked up once, only by our resolver', async () => {
    const server = await startListServer(plainList(['a.example']));
    // A name that no resolver of this machine knows.
    const dns = aFickleResolver(['127.0.0.1'], ['10.0.0.1']);
    expect(await get(`http://checked.invalid:${server.port}/`, { dns })).toMatchObject({
      outcome: 'fetched',
    });
    expect(dns.asked).toEqual(['checked.invalid']);
    expect(server.asked[0]).toMatchObject({ host: `checked.invalid:${server.port}` });
  });

  it('connects to no address of this machine unless a test allows it, by name or by number', async () => {
    const server = await startListServer(plainList(['a.example']));
    for (const host of ['127.0.0.1', 'checked.invalid', 'localhost']) {
      const answer = await get(`http://${host}:${server.port}/`, { allowPrivateAddresses: false });
      expect(answer).toMatchObject({
        outcome: 'failed',
        reason: expect.stringContaining('at no public address'),
      });
    }
    expect(server.asked).toEqual([]);
  });

  it('fails when the body ends before its declared length', async () => {
    const server = await startListServer((_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('a.example\n', () => response.destroy());
    });
    expect(await get(server.url)).toEqual({ outcome: 'failed', reason: 'it broke off before its end' });
  });

  it('fails when a chunked or compressed body has no end', async () => {
    const server = await startListServer((_, response) => {
      response.write('a.example\n', () => response.destroy());
    });
    expect(await get(server.url)).toMatchObject({ outcome: 'failed' });
    server.answer = (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.write(gzipSync('a.example\n').subarray(0, 12), () => response.destroy());
    };
    expect(await get(server.url)).toMatchObject({ outcome: 'failed' });
  });

  it('aborts a compression bomb at the limit, and closes the connection', async () => {
    // 256 MB of zeros, compressed to a thousandth.
    const bomb = gzipSync(Buffer.alloc(256 * 2 ** 20));
    const hungUp = Promise.withResolvers<void>();
    const server = await startListServer((_, response) => {
      response.on('close', hungUp.resolve);
      response.writeHead(200, { 'content-encoding': 'gzip' });
      // The rest is never sent: an implementation that waits for the end never returns.
      response.write(bomb.subarray(0, bomb.length - 8));
    });
    const before = process.memoryUsage().rss;
    expect(await get(server.url)).toEqual({ outcome: 'refused', reason: 'more than 100000 bytes' });
    await hungUp.promise;
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 2 ** 20);
  });

  it('aborts a body without an end', async () => {
    const hungUp = Promise.withResolvers<void>();
    const server = await startListServer((_, response) => {
      response.on('close', hungUp.resolve);
      const more = () => {
        if (!response.destroyed) response.write('x'.repeat(10_000), more);
      };
      more();
    });
    expect(await get(server.url)).toEqual({ outcome: 'refused', reason: 'more than 100000 bytes' });
    await hungUp.promise;
  });

  it('fails when the server switches protocols in place of an answer', async () => {
    const server = await startListServer((_request, response) => {
      response.socket?.end(
        'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n',
      );
    });
    expect(await get(server.url)).toEqual({
      outcome: 'failed',
      reason: 'the connection was closed before an answer',
    });
  });

  it('ends by timeout for a server that never answers, and for one that never ends', async () => {
    const server = await startListServer(() => undefined);
    expect(await get(server.url, { timeoutMs: 50 })).toEqual({
      outcome: 'failed',
      reason: 'not done after 0.05 s',
    });
    server.answer = (_, response) => void response.write('a.example\n');
    expect(await get(server.url, { timeoutMs: 50 })).toEqual({
      outcome: 'failed',
      reason: 'not done after 0.05 s',
    });
  });
});
