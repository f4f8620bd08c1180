import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Config } from '../../app/config/config.ts';
import { type ErrorCode, StartupError } from '../../errors.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Certificate } from './certificate.ts';
import type { Connections } from './connections.ts';
import { guardServer, type RequestHandler, type ServerOptions, slowClientLimits } from './http-server.ts';
import { createPlainGate } from './proxies.ts';

export interface ListenerOptions {
  readonly config: Config['http'];
  readonly handler: RequestHandler;
  readonly certificate: Certificate;
  /** A plain port of its own, on the same address; null for none. */
  readonly metrics?: { readonly port: number; readonly handler: RequestHandler } | null;
  /** Called with the secret of an `Authorization: Bearer` that came over plain HTTP. Not awaited. */
  readonly onKeyInClear?: (secret: string) => void;
  /** Told of each refusal that the handler does not see. */
  readonly onRefused?: (code: ErrorCode) => void;
  readonly log: Logger;
}

export interface Listeners {
  readonly httpsPort: number;
  /** Null where `http.plain_port` is. */
  readonly plainPort: number | null;
  readonly metricsPort: number | null;
  /** Reads the certificate again, for new connections. Rejects with its faults, and the old one stays. */
  reloadCertificate(): Promise<void>;
  /** Stops listening and resolves when every request in flight is answered, at the latest at the deadline. */
  drain(deadlineMs: number): Promise<void>;
}

/** Opens the HTTPS port and, where they are configured, the plain one and that of the metrics; all or none. */
export async function startListeners(options: ListenerOptions): Promise<Listeners> {
  const { config: http, handler, metrics, log } = options;
  const { onKeyInClear = () => {}, onRefused = () => {} } = options;
  let { certificate } = options;
  const servers: Server[] = [];
  const doors: Connections[] = [];
  const open = async (
    server: Server,
    port: number,
    key: string,
    to: Pick<ServerOptions, 'handler' | 'admits'>,
  ) => {
    servers.push(server);
    doors.push(guardServer(server, { http, log, onRefused, ...to }));
    return listen(server, http.host, port, key);
  };

  const secure = createTlsServer({
    ...slowClientLimits(http),
    cert: certificate.cert,
    key: certificate.key,
    // RFC 9325, 3.1.1: nothing older.
    minVersion: 'TLSv1.2',
    handshakeTimeout: http.headersTimeoutMs,
  });
  const plain = () => createServer(slowClientLimits(http));
  const everyone = () => true;
  const byProxy = createPlainGate({ trustedProxies: http.trustedProxies, onKeyInClear });
  try {
    const httpsPort = await open(secure, http.port, 'http.port', { handler, admits: everyone });
    const plainPort =
      http.plainPort === null
        ? null
        : await open(plain(), http.plainPort, 'http.plain_port', { handler, admits: byProxy });
    const metricsPort = metrics
      ? await open(plain(), metrics.port, 'metrics.port', { handler: metrics.handler, admits: everyone })
      : null;
    return {
      httpsPort,
      plainPort,
      metricsPort,
      async reloadCertificate() {
        certificate = await certificate.reload();
        secure.setSecureContext({ cert: certificate.cert, key: certificate.key, minVersion: 'TLSv1.2' });
      },
      async drain(deadlineMs) {
        await Promise.all(doors.map((door) => door.drain(deadlineMs)));
      },
    };
  } catch (error) {
    for (const server of servers) server.close();
    throw error;
  }
}

const WHY: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process listens there',
  EACCES: 'this process may not use that port',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'that name is not known',
};

async function listen(server: Server, host: string, port: number, key: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  }).catch((error: NodeJS.ErrnoException) => {
    throw new StartupError([
      `${key}: cannot listen on ${host} port ${port}: ${WHY[error.code ?? ''] ?? error.message}`,
    ]);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
  return address.port;
}
