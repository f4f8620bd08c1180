import { once } from 'node:events';
import { Readable } from 'node:stream';
import Router from '@koa/router';
import { describe, expect, it } from 'vitest';
import { createHall } from '../../src/http/hall.ts';
import type { RequestState } from '../../src/http/state.ts';
import { createLogger } from '../../src/observability/logger.ts';
import type { Metrics } from '../../src/observability/metrics.ts';
import { openListeners, openSocket } from './server/open-listeners.ts';

const NOTHING_COUNTED = { refused: () => {} } as unknown as Metrics;

/** What the answer with such a body says of its connection. */
async function connectionAfter(body: unknown): Promise<string | undefined> {
  const router = new Router<RequestState>().get('/', (ctx) => {
    ctx.body = body;
  });
  const hall = createHall(createLogger('silent'), NOTHING_COUNTED, router);
  const { httpsPort } = await openListeners({}, hall.callback());
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
  ])('stays for the next request after little: %s', async (_, body) => {
    expect(await connectionAfter(body)).toBe('keep-alive');
  });

  it.each([
    ['text', 'x'.repeat(49_152)],
    ['text of many octets', '漢'.repeat(16_385)],
    ['octets', Buffer.alloc(49_152)],
    ['a stream', Readable.from(['little'])],
  ])('goes after what its socket does not take at once: %s', async (_, body) => {
    expect(await connectionAfter(body)).toBe('close');
  });
});
