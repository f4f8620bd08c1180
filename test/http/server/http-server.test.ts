import { describe, expect, it } from 'vitest';
import { pathOf } from '../../../src/http/server/http-server.ts';
import { expectRefusal } from './expect-refusal.ts';
import { exchange, openListeners } from './open-listeners.ts';

describe('a request target', () => {
  it.each([
    ['/v1/', '/v1/'],
    ['//v1/?a=b', '//v1/?a=b'],
    ['*', '*'],
    ['http://localhost/v1/', '/v1/'],
    ['HTTPS://user@localhost:8443/v1/?a=http://b/', '/v1/?a=http://b/'],
    ['http://localhost', '/'],
    ['http://localhost?a', '/?a'],
    ['http://[::1]:8080/v1', '/v1'],
  ])('%s has the path %s', (target, path) => {
    expect(pathOf(target)).toBe(path);
  });

  it.each([
    'http://[::1/v1/',
    'http://a:-1/v1/',
    'http://',
    'http:///v1/',
    'ftp://localhost/',
    'localhost:443',
    'v1',
    '',
  ])('%s has no path', (target) => {
    expect(pathOf(target)).toBeUndefined();
  });

  it('that is an absolute URL reaches the handler as its path', async () => {
    const { httpsPort } = await openListeners({}, (req, res) => res.end(req.url));
    const bytes = 'GET https://localhost/v1/?a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    expect(await exchange(httpsPort, bytes)).toMatchObject({ status: 200, body: '/v1/?a' });
  });

  it.each(['http://[::1/v1/', 'http://a:-1/v1/', 'ftp://localhost/v1/'])(
    '%s is answered 400 with the caller’s request id',
    async (target) => {
      const { httpsPort } = await openListeners();
      const bytes = `POST ${target} HTTP/1.1\r\nHost: localhost\r\nRequest-Id: mine-3\r\n\r\n`;
      expectRefusal(await exchange(httpsPort, bytes), 'bad_request', 'mine-3');
    },
  );
});
