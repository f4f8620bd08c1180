import { once } from 'node:events';
import Koa from 'koa';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { answerFailure } from '../../../src/http/middleware/answer-failure.ts';
import type { RequestState } from '../../../src/http/request-state.ts';
import { noMetrics } from '../../../src/observability/metrics.ts';
import { openListeners, openSocket, parseAnswer } from '../server/open-listeners.ts';

/** The first packet that a client gets for these bytes from a service that throws this, and the log. */
async function failing(thrown: unknown, bytes = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n', isRead = false) {
  const logged: Record<string, unknown>[] = [];
  const log = pino({ base: null }, { write: (line) => logged.push(JSON.parse(line)) });
  let state: RequestState | undefined;
  // Not the whole app, which closes the connection after any answer that is a stream.
  const koa = new Koa<RequestState>();
  koa.silent = true;
  koa.use(async (ctx) => {
    state = ctx.state;
    ctx.state.requestId = 'r-1';
    if (isRead) await once(ctx.req.resume(), 'end');
    answerFailure(ctx, thrown, log, noMetrics);
  });
  const { httpsPort } = await openListeners({}, koa.callback());
  const socket = await openSocket(httpsPort);
  socket.write(bytes);
  const [first] = await once(socket, 'data');
  return { ...parseAnswer(String(first)), logged, state };
}

const post = (framing: string, body = '') =>
  `POST / HTTP/1.1\r\nHost: localhost\r\n${framing}\r\n\r\n${body}`;
const REFUSED = new AppError('body_too_large');

describe('the connection of a request that failed', () => {
  it.each([
    ['65,536 octets', 'Content-Length: 65536'],
    ['nothing', 'Content-Length: 0'],
  ])('is kept when the request leaves %s unread', async (_, framing) => {
    expect((await failing(REFUSED, post(framing))).headers.connection).toBe('keep-alive');
  });

  it.each([
    ['65,537 octets', 'Content-Length: 65537'],
    ['a body of unknown length', 'Transfer-Encoding: chunked'],
  ])('is closed when the request leaves %s unread', async (_, framing) => {
    expect((await failing(REFUSED, post(framing))).headers.connection).toBe('close');
  });

  it.each([
    ['65,537 octets', post('Content-Length: 65537', ' '.repeat(65_537))],
    ['chunks', post('Transfer-Encoding: chunked', '0\r\n\r\n')],
  ])('is kept when its body was read, of any size: %s', async (_, bytes) => {
    expect((await failing(REFUSED, bytes, true)).headers.connection).toBe('keep-alive');
  });
});

describe('the answer to a request that failed', () => {
  it('has the right length, also before the body is read and with multi-byte text', async () => {
    const details = [{ message: 'Zwölf Boxkämpfer jagen 漢字.' }];
    const error = new AppError('rules_refused', { details });
    const { headers, body } = await failing(error, post('Transfer-Encoding: chunked'));
    expect(headers['content-length']).toBe(String(Buffer.byteLength(body)));
    expect(JSON.parse(body).error.details).toEqual(details);
  });

  it.each([
    [0, '1'],
    [1, '1'],
    [1_000, '1'],
    [1_001, '2'],
  ])(
    'turns a wait of %i ms into whole seconds, rounded up and at least one: %s',
    async (retryAfterMs, seconds) => {
      const { headers } = await failing(new AppError('rate_limited', { retryAfterMs }));
      expect(headers['retry-after']).toBe(seconds);
    },
  );

  it('hides the cause of a bug, which is only in the log, with its stack', async () => {
    const { body, logged } = await failing(new TypeError('broken'));
    expect(body).not.toContain('broken');
    const err = expect.objectContaining({
      message: 'broken',
      stack: expect.stringContaining('answer-failure.test.ts'),
    });
    expect(logged).toEqual([expect.objectContaining({ request_id: 'r-1', code: 'internal_error', err })]);
  });

  it('hides the cause of an unavailable part, which is in the log line of the request, without a stack', async () => {
    const thrown = new AppError('unavailable', { cause: new Error('disk full') });
    const { body, logged, state } = await failing(thrown);
    expect(body).not.toContain('disk full');
    expect(logged).toEqual([]);
    expect(state).toMatchObject({ errorCode: 'unavailable', reason: 'disk full' });
  });
});
