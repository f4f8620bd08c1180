import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import Router from '@koa/router';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createKoaApp, logResponseFailure } from '../../src/http/koa-app.ts';
import type { RequestState } from '../../src/http/request-state.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { type Metrics, noMetrics } from '../../src/observability/metrics.ts';
import { openListeners, openSocket } from './server/open-listeners.ts';

it('a finished request has one line in the log, with its status, code and duration', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ base: null }, { write: (line) => lines.push(JSON.parse(line)) });
  const server = createServer(createKoaApp(log, noMetrics, new Router<RequestState>()).callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const asked = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}/nowhere`, { headers: { connection: 'close' } });
  const took = performance.now() - asked;
  expect(answer.status).toBe(404);
  expect(lines).toMatchObject([
    {
      msg: 'request',
      request_id: answer.headers.get('request-id'),
      method: 'GET',
      status: 404,
      code: 'not_found',
    },
  ]);
  expect(lines[0]?.duration_ms).toBeGreaterThan(0);
  expect(lines[0]?.duration_ms).toBeLessThan(took);
});

function logged(error: NodeJS.ErrnoException) {
  const lines = new PassThrough();
  const log = pino({ base: null, formatters: { level: (level) => ({ level }) } }, lines);
  logResponseFailure(log, error);
  return JSON.parse(String(lines.read()));
}

it.each(['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'])(
  'a client that has disconnected (%s) is not logged as an error of the service',
  (code) => {
    expect(logged(Object.assign(new Error('write'), { code }))).toMatchObject({
      level: 'info',
      reason: code,
    });
  },
);

it('any other failure to send an answer is logged as an error, with its stack', () => {
  expect(logged(new TypeError('broken'))).toMatchObject({
    level: 'error',
    err: { type: 'TypeError', stack: expect.stringContaining('koa-app.test.ts') },
  });
});

const NOTHING_COUNTED = { refused: () => {} } as unknown as Metrics;

/** The connection headers of the answer with such a body. */
async function connectionAfter(body: unknown): Promise<string | undefined> {
  const router = new Router<RequestState>().get('/', (ctx) => {
    ctx.body = body;
  });
  const app = createKoaApp(createLogger('silent'), NOTHING_COUNTED, router);
  const { httpsPort } = await openListeners({}, app.callback());
  const socket = await openSocket(httpsPort);
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [first] = await once(socket, 'data');
  socket.destroy();
  return /^Connection: (.*)\r$/m.exec(String(first))?.[1];
}

describe('a connection', () => {
  it.each([
    ['text', 'x'.repeat(49_151)],
    ['octets', Buffer.alloc(49_151)],
    ['nothing', null],
  ])('is kept for the next request after a small body: %s', async (_, body) => {
    expect(await connectionAfter(body)).toBe('keep-alive');
  });

  it.each([
    ['text', 'x'.repeat(49_152)],
    ['text of many octets', '漢'.repeat(16_385)],
    ['octets', Buffer.alloc(49_152)],
    ['a stream', Readable.from(['little'])],
  ])('is closed after a body that its socket does not accept at once: %s', async (_, body) => {
    expect(await connectionAfter(body)).toBe('close');
  });
});
