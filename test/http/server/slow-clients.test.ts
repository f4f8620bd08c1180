import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import Router from '@koa/router';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createKoaApp, mount } from '../../../src/http/koa-app.ts';
import { jsonReader } from '../../../src/http/middleware/read-json.ts';
import type { RequestState } from '../../../src/http/request-state.ts';
import { noteKnown } from '../../../src/http/server/connections.ts';
import { noMetrics } from '../../../src/observability/metrics.ts';
import { eventually } from '../../support/eventually.ts';
import { expectRefusal } from './expect-refusal.ts';
import { openListeners, openSocket, parseAnswer, readToEnd } from './open-listeners.ts';

/** Long enough for the TLS handshake on a busy machine, which has to end within the same time. */
const QUICK = { headersTimeoutMs: 500, requestTimeoutMs: 500 };

describe('a slow client', () => {
  it('that sends its headers slowly is answered with 408 request_timeout and closed', async () => {
    const { httpsPort } = await openListeners(QUICK);
    const socket = await openSocket(httpsPort);
    const text = readToEnd(socket);
    socket.write('POST /v1/ HTTP/1.1\r\nHost: localhost\r\n');
    const dribble = setInterval(() => socket.write('X: y\r\n'), 20);
    const answer = parseAnswer(await text);
    clearInterval(dribble);
    expectRefusal(answer, 'request_timeout');
  });

  it('that never sends the body is answered with 408 under its own request id and closed', async () => {
    const { httpsPort } = await openListeners(QUICK, (req) => req.resume());
    const socket = await openSocket(httpsPort);
    const text = readToEnd(socket);
    socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nRequest-Id: slow-1\r\nContent-Length: 9\r\n\r\n{');
    expectRefusal(parseAnswer(await text), 'request_timeout', 'slow-1');
  });

  it('that never sends the body is one request in the log, with its answer, and counted once', async () => {
    const lines: Record<string, unknown>[] = [];
    const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const count = vi.fn();
    const router = new Router<RequestState>();
    const read = jsonReader(100);
    mount(router, '/', { POST: async (ctx) => void (await read(ctx)) });
    const app = createKoaApp(log, { ...noMetrics, count }, router);
    const { httpsPort } = await openListeners(QUICK, app.callback());
    const socket = await openSocket(httpsPort);
    const text = readToEnd(socket);
    socket.write(
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    const { headers } = parseAnswer(await text);
    await eventually(() => expect(lines).toHaveLength(1));
    expect(lines[0]).toMatchObject({
      msg: 'request',
      request_id: headers['request-id'],
      status: 408,
      code: 'request_timeout',
    });
    // Counted by the listeners.
    expect(count).not.toHaveBeenCalled();
  });

  it('whose request was answered before its body arrived is closed without a second answer', async () => {
    const { httpsPort } = await openListeners(QUICK, (_, res) => {
      res.statusCode = 401;
      res.end('no');
    });
    const socket = await openSocket(httpsPort);
    const text = readToEnd(socket);
    socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{');
    expect((await text).match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('that sends nothing at all is closed', async () => {
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

  it('beyond http.max_connections_per_client is closed at once, over TLS and in clear, until another has ended', async () => {
    const { httpsPort, plain } = await openListeners({ maxConnectionsPerClient: 2 });
    const [first] = await Promise.all([openSocket(httpsPort), openSocket(httpsPort)]);
    await expect(openSocket(httpsPort)).rejects.toThrow();
    // Each port has its own count.
    await Promise.all([openSocket(plain, 'plain'), openSocket(plain, 'plain')]);
    expect(await readToEnd(await openSocket(plain, 'plain'))).toBe('');
    const closed = once(first, 'close');
    first.destroy();
    await closed;
    await eventually(() => openSocket(httpsPort));
  });

  it('is not counted for a trusted proxy', async () => {
    const { plain } = await openListeners({ maxConnectionsPerClient: 1, trustedProxies: ['127.0.0.1'] });
    await openSocket(plain, 'plain');
    const second = await openSocket(plain, 'plain');
    const text = readToEnd(second);
    second.write(
      'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Forwarded-Proto: https\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n',
    );
    expect(parseAnswer(await text).status).toBe(200);
  });

  it('whose handshake does not arrive is closed first when nearly all connections are such', async () => {
    const { httpsPort } = await openListeners({ maxConnections: 4 }, (_, res) => res.end('served'));
    // No more than fit, one after the other: no connection is dropped.
    for (let n = 0; n < 6; n += 1) await openSocket(httpsPort, 'plain');
    const socket = await openSocket(httpsPort);
    const text = once(socket, 'data');
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(String((await text)[0])).toContain('served');
  });

  it('that only sent requests without a key is closed first when nearly all connections are open; one with a key is kept', async () => {
    const { httpsPort } = await openListeners({ maxConnections: 4 }, (req, res) => {
      if (req.headers.authorization) noteKnown(res);
      res.end('served');
    });
    const ask = async (socket: Socket, header = '') => {
      const text = once(socket, 'data');
      socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\n${header}\r\n`);
      expect(String((await text)[0])).toContain('served');
    };
    const known = await openSocket(httpsPort);
    await ask(known, 'Authorization: Bearer key\r\n');
    const unknown = await openSocket(httpsPort);
    await ask(unknown);
    const gone = once(unknown, 'close');
    await openSocket(httpsPort);
    await openSocket(httpsPort);
    await gone;
    await ask(known);
  });

  it('that pipelines an eleventh request is closed, and nothing after its TLS record is read', async () => {
    const handler = vi.fn();
    const parsed = vi.fn();
    subscribe('http.server.request.start', parsed);
    onTestFinished(() => void unsubscribe('http.server.request.start', parsed));
    const { httpsPort, lines } = await openListeners({}, handler);
    expect(await readToEnd(pipeline(await openSocket(httpsPort), 2000))).toBe('');
    expect(handler).toHaveBeenCalledTimes(10);
    expect(parsed.mock.calls.length).toBeLessThan(500);
    const msg = 'connections are cut: more than ten requests wait on one';
    expect(lines).toMatchObject([{ client: '127.0.0.1', msg }]);
  });

  it('receives an answer to each of ten requests that it sends at once', async () => {
    const { httpsPort } = await openListeners({}, (_, res) => setImmediate(() => res.end('served')));
    const socket = pipeline(await openSocket(httpsPort), 10);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    await eventually(() => expect(text.match(/served/g)).toHaveLength(10));
  });
});

function pipeline(socket: Socket, amount: number): Socket {
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(amount));
  return socket;
}
