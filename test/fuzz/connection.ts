import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls, createSecureContext, TLSSocket } from 'node:tls';
import { type Answer, AnswerReader } from './answer-reader.ts';
import type { Expected, Listener, Step } from './fuzz-case.ts';

export interface Listeners {
  readonly httpsPort: number;
  readonly plainPort: number;
  /** The authority that signed the service's certificate, PEM. */
  readonly ca: string;
}

/** One connection as a client sees it: what it sent, what came back, and whether it is over. */
export class Connection {
  readonly #socket: Socket;
  readonly #reader = new AnswerReader();
  readonly #usesHttp: boolean;
  #expected: readonly Expected[] = [];
  #answers: Answer[] = [];
  #isClosed = false;
  #fault: string | undefined;
  #wake: () => void = () => {};
  /** Steps of all cases so far, for the report of a fault that an earlier case sowed. */
  readonly history: Step[] = [];
  cases = 0;
  /** When its last case was over. */
  restedAt = 0;

  constructor(socket: Socket, usesHttp: boolean) {
    this.#socket = socket;
    this.#usesHttp = usesHttp;
    socket.setNoDelay(true);
    // A reset is one way for the service to close.
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('close', () => {
      this.#isClosed = true;
      if (this.#reader.isMidway) this.#fault ??= 'the connection ended in the middle of an answer';
      this.#wake();
    });
  }

  /** Answers of the case that is under way. */
  get answers(): readonly Answer[] {
    return this.#answers;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** What came and no client could read; an answer that nobody asked for is one, too. */
  get fault(): string | undefined {
    return this.#fault;
  }

  begin(expected: readonly Expected[]): void {
    this.#expected = expected;
    this.#answers = [];
    this.cases += 1;
  }

  send(bytes: Buffer): void {
    if (this.#socket.writable) this.#socket.write(bytes);
  }

  /** Resolves when `isDone` holds after something was received or the connection ended; false at the deadline. */
  async until(isDone: () => boolean, deadlineMs: number): Promise<boolean> {
    if (isDone()) return true;
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(false), deadlineMs);
      const settle = (done: boolean) => {
        clearTimeout(timer);
        this.#wake = () => {};
        resolve(done);
      };
      this.#wake = () => isDone() && settle(true);
    });
  }

  finish(): void {
    this.#socket.end();
  }

  reset(): void {
    // Under TLS node can only close.
    if (this.#socket instanceof TLSSocket) this.#socket.destroy();
    else this.#socket.resetAndDestroy();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    // To a client that did not speak TLS the HTTPS port answers TLS alerts, or nothing.
    if (!this.#usesHttp) return;
    try {
      const isHead = (nth: number) => this.#expected[this.#answers.length + nth]?.isHead === true;
      this.#answers.push(...this.#reader.read(chunk, isHead));
      if (this.#answers.length > this.#expected.length)
        this.#fault ??= 'an answer more than there were requests';
    } catch (error) {
      this.#fault ??= (error as Error).message;
      this.#socket.destroy();
    }
    this.#wake();
  }
}

/** Opens connections to either port; TLS sessions are resumed half of the time, as by real clients. */
export function createOpener(listeners: Listeners): (listener: Listener) => Promise<Connection> {
  const secureContext = createSecureContext({ ca: listeners.ca });
  let session: Buffer | undefined;
  let opened = 0;
  return async (listener) => {
    opened += 1;
    const resumed = opened % 2 === 0 && session !== undefined ? { session } : {};
    const socket = await openSocket(listeners, listener, { secureContext, ...resumed });
    socket.on('session', (ticket: Buffer) => {
      session = ticket;
    });
    return new Connection(socket, listener !== 'tcp');
  };
}

/** A socket that is connected; over TLS, through the handshake. */
export async function openSocket(
  listeners: Listeners,
  listener: Listener,
  tls: ConnectionOptions = { ca: listeners.ca },
): Promise<Socket> {
  const host = '127.0.0.1';
  const socket =
    listener === 'https'
      ? connectTls({ host, port: listeners.httpsPort, servername: 'localhost', ...tls })
      : connectTcp({ host, port: listener === 'plain' ? listeners.plainPort : listeners.httpsPort });
  await once(socket, listener === 'https' ? 'secureConnect' : 'connect');
  return socket;
}
