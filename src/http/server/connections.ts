import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';

/**
 * Requests that clients sent on kept connections before they can know of the end arrive within this, and are
 * answered. A client does not repeat a POST by itself when its connection closes without an answer.
 */
const ON_THE_WAY_MS = 100;

interface Connection {
  readonly unanswered: Set<ServerResponse>;
  last: IncomingMessage | undefined;
}

/** What is open on one server, and how it ends. Node itself knows no connections that have not sent a request. */
export class Connections {
  readonly #server: Server;
  readonly #open = new Map<Duplex, Connection>();
  /** TCP connections whose TLS handshake is not through, by the peer's address and port. */
  readonly #handshaking = new Map<string, Socket>();
  #draining = false;
  /** From here on a connection goes as soon as nothing on it waits for an answer. */
  #endsIdle = false;

  constructor(server: Server) {
    this.#server = server;
    if (server instanceof TlsServer) {
      server.on('connection', (socket) => this.#handshake(socket));
      server.on('secureConnection', (socket) => {
        this.#handshaking.delete(peerOf(socket));
        this.#opened(socket);
      });
    } else server.on('connection', (socket) => this.#opened(socket));
  }

  /** To be called for each request before it is handled. */
  begin(req: IncomingMessage, res: ServerResponse): void {
    const connection = this.#open.get(req.socket);
    if (connection === undefined) return;
    connection.last = req;
    connection.unanswered.add(res);
    if (this.#draining) closeBehindLast(connection.unanswered);
    res.once('close', () => {
      connection.unanswered.delete(res);
      if (this.#endsIdle && connection.unanswered.size === 0) req.socket.destroySoon();
    });
  }

  /** The answers that a connection still waits for, in order, and the last request that began on it. */
  stateOf(socket: Duplex): { unanswered: readonly ServerResponse[]; last: IncomingMessage | undefined } {
    const connection = this.#open.get(socket);
    return { unanswered: [...(connection?.unanswered ?? [])], last: connection?.last };
  }

  /** Takes no more connections, lets the requests in flight finish, and cuts what is left at the deadline. */
  async drain(deadlineMs: number): Promise<void> {
    this.#draining = true;
    // Not http's own `close`: it ends idle connections at once, and with them what is on its way to them.
    const closed = new Promise<void>((resolve) =>
      NetServer.prototype.close.call(this.#server, () => resolve()),
    );
    for (const socket of this.#handshaking.values()) socket.destroy();
    for (const { unanswered } of this.#open.values()) closeBehindLast(unanswered);
    const timers = [
      setTimeout(() => this.#endIdle(), Math.min(ON_THE_WAY_MS, deadlineMs)),
      setTimeout(() => this.#cut(), deadlineMs),
    ];
    await closed;
    for (const timer of timers) clearTimeout(timer);
    // Ends node's look-out for slow requests.
    this.#server.close();
  }

  #endIdle(): void {
    this.#endsIdle = true;
    for (const [socket, { unanswered }] of this.#open) {
      if (unanswered.size === 0) socket.end(() => socket.destroy());
    }
  }

  #cut(): void {
    for (const socket of [...this.#handshaking.values(), ...this.#open.keys()]) socket.destroy();
  }

  #handshake(socket: Socket): void {
    const peer = peerOf(socket);
    this.#handshaking.set(peer, socket);
    socket.once('close', () => this.#handshaking.delete(peer));
  }

  #opened(socket: Duplex): void {
    if (this.#draining) {
      socket.destroy();
      return;
    }
    this.#open.set(socket, { unanswered: new Set(), last: undefined });
    socket.once('close', () => this.#open.delete(socket));
  }
}

/**
 * Node says `Connection: close` on an answer that shall not keep its connection, and closes behind it: of pipelined requests all are
 * answered only when that is the last.
 */
export function closeBehindLast(unanswered: Iterable<ServerResponse>): void {
  const open = [...unanswered].filter(({ headersSent }) => !headersSent);
  for (const res of open) res.shouldKeepAlive = res !== open.at(-1);
}

function peerOf(socket: Socket): string {
  return `${socket.remoteAddress} ${socket.remotePort}`;
}
