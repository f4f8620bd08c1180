import { describe, expect, it } from 'vitest';
import { expectRefusal } from './expect-refusal.ts';
import { exchange, openListeners } from './open-listeners.ts';

const get = (...headers: string[]) =>
  ['GET /v1/ HTTP/1.1', 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n');
const TRUSTED = { trustedProxies: ['127.0.0.0/8'] };

describe('the plain port', () => {
  it('refuses a request with 403 without reading the body, and closes', async () => {
    let handled = false;
    const { plain } = await openListeners({}, () => {
      handled = true;
    });
    const answer = await exchange(
      plain,
      'POST /v1/ HTTP/1.1\r\nHost: localhost\r\nRequest-Id: r-1\r\nContent-Length: 1000000\r\n\r\n{"email"',
      'plain',
    );
    expectRefusal(answer, 'https_required', 'r-1');
    expect(handled).toBe(false);
  });

  it('refuses a client that is not a trusted proxy and claims https', async () => {
    const { plain } = await openListeners({ trustedProxies: ['10.0.0.0/8'] });
    expectRefusal(await exchange(plain, get('X-Forwarded-Proto: https'), 'plain'), 'https_required');
  });

  it.each([
    ['X-Forwarded-Proto: https'],
    ['X-Forwarded-Proto: http, https', 'X-Forwarded-For: 192.0.2.1'],
    ['X-Forwarded-Proto: https', 'X-Forwarded-For: 192.0.2.1, 127.0.0.2', 'X-Forwarded-Proto: https'],
    ['X-Forwarded-Proto: HTTPS'],
    ['Forwarded: proto=https'],
    ['Forwarded: Proto=Https'],
    ['Forwarded: for="[2001:db8::1]:80";Proto="https"'],
    ['Forwarded: for=192.0.2.1;proto=http, for=10.0.0.1;proto=https', 'X-Forwarded-For: 10.0.0.1'],
    ['X-Forwarded-Proto: https', 'Forwarded: for=192.0.2.1'],
  ])('serves a trusted proxy with %s', async (...headers) => {
    const { plain } = await openListeners(TRUSTED);
    expect(await exchange(plain, get(...headers), 'plain')).toMatchObject({ status: 200, body: 'served' });
  });

  it.each([
    [],
    ['X-Forwarded-Proto: http'],
    ['X-Forwarded-Proto: https, http'],
    ['X-Forwarded-Proto: http, https'],
    ['X-Forwarded-Proto: http, https', 'X-Forwarded-For: 192.0.2.1, 127.0.0.2'],
    ['X-Forwarded-Proto: http', 'X-Forwarded-For: 192.0.2.1, 127.0.0.2', 'X-Forwarded-Proto: https'],
    ['Forwarded: for=192.0.2.1;proto=http, for=127.0.0.2;proto=https'],
    ['X-Forwarded-Proto: https', 'X-Forwarded-Proto: http'],
    ['X-Forwarded-Proto: https,'],
    ['Forwarded: for=192.0.2.1'],
    ['Forwarded: proto=https, for=192.0.2.1'],
    ['Forwarded: proto=http;host="x, proto=https;y"'],
    ['Forwarded: proto=https;host="open'],
    ['Forwarded: proto=https;proto=http'],
    ['X-Forwarded-Proto: https', 'Forwarded: proto=http'],
    ['X-Forwarded-Proto: http', 'Forwarded: proto=https'],
  ])('refuses a trusted proxy with %s', async (...headers) => {
    const { plain } = await openListeners(TRUSTED);
    expectRefusal(await exchange(plain, get(...headers), 'plain'), 'https_required');
  });

  it('passes a key that was sent in clear to the hook, in any case of the scheme', async () => {
    const { plain, inClear } = await openListeners();
    await exchange(plain, get('Authorization: Bearer pst_live_abc'), 'plain');
    await exchange(plain, get('Authorization: bEARER  pst_live_def '), 'plain');
    await exchange(plain, get('Authorization: Basic abc'), 'plain');
    expect(inClear).toEqual(['pst_live_abc', 'pst_live_def']);
  });

  it('passes no key to the hook that a trusted proxy received over HTTPS', async () => {
    const { plain, inClear } = await openListeners(TRUSTED);
    await exchange(plain, get('Authorization: Bearer pst_live_abc', 'X-Forwarded-Proto: https'), 'plain');
    expect(inClear).toEqual([]);
  });

  it.each([
    ['an upgrade', 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
    ['CONNECT', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a request without Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['an unknown expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n'],
  ])('answers https_required before any other error to %s', async (_, bytes) => {
    const { plain } = await openListeners();
    expectRefusal(await exchange(plain, bytes, 'plain'), 'https_required');
  });

  it('does not exist when http.plain_port is null', async () => {
    expect((await openListeners({ plainPort: null })).plainPort).toBeNull();
  });
});
