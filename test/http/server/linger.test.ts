import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import Router from '@koa/router';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { createKoaApp } from '../../../src/http/koa-app.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { noMetrics } from '../../../src/observability/metrics.ts';
import { expectRefusal } from './expect-refusal.ts';
import { openListeners, openSocket, parseAnswer } from './open-listeners.ts';

const CHUNKS = 64;
const CHUNK = ' '.repeat(4096);
const BODY = CHUNKS * CHUNK.length;

/** Reads the answer before the body is sent, sends the whole body anyway, and reports how that ended. */
async function sendAfterAnswer(port: number, over: 'tls' | 'plain', framing: string) {
  const socket = await openSocket(port, over);
  let fault: string | undefined;
  socket.on('error', (error: NodeJS.ErrnoException) => {
    fault = error.code;
  });
  const closed = once(socket, 'close');
  socket.write(`POST /v1/ HTTP/1.1\r\nHost: localhost\r\nRequest-Id: r-1\r\n${framing}\r\n\r\n`);
  const [answer] = await once(socket, 'data');
  const isChunked = framing.startsWith('Transfer-Encoding');
  for (let sent = 0; sent < CHUNKS && !socket.destroyed; sent += 1) {
    socket.write(isChunked ? `${CHUNK.length.toString(16)}\r\n${CHUNK}\r\n` : CHUNK);
    await turn();
  }
  if (isChunked) socket.write('0\r\n\r\n');
  socket.resume();
  await closed;
  return { fault, answer: parseAnswer(String(answer)) };
}

function refusing() {
  const refuse = () => {
    throw new AppError('body_too_large');
  };
  return createKoaApp(createLogger('silent'), noMetrics, new Router(), [refuse]).callback();
}

describe('a client that is refused before it has sent its body', () => {
  it.each([
    ['of known length', `Content-Length: ${BODY}`],
    ['in chunks', 'Transfer-Encoding: chunked'],
  ])('receives its answer at once and no reset while it sends the rest %s', async (_, framing) => {
    const { httpsPort } = await openListeners({}, refusing());
    const { fault, answer } = await sendAfterAnswer(httpsPort, 'tls', framing);
    expectRefusal(answer, 'body_too_large', 'r-1');
    expect(fault).toBeUndefined();
  });

  it('receives its answer and no reset on the plain port either', async () => {
    const { plain } = await openListeners();
    const { fault, answer } = await sendAfterAnswer(plain, 'plain', `Content-Length: ${BODY}`);
    expectRefusal(answer, 'https_required', 'r-1');
    expect(fault).toBeUndefined();
  });
});

describe('a client that does not send HTTP', () => {
  it.each(['tls', 'plain'] as const)(
    'receives its answer and no reset while it sends more over %s',
    async (over) => {
      const { httpsPort, plain } = await openListeners();
      const socket = await openSocket(over === 'tls' ? httpsPort : plain, over);
      // The service ends its side at once; the client continues.
      socket.allowHalfOpen = true;
      let fault: string | undefined;
      socket.on('error', (error: NodeJS.ErrnoException) => {
        fault = error.code;
      });
      const ended = once(socket, 'end');
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.write('hello there\r\n\r\n');
      await ended;
      for (let sent = 0; sent < CHUNKS; sent += 1) {
        socket.write(CHUNK);
        await turn();
      }
      expectRefusal(parseAnswer(text), 'bad_request');
      expect({ fault, isCut: socket.destroyed }).toEqual({ fault: undefined, isCut: false });
    },
  );
});
