import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { encodeQuery } from './query.ts';
import type { Question, Questioner, Reply } from './question.ts';
import { onlyReply, type Reading, readReply } from './read-reply.ts';
import type { ServerAddress } from './server-address.ts';

/**
 * Asks one server by datagram, and over `stream` what does not fit in one. Every question has a socket, and so a
 * port, of its own, and a random id (RFC 5452). The socket is connected: the kernel drops whatever comes from
 * elsewhere. What answers another question is passed over, and waiting goes on.
 */
export class UdpTransport implements Questioner {
  readonly #server: ServerAddress;
  readonly #stream: Questioner;

  constructor(server: ServerAddress, stream: Questioner) {
    this.#server = server;
    this.#stream = stream;
  }

  async ask(question: Question, signal: AbortSignal): Promise<Reply> {
    let reading = await this.#exchange(question, { edns: true }, signal);
    if (reading === 'format_error') reading = await this.#exchange(question, { edns: false }, signal);
    return reading === 'truncated' ? this.#stream.ask(question, signal) : onlyReply(reading);
  }

  #exchange(question: Question, options: { readonly edns: boolean }, signal: AbortSignal): Promise<Reading> {
    if (signal.aborted) return Promise.resolve({ outcome: 'timeout' });
    const { host, port, family } = this.#server;
    const id = randomInt(2 ** 16);
    const socket = createSocket(family === 4 ? 'udp4' : 'udp6');
    return new Promise((resolve) => {
      let isOpen = true;
      const settle = (reading: Reading) => {
        if (!isOpen) return;
        isOpen = false;
        signal.removeEventListener('abort', giveUp);
        socket.close();
        resolve(reading);
      };
      const giveUp = () => settle({ outcome: 'timeout' });
      const fail = () => settle({ outcome: 'error' });
      signal.addEventListener('abort', giveUp, { once: true });
      // Nobody listens there, no route, no file descriptor left: the server was not asked.
      socket.on('error', fail);
      socket.on('message', (bytes) => {
        const reading = readReply(bytes, question, id);
        if (reading !== 'not_ours') settle(reading);
      });
      socket.connect(port, host, (error?: Error) => {
        if (error) fail();
        else if (isOpen) socket.send(encodeQuery(question, id, options), (failed) => failed && fail());
      });
    });
  }
}
