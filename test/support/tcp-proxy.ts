import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy on loopback in front of a server, which makes the server slow or unreachable. */
export interface TcpProxy {
  readonly port: number;
  /** Delay of each piece of an answer, in milliseconds; 0 at first. Only answers are delayed, so a round trip takes it once. */
  delayMs: number;
  /** Questions so far: all data that a client sends before the server's next answer count as one. */
  readonly roundTrips: number;
  /** Connections that are open. */
  readonly connections: number;
  /** Ends every connection with a reset, and each new one until `mend`. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const open = new Set<Socket>();
  let delayMs = 0;
  let roundTrips = 0;
  let isCut = false;

  const server = createServer({ noDelay: true }, (client) => {
    if (isCut) {
      client.resetAndDestroy();
      return;
    }
    const target = connect({ host: '127.0.0.1', port: targetPort, noDelay: true });
    let isAsking = false;
    const release = holdBack(client);
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const) {
      open.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
    client.on('data', (chunk) => {
      if (!isAsking) roundTrips++;
      isAsking = true;
      target.write(chunk);
    });
    target.on('data', (chunk) => {
      isAsking = false;
      release(chunk, delayMs);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const disconnect = () => {
    for (const socket of open) socket.resetAndDestroy();
  };

  return {
    port: (server.address() as AddressInfo).port,
    get delayMs() {
      return delayMs;
    },
    set delayMs(ms) {
      delayMs = ms;
    },
    get roundTrips() {
      return roundTrips;
    },
    get connections() {
      return open.size / 2;
    },
    cut() {
      isCut = true;
      disconnect();
    },
    mend() {
      isCut = false;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      disconnect();
      await closed;
    },
  };
}

/** Writes pieces in their order, each after its delay. */
function holdBack(client: Socket): (chunk: Buffer, delayMs: number) => void {
  const held: { readonly chunk: Buffer; readonly dueAt: number }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const release = () => {
    timer = undefined;
    for (let first = held[0]; first !== undefined; first = held[0]) {
      const wait = first.dueAt - performance.now();
      if (wait > 0) {
        timer = setTimeout(release, wait);
        return;
      }
      client.write(first.chunk);
      held.shift();
    }
  };
  client.once('close', () => clearTimeout(timer));
  return (chunk, delayMs) => {
    if (delayMs === 0 && held.length === 0) {
      client.write(chunk);
      return;
    }
    held.push({ chunk, dueAt: performance.now() + delayMs });
    if (timer === undefined) release();
  };
}
