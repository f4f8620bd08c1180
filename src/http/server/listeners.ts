import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Config } from '../../app/config/config.ts';
import { type ErrorCode, StartupError } from '../../errors.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Certificate } from './certificate.ts';
import type { Connections } from './connections.ts';
import { guardServer, type RequestHandler, slowClientLimits } from './http-server.ts';
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
  const connections: Connections[] = [];
  const everyone = (_req: IncomingMessage) => true;
  const open = (server: Server, port: number, key: string, serves = handler, admits = everyone) => {
    servers.push(server);
    connections.push(guardServer(server, { http, log, onRefused, handler: serves, admits }));
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
  const byProxy = createPlainGate(http.trustedProxies, onKeyInClear);
  try {
    const httpsPort = await open(secure, http.port, 'http.port');
    const plainPort =
      http.plainPort === null
        ? null
        : await open(plain(), http.plainPort, 'http.plain_port', handler, byProxy);
    const metricsPort = metrics ? await open(plain(), metrics.port, 'metrics.port', metrics.handler) : null;
    return {
      httpsPort,
      plainPort,
      metricsPort,
      async reloadCertificate() {
        certificate = await certificate.reload();
        secure.setSecureContext({ cert: certificate.cert, key: certificate.key, minVersion: 'TLSv1.2' });
      },
      async drain(deadlineMs) {
        await Promise.all(connections.map((open) => open.drain(deadlineMs)));
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
  server.listen({ host, port });
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new StartupError([
      `${key}: cannot listen on ${host} port ${port}: ${WHY[error.code ?? ''] ?? error.message}`,
    ]);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
  return address.port;
}
