import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';
import type { Config } from '../../app/config/config.ts';
import { clientNetwork } from '../../net/public-address.ts';
import { type Logger, warnSeldom } from '../../observability/logger.ts';
import { isTrustedProxy } from './proxies.ts';

/**
 * How long a stopping server keeps idle connections open. A request that a client sent before it could see the close arrives
 * within this time and is answered. A client does not repeat a POST by itself when its connection closes without an answer.
 */
const ON_THE_WAY_MS = 100;

/**
 * Requests on one connection that may wait for their answers (pipelining, RFC 9112, 9.3.2). Node reads some hundred small ones at once, and
 * each takes memory until its answer is read or its connection closed: without a bound a few hundred connections fill the heap.
 */
const MOST_PIPELINED = 10;

/**
 * A socket with Node's HTTP parser, which has no public name. A paused parser stops after one TLS record (some 450 small requests).
 * When only the socket is destroyed, the parser still reads all that was received (1,400).
 */
type Parsed = Socket & { readonly parser?: { readonly pause?: () => void } | null };

interface Connection {
  readonly unanswered: Set<ServerResponse>;
  last: IncomingMessage | undefined;
}

/** Connections on which a request with a key or a session succeeded, and those of trusted proxies. */
const known = new WeakSet<Duplex>();

/** Marks the connection of this answer as known: it is not cut to make room. */
export function noteKnown({ req }: ServerResponse): void {
  known.add(req.socket);
}

/** `maxConnectionsPerClient` counts per IPv4 address or IPv6 /64. It does not hold for trusted proxies, which speak for many clients. */
type Limits = Pick<Config['http'], 'maxConnections' | 'maxConnectionsPerClient' | 'trustedProxies'>;

/** From this share of `maxConnections` on, each new connection cuts one that is not known (`#makeRoom`). */
const NEARLY_FULL = 0.9;

/** The open connections of one server, and how they are closed. Node itself does not list those that have not sent a request. */
export class Connections {
  readonly #open = new Map<Duplex, Connection>();
  /** TCP connections whose TLS handshake is not through, by the peer's address and port. */
  readonly #handshaking = new Map<string, Socket>();
  #draining = false;
  /** When true, a connection is closed as soon as no request on it waits for an answer. */
  #endsIdle = false;

  /** The number of open connections of each client, TLS handshakes included, trusted proxies left out. */
  readonly #ofClient = new Map<string, number>();
  readonly #crowding: (details: object) => void;
  readonly #pipelining: (details: object) => void;

  constructor(
    private readonly server: Server,
    private readonly limits: Limits,
    log: Logger,
  ) {
    this.#crowding = warnSeldom(log, 'connections are dropped: http.max_connections_per_client is reached');
    this.#pipelining = warnSeldom(log, 'connections are cut: more than ten requests wait on one');
    server.maxConnections = limits.maxConnections;
    server.on('connection', (socket) => this.#admit(socket));
    if (server instanceof TlsServer) {
      server.on('connection', (socket) => this.#handshake(socket));
      server.on('secureConnection', (socket) => {
        this.#handshaking.delete(peerOf(socket));
        this.#opened(socket);
      });
    } else server.on('connection', (socket) => this.#opened(socket));
  }

  /** TLS handshakes included. */
  get count(): number {
    return this.#open.size + this.#handshaking.size;
  }

  /** Call for each request before it is handled. False where the request must not be handled: its connection is cut. */
  begin(req: IncomingMessage, res: ServerResponse): boolean {
    const connection = this.#open.get(req.socket);
    if (connection === undefined) return false;
    if (connection.unanswered.size >= MOST_PIPELINED) {
      this.#pipelining({ client: clientNetwork(req.socket.remoteAddress ?? '') });
      (req.socket as Parsed).parser?.pause?.();
      req.socket.destroy();
      return false;
    }
    connection.last = req;
    connection.unanswered.add(res);
    if (this.#draining) closeBehindLast(connection.unanswered);
    res.once('close', () => {
      connection.unanswered.delete(res);
      if (this.#endsIdle && connection.unanswered.size === 0) req.socket.destroySoon();
    });
    return true;
  }

  /** The answers that a connection still waits for, in order, and the last request that began on it. */
  stateOf(socket: Duplex): { unanswered: readonly ServerResponse[]; last: IncomingMessage | undefined } {
    const connection = this.#open.get(socket);
    return { unanswered: [...(connection?.unanswered ?? [])], last: connection?.last };
  }

  /** Takes no more connections, lets the requests in flight finish, and cuts what is left at the deadline. */
  async drain(deadlineMs: number): Promise<void> {
    this.#draining = true;
    // Not http's own `close`: it ends idle connections at once, and loses the requests that are on their way.
    const closed = new Promise<void>((resolve) =>
      NetServer.prototype.close.call(this.server, () => resolve()),
    );
    for (const socket of this.#handshaking.values()) socket.destroy();
    for (const { unanswered } of this.#open.values()) closeBehindLast(unanswered);
    const timers = [
      setTimeout(() => this.#endIdle(), Math.min(ON_THE_WAY_MS, deadlineMs)),
      setTimeout(() => this.#cut(), deadlineMs),
    ];
    await closed;
    for (const timer of timers) clearTimeout(timer);
    // Stops node's timer for slow requests.
    this.server.close();
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

  #admit(socket: Socket): void {
    if (this.#isProxy(socket)) return;
    const { maxConnections, maxConnectionsPerClient } = this.limits;
    const client = clientNetwork(socket.remoteAddress ?? '');
    const open = (this.#ofClient.get(client) ?? 0) + 1;
    if (open > maxConnectionsPerClient) {
      socket.destroy();
      this.#crowding({ client, max_connections_per_client: maxConnectionsPerClient });
      return;
    }
    this.#ofClient.set(client, open);
    socket.once('close', () => {
      const left = (this.#ofClient.get(client) ?? 1) - 1;
      if (left > 0) this.#ofClient.set(client, left);
      else this.#ofClient.delete(client);
    });
    if (this.count + 1 >= NEARLY_FULL * maxConnections) this.#makeRoom();
  }

  #isProxy({ remoteAddress = '' }: Socket): boolean {
    return isTrustedProxy(remoteAddress, this.limits.trustedProxies);
  }

  /** Cuts the oldest idle connection that is not `known`; else the oldest handshake, which normally takes milliseconds. */
  #makeRoom(): void {
    for (const [socket, { unanswered }] of this.#open) {
      if (known.has(socket) || unanswered.size > 0) continue;
      socket.destroy();
      return;
    }
    for (const socket of this.#handshaking.values()) {
      if (this.#isProxy(socket)) continue;
      socket.destroy();
      return;
    }
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
    if (this.#isProxy(socket as Socket)) known.add(socket);
    this.#open.set(socket, { unanswered: new Set(), last: undefined });
    socket.once('close', () => this.#open.delete(socket));
  }
}

/**
 * Lets only the last unanswered request close the connection. Node sends `Connection: close` with an answer whose `shouldKeepAlive`
 * is false and closes behind it: after an earlier one the pipelined requests behind it would get no answer.
 */
export function closeBehindLast(unanswered: Iterable<ServerResponse>): void {
  const open = [...unanswered].filter(({ headersSent }) => !headersSent);
  for (const res of open) res.shouldKeepAlive = res !== open.at(-1);
}

function peerOf(socket: Socket): string {
  return `${socket.remoteAddress} ${socket.remotePort}`;
}
