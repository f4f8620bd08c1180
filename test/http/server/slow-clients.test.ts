import Router from '@koa/router';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { createKoaApp, mount } from '../../../src/http/koa-app.ts';
import { jsonReader } from '../../../src/http/middleware/read-json.ts';
import type { RequestState } from '../../../src/http/request-state.ts';
import { noMetrics } from '../../../src/observability/metrics.ts';
import { expectRefusal } from './expect-refusal.ts';
import { openListeners, openSocket, parseAnswer, readToEnd } from './open-listeners.ts';

const QUICK = { headersTimeoutMs: 100, requestTimeoutMs: 100 };

describe('a slow client', () => {
  it('that dribbles its headers is answered 408 request_timeout and closed', async () => {
    const { httpsPort } = await openListeners(QUICK);
    const socket = await openSocket(httpsPort);
    const text = readToEnd(socket);
    socket.write('POST /v1/ HTTP/1.1\r\nHost: localhost\r\n');
    const dribble = setInterval(() => socket.write('X: y\r\n'), 20);
    const answer = parseAnswer(await text);
    clearInterval(dribble);
    expectRefusal(answer, 'request_timeout');
  });

  it('that never sends the body is answered 408 under its own request id and closed', async () => {
    const { httpsPort } = await openListeners(QUICK, (req) => req.resume());
    const socket = await openSocket(httpsPort);
    const text = readToEnd(socket);
    socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nRequest-Id: slow-1\r\nContent-Length: 9\r\n\r\n{');
    expectRefusal(parseAnswer(await text), 'request_timeout', 'slow-1');
  });

  it('that never sends the body is one request in the log, as it was answered, and counted once', async () => {
    const lines: Record<string, unknown>[] = [];
    const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const count = vi.fn();
    const router = new Router<RequestState>();
    const read = jsonReader(100);
    mount(router, '/', { POST: async (ctx) => void (await read(ctx)) });
    const hall = createKoaApp(log, { ...noMetrics, count }, router);
    const { httpsPort } = await openListeners(QUICK, hall.callback());
    const socket = await openSocket(httpsPort);
    const text = readToEnd(socket);
    socket.write(
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    const { headers } = parseAnswer(await text);
    await vi.waitFor(() => expect(lines).toHaveLength(1));
    expect(lines[0]).toMatchObject({
      msg: 'request',
      request_id: headers['request-id'],
      status: 408,
      code: 'request_timeout',
    });
    // The listeners count it.
    expect(count).not.toHaveBeenCalled();
  });

  it('whose request was answered before its body came is closed without a second answer', async () => {
    const { httpsPort } = await openListeners(QUICK, (_, res) => {
      res.statusCode = 401;
      res.end('no');
    });
    const socket = await openSocket(httpsPort);
    const text = readToEnd(socket);
    socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{');
    expect((await text).match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('that says nothing at all is closed', async () => {
    const { httpsPort } = await openListeners(QUICK);
    expectRefusal(parseAnswer(await readToEnd(await openSocket(httpsPort))), 'request_timeout');
  });

  it('that never finishes the TLS handshake is closed', async () => {
    const { httpsPort } = await openListeners(QUICK);
    expect(await readToEnd(await openSocket(httpsPort, 'plain'))).toBe('');
  });

  it('that keeps an idle connection is closed after http.idle_timeout_ms', async () => {
    const { httpsPort } = await openListeners({ idleTimeoutMs: 100 });
    const socket = await openSocket(httpsPort);
    const text = readToEnd(socket);
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(parseAnswer(await text)).toMatchObject({ status: 200, headers: { connection: 'keep-alive' } });
  });

  it('beyond http.max_connections is closed at once, and the others are served', async () => {
    const { plain } = await openListeners({ maxConnections: 1 });
    const first = await openSocket(plain, 'plain');
    expect(await readToEnd(await openSocket(plain, 'plain'))).toBe('');
    const text = readToEnd(first);
    first.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expectRefusal(parseAnswer(await text), 'https_required');
  });
});
