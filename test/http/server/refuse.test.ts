import { once } from 'node:events';
import type { Socket } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Connections } from '../../../src/http/server/connections.ts';
import { createClientErrorHandler, refusalOn, refuseConnection } from '../../../src/http/server/refuse.ts';
import { expectRefusal } from './expect-refusal.ts';
import { parseAnswer } from './open-listeners.ts';

let socket: Duplex;
let client: Duplex;

beforeEach(() => {
  // No connection is closed by a timeout here, only by what the client does.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  [socket, client] = duplexPair();
});
afterEach(() => {
  vi.useRealTimers();
});

/** All that the client reads until the service ends its side. */
async function answerRead(): Promise<string> {
  let text = '';
  client.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  await once(client, 'end');
  return text;
}

describe('a refused connection', () => {
  it('that its client resets does not raise an uncaught error', () => {
    refuseConnection(socket, 'bad_request', 'r-1');
    const reset = Object.assign(new Error('write ECONNRESET'), { code: 'ECONNRESET' });
    expect(() => socket.emit('error', reset)).not.toThrow();
  });

  it('gets one answer, the first', async () => {
    refuseConnection(socket, 'https_required', 'r-1');
    refuseConnection(socket, 'bad_request', 'r-2');
    await turn();
    expect(socket.errored).toBeNull();
    expect(refusalOn(socket)).toBe('https_required');
    expectRefusal(parseAnswer(await answerRead()), 'https_required', 'r-1');
  });

  it('discards further input and closes when the client has ended', async () => {
    refuseConnection(socket, 'bad_request', 'r-1');
    await answerRead();
    const closed = vi.fn();
    socket.once('close', closed);
    client.write('more of a message that nobody wants');
    await turn();
    expect(closed).not.toHaveBeenCalled();
    client.end();
    await turn();
    expect(closed).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('closes when the client has ended, although it never reads its answer', async () => {
    refuseConnection(socket, 'bad_request', 'r-1');
    client.end();
    await turn();
    expect(socket.destroyed).toBe(true);
  });
});

describe('a connection that is not valid HTTP', () => {
  const idle = { stateOf: () => ({ unanswered: [], last: undefined }) } as unknown as Connections;
  const fail = (code: string) => {
    const tell = vi.fn();
    createClientErrorHandler(idle, tell)(Object.assign(new Error('failed'), { code }), socket as Socket);
    return tell;
  };

  it('is answered with 400, which is counted', async () => {
    const tell = fail('HPE_INVALID_METHOD');
    expect(parseAnswer(await answerRead())).toMatchObject({ status: 400 });
    expect(tell).toHaveBeenCalledOnce();
  });

  it.each(['ECONNRESET', 'ERR_TLS_HANDSHAKE_TIMEOUT'])('is closed without an answer after %s', (code) => {
    const tell = fail(code);
    expect(socket.destroyed).toBe(true);
    expect(refusalOn(socket)).toBeUndefined();
    expect(tell).not.toHaveBeenCalled();
  });
});
