import { randomInt } from 'node:crypto';
import { connect } from 'node:net';
import { encodeQuery } from './query.ts';
import type { Question, Questioner, Reply } from './question.ts';
import { onlyReply, readReply } from './read-reply.ts';
import type { ServerAddress } from './server-address.ts';

/** Asks one server over a connection of its own: what did not fit in a datagram (RFC 7766). */
export class TcpTransport implements Questioner {
  readonly #server: ServerAddress;

  constructor(server: ServerAddress) {
    this.#server = server;
  }

  ask(question: Question, signal: AbortSignal): Promise<Reply> {
    if (signal.aborted) return Promise.resolve({ outcome: 'timeout' });
    const id = randomInt(2 ** 16);
    const socket = connect({ host: this.#server.host, port: this.#server.port, noDelay: true });
    return new Promise((resolve) => {
      let received = Buffer.alloc(0);
      const settle = (reply: Reply) => {
        signal.removeEventListener('abort', giveUp);
        socket.destroy();
        resolve(reply);
      };
      const giveUp = () => settle({ outcome: 'timeout' });
      signal.addEventListener('abort', giveUp, { once: true });
      socket.on('error', () => settle({ outcome: 'error' }));
      // Closed before the whole answer: cut off if it had begun, else never answered.
      socket.on('close', () => settle({ outcome: received.length > 0 ? 'malformed' : 'error' }));
      socket.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
        const message = firstMessage(received);
        if (message) settle(onlyReply(readReply(message, question, id)));
      });
      const query = encodeQuery(question, id);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(query.length);
      // In one write: some servers take the length alone for the whole (RFC 7766 section 8).
      socket.write(Buffer.concat([length, query]));
    });
  }
}

/** RFC 1035 section 4.2.2: each message follows its length in two octets; undefined while it is not whole. */
function firstMessage(received: Buffer): Buffer | undefined {
  if (received.length < 2) return undefined;
  const end = 2 + received.readUInt16BE(0);
  return received.length < end ? undefined : received.subarray(2, end);
}
