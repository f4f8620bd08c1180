import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Config } from '../../app/config/config.ts';
import { type ErrorCode, StartupError } from '../../errors.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Certificate } from './certificate.ts';
import type { Connections } from './connections.ts';
import { guardServer, type RequestHandler, slowClientLimits } from './http-server.ts';
import { createPlainGate, type LoggedClient } from './proxies.ts';

interface ListenerOptions {
  readonly config: Config['http'];
  readonly handler: RequestHandler;
  readonly certificate: Certificate;
  /** A separate plain HTTP port for the metrics, on the same address; null for none. */
  readonly metrics: { readonly port: number; readonly handler: RequestHandler } | null;
  /** Called with the secret of an `Authorization: Bearer` that came over plain HTTP. Not awaited. */
  readonly onKeyInClear: (secret: string) => void;
  /** Told of each refusal that the handler does not see. */
  readonly onRefused: (code: ErrorCode) => void;
  readonly clientOf: LoggedClient;
  readonly log: Logger;
}

export type Listeners = Awaited<ReturnType<typeof startListeners>>;

/** RFC 9325: nothing older than TLS 1.2 (3.1.1), and only its suites with forward secrecy and AEAD (4.2). */
const TLS = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_AES_128_GCM_SHA256',
    'ECDHE+AESGCM',
    'ECDHE+CHACHA20',
  ].join(':'),
} as const;

const KEYS = { https: 'http.port', plain: 'http.plain_port', metrics: 'metrics.port' } as const;
type PortName = keyof typeof KEYS;
export const PORT_NAMES = Object.keys(KEYS) as readonly PortName[];

/** Opens the HTTPS port and, where configured, the plain and the metrics port: all or none. Rejects with a StartupError. */
export async function startListeners(options: ListenerOptions) {
  const { config, handler, metrics, onRefused, clientOf, log } = options;
  const http = withinOpenFiles(config, metrics?.port ?? null, log);
  let { certificate } = options;
  const servers: Server[] = [];
  const connections = new Map<PortName, Connections>();
  const everyone = (_req: IncomingMessage) => true;
  const open = (name: PortName, server: Server, port: number, serves = handler, admits = everyone) => {
    servers.push(server);
    connections.set(name, guardServer(server, { http, log, onRefused, clientOf, handler: serves, admits }));
    return listen(server, http.host, port, KEYS[name]);
  };

  const secure = createTlsServer({
    ...slowClientLimits(http),
    ...TLS,
    cert: certificate.cert,
    key: certificate.key,
    handshakeTimeout: http.headersTimeoutMs,
    // By default the handshake of a client that names HTTP/1.0, such as curl --http1.0, would fail.
    ALPNProtocols: ['http/1.1', 'http/1.0'],
  });
  const plain = () => createServer(slowClientLimits(http));
  const byProxy = createPlainGate(http.trustedProxies, options.onKeyInClear);
  try {
    const httpsPort = await open('https', secure, http.port);
    const plainPort =
      http.plainPort === null ? null : await open('plain', plain(), http.plainPort, handler, byProxy);
    const metricsPort = metrics ? await open('metrics', plain(), metrics.port, metrics.handler) : null;
    return {
      httpsPort,
      /** Null where `http.plain_port` is. */
      plainPort,
      metricsPort,
      /** The number of open connections of each port that listens, in the order `https`, `plain`, `metrics`. */
      connections: () => [...connections].map(([name, { count }]) => [name, count] as const),
      /** When the certificate that is served ends, in milliseconds since the epoch. */
      certificateEnd: () => endOf(certificate).getTime(),
      /** Reads the certificate again, for new connections. Rejects with a StartupError, and the old certificate stays, where it has faults. */
      async reloadCertificate(): Promise<void> {
        certificate = await certificate.reload();
        secure.setSecureContext({ ...TLS, cert: certificate.cert, key: certificate.key });
        log.info({ valid_to: endOf(certificate) }, 'certificate loaded again');
      },
      /** Stops listening and resolves when every request in flight is answered, at the latest at the deadline. */
      async drain(deadlineMs: number): Promise<void> {
        await Promise.all([...connections.values()].map((open) => open.drain(deadlineMs)));
      },
    };
  } catch (error) {
    for (const server of servers) server.close();
    throw error;
  }
}

function endOf({ cert }: Certificate): Date {
  return new X509Certificate(cert).validToDate;
}

const WHY: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process listens there',
  EACCES: 'this process may not use that port',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'that name is not known',
};
/** Errors of the address, not of the port: the fault names `http.host`. */
const OF_HOST = ['EADDRNOTAVAIL', 'ENOTFOUND'];

async function listen(server: Server, host: string, port: number, key: string): Promise<number> {
  server.listen({ host, port });
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    const code = error.code ?? '';
    const named = OF_HOST.includes(code) ? 'http.host' : key;
    throw new StartupError([
      `${named}: cannot listen on ${host} port ${port}: ${WHY[code] ?? error.message}`,
    ]);
  });
  return (server.address() as AddressInfo).port;
}

/** Open files beside connections: the database and its readers, lists, child processes with their pipes, sockets to name servers and mail hosts. */
const OTHER_FILES = 200;
/** Connections of each port, even where the limit of open files leaves room for fewer. */
const FEWEST_CONNECTIONS = 16;

/** How many ports are opened, and how many open files `http.max_connections` on each of them needs. `metricsPort`: null for none. */
export function openFilesNeeded({ plainPort, maxConnections }: Config['http'], metricsPort: number | null) {
  const ports = 1 + Number(plainPort !== null) + Number(metricsPort !== null);
  return { ports, needed: ports * maxConnections + OTHER_FILES };
}

/**
 * Lowers `http.max_connections` to what the limit of open files leaves for each port. Without a free file descriptor Linux
 * resets a new connection and does not tell the server, and a query or a child process fails too.
 */
function withinOpenFiles(http: Config['http'], metricsPort: number | null, log: Logger): Config['http'] {
  const { ports, needed } = openFilesNeeded(http, metricsPort);
  const limit = openFileLimit('self');
  if (limit >= needed) return http;
  const room = Math.max(Math.floor((limit - OTHER_FILES) / ports), FEWEST_CONNECTIONS);
  log.warn(
    { open_files: limit, needed, connections_per_port: room },
    'fewer files may be open than http.max_connections needs',
  );
  return { ...http, maxConnections: Math.min(room, http.maxConnections) };
}

/** How many files a process may have open (proc_pid_limits(5)); Infinity where the system does not tell. Node raises its own as far as it may. */
export function openFileLimit(pid: number | 'self'): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8')) ?? [];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}
