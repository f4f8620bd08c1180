import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Config } from '../../config/config.ts';
import { StartupError } from '../../errors.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Certificate } from './certificate.ts';
import { openDoor, type RequestHandler, slowClientLimits } from './door.ts';
import { createPlainGate } from './plain-gate.ts';

export interface ListenerOptions {
  readonly config: Config['http'];
  readonly handler: RequestHandler;
  readonly certificate: Certificate;
  /** Called with the secret of an `Authorization: Bearer` that came over plain HTTP. Not awaited. */
  readonly onKeyInClear?: (secret: string) => void;
  readonly log: Logger;
}

export interface Listeners {
  readonly httpsPort: number;
  /** Null where `http.plain_port` is. */
  readonly plainPort: number | null;
  /** Reads the certificate again, for new connections. Rejects with its faults, and the old one stays. */
  reloadCertificate(): Promise<void>;
  /** Stops listening and resolves when every request in flight is answered, at the latest at the deadline. */
  drain(deadlineMs: number): Promise<void>;
}

/** Opens the HTTPS port and, where one is configured, the plain one. */
export async function startListeners(options: ListenerOptions): Promise<Listeners> {
  const { config: http, handler, log, onKeyInClear = () => {} } = options;
  const { trustedProxies } = http;
  let { certificate } = options;

  const secure = createTlsServer({
    ...slowClientLimits(http),
    cert: certificate.cert,
    key: certificate.key,
    // RFC 9325, 3.1.1: nothing older.
    minVersion: 'TLSv1.2',
    handshakeTimeout: http.headersTimeoutMs,
  });
  const doors = [openDoor(secure, { http, handler, log, admits: () => true })];
  const httpsPort = await listen(secure, http.host, http.port, 'http.port');

  let plainPort: number | null = null;
  if (http.plainPort !== null) {
    const plain = createServer(slowClientLimits(http));
    const admits = createPlainGate({ trustedProxies, onKeyInClear });
    doors.push(openDoor(plain, { http, handler, log, admits }));
    try {
      plainPort = await listen(plain, http.host, http.plainPort, 'http.plain_port');
    } catch (error) {
      secure.close();
      throw error;
    }
  }

  return {
    httpsPort,
    plainPort,
    async reloadCertificate() {
      certificate = await certificate.reload();
      secure.setSecureContext({ cert: certificate.cert, key: certificate.key, minVersion: 'TLSv1.2' });
    },
    async drain(deadlineMs) {
      await Promise.all(doors.map((door) => door.drain(deadlineMs)));
    },
  };
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
