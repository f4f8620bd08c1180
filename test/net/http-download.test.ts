import { brotliCompressSync, gzipSync } from 'node:zlib';
import nock from 'nock';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type DownloadOptions, download, type Validators } from '../../src/net/http-download.ts';
import { fakeDns } from '../../src/provider-kit/testing/index.ts';

const ORIGIN = 'https://lists.test';
const NONE: Validators = { etag: null, lastModified: null };
const TEXT = 'a.example\nb.example\n';

beforeAll(() => nock.disableNetConnect());
afterEach(() => {
  expect(nock.pendingMocks()).toEqual([]);
  nock.cleanAll();
});
afterAll(() => nock.enableNetConnect());

const get = (path = '/list.txt', validators = NONE, options: Partial<DownloadOptions> = {}) =>
  download(new URL(path, ORIGIN).href, validators, {
    dns: fakeDns({ 'lists.test': { addresses: ['8.8.8.8'] } }),
    allowPrivateAddresses: false,
    maxBytes: 1_000,
    timeoutMs: 10_000,
    ...options,
  });

describe('a download', () => {
  it('returns the body with its validators', async () => {
    nock(ORIGIN, { badheaders: ['if-none-match', 'if-modified-since'] })
      .get('/list.txt')
      .matchHeader('user-agent', /^postern\/\d/)
      .reply(200, TEXT, {
        'content-type': 'text/plain',
        etag: '"v1"',
        'last-modified': 'Fri, 20 Nov 2026 10:00:00 GMT',
      });
    expect(await get()).toEqual({
      outcome: 'fetched',
      bytes: Buffer.from(TEXT),
      contentType: 'text/plain',
      etag: '"v1"',
      lastModified: 'Fri, 20 Nov 2026 10:00:00 GMT',
    });
  });

  it('requests only a newer version, and reports that there is none', async () => {
    nock(ORIGIN)
      .get('/list.txt')
      .matchHeader('if-none-match', '"v1"')
      .matchHeader('if-modified-since', 'Fri, 20 Nov 2026 10:00:00 GMT')
      .reply(304);
    const validators = { etag: '"v1"', lastModified: 'Fri, 20 Nov 2026 10:00:00 GMT' };
    expect(await get('/list.txt', validators)).toEqual({ outcome: 'not_modified' });
  });

  it('refuses a "not modified" that it did not ask for', async () => {
    nock(ORIGIN).get('/list.txt').reply(304);
    expect(await get()).toEqual({ outcome: 'failed', reason: 'answered with status 304' });
  });

  it.each([
    ['gzip', gzipSync(TEXT)],
    ['x-gzip', gzipSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
    ['identity', Buffer.from(TEXT)],
  ])('decompresses %s', async (encoding, body) => {
    nock(ORIGIN).get('/list.txt').reply(200, body, { 'content-encoding': encoding });
    expect(await get()).toMatchObject({ outcome: 'fetched', bytes: Buffer.from(TEXT) });
  });

  it.each([404, 403, 429, 500, 503, 206])('fails at status %i', async (status) => {
    nock(ORIGIN).get('/list.txt').reply(status, TEXT);
    expect(await get()).toEqual({ outcome: 'failed', reason: `answered with status ${status}` });
  });

  it('fails when the connection cannot be made', async () => {
    nock(ORIGIN).get('/list.txt').replyWithError('connect ECONNREFUSED');
    expect(await get()).toEqual({ outcome: 'failed', reason: 'connect ECONNREFUSED' });
  });
});

describe('what is refused', () => {
  it('is a body larger than the limit, with or without Content-Length', async () => {
    const long = 'x'.repeat(1_001);
    nock(ORIGIN).get('/list.txt').reply(200, long, { 'content-length': '1001' });
    expect(await get()).toEqual({ outcome: 'refused', reason: 'more than 1000 bytes' });
    nock(ORIGIN).get('/list.txt').reply(200, long);
    expect(await get()).toEqual({ outcome: 'refused', reason: 'more than 1000 bytes' });
    nock(ORIGIN).get('/list.txt').reply(200, long.slice(1));
    expect(await get()).toMatchObject({ outcome: 'fetched' });
  });

  it('is a compressed body that decompresses to more than the limit', async () => {
    nock(ORIGIN)
      .get('/list.txt')
      .reply(200, gzipSync('x'.repeat(100_000)), { 'content-encoding': 'gzip' });
    expect(await get()).toEqual({ outcome: 'refused', reason: 'more than 1000 bytes' });
  });

  it('is a compressed body that is cut off or damaged', async () => {
    const packed = gzipSync(TEXT);
    const broken = [
      packed.subarray(0, packed.length - 9),
      Buffer.from('no gzip'),
      Buffer.from(packed).fill(0, 12, 16),
    ];
    for (const body of broken) {
      nock(ORIGIN).get('/list.txt').reply(200, body, { 'content-encoding': 'gzip' });
      expect(await get()).toEqual({
        outcome: 'refused',
        reason: 'damaged or cut off: it cannot be unpacked (gzip)',
      });
    }
  });

  it('is a body with a content encoding that was not asked for', async () => {
    nock(ORIGIN).get('/list.txt').reply(200, TEXT, { 'content-encoding': 'zstd' });
    expect(await get()).toEqual({ outcome: 'refused', reason: 'packed as "zstd", which was not asked for' });
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('with status %i is followed', async (status) => {
    nock(ORIGIN).get('/list.txt').reply(status, '', { location: '/there.txt' });
    nock(ORIGIN).get('/there.txt').reply(200, TEXT);
    expect(await get()).toMatchObject({ outcome: 'fetched' });
  });

  it('is followed at most five times', async () => {
    for (let i = 0; i <= 5; i++)
      nock(ORIGIN)
        .get(`/${i}`)
        .reply(302, '', { location: `/${i + 1}` });
    expect(await get('/0')).toEqual({ outcome: 'failed', reason: 'redirected more than 5 times' });
  });

  it.each([
    ['http://lists.test/x', 'redirected from https: to http:'],
    ['file:///etc/passwd', 'redirected from https: to file:'],
    ['https://', 'redirected to what is no URL'],
    ['https://10.0.0.1/x', '10.0.0.1 is at no public address (10.0.0.1)'],
    ['https://[::1]/x', '[::1] is at no public address (::1)'],
    ['https://inside.test/x', 'inside.test is at no public address (10.1.2.3, fd00::1)'],
  ])('to %s is not followed', async (location, reason) => {
    nock(ORIGIN).get('/list.txt').reply(302, '', { location });
    const dns = fakeDns({
      'lists.test': { addresses: ['8.8.8.8'] },
      'inside.test': { addresses: ['10.1.2.3', 'fd00::1'] },
    });
    expect(await get('/list.txt', NONE, { dns })).toEqual({ outcome: 'failed', reason });
  });

  it('from http: to another protocol is refused by its own name', async () => {
    nock('http://lists.test').get('/list.txt').reply(302, '', { location: 'ftp://lists.test/x' });
    expect(await get('http://lists.test/list.txt')).toEqual({
      outcome: 'failed',
      reason: 'redirected from http: to ftp:',
    });
  });

  it('without a Location is a failure', async () => {
    nock(ORIGIN).get('/list.txt').reply(302);
    expect(await get()).toEqual({ outcome: 'failed', reason: 'answered with status 302' });
  });
});

describe('an address', () => {
  it('that DNS does not have is a failure', async () => {
    const dns = fakeDns();
    expect(await get('/list.txt', NONE, { dns })).toEqual({
      outcome: 'failed',
      reason: 'DNS has no address of lists.test: nxdomain',
    });
  });

  it('inside the network is never connected to', async () => {
    const dns = fakeDns({ 'lists.test': { addresses: ['192.168.1.10', '169.254.169.254'] } });
    expect(await get('/list.txt', NONE, { dns })).toMatchObject({ outcome: 'failed' });
  });
});
