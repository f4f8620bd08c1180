import { once } from 'node:events';
import { expect, it } from 'vitest';
import { openListeners, openSocket } from './open-listeners.ts';

it('a client that half-closes right after a GET, as `nc -N` does, receives its answer', async () => {
  const { plain } = await openListeners({ trustedProxies: ['127.0.0.1'] });
  for (let round = 0; round < 10; round += 1) {
    const socket = await openSocket(plain, 'plain');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.end('GET / HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: https\r\n\r\n');
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK.*served/s);
  }
});
