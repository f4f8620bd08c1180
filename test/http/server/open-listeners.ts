import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { Config } from '../../../src/app/config/config.ts';
import { type Certificate, issueLocalhostCertificate } from '../../../src/http/server/certificate.ts';
import type { RequestHandler } from '../../../src/http/server/http-server.ts';
import { type Listeners, startListeners } from '../../../src/http/server/listeners.ts';
import { noClient } from '../../../src/http/server/proxies.ts';

/** One for all tests of a file. */
export const pems = await issueLocalhostCertificate(Date.now());

export const HTTP: Config['http'] = {
  host: '127.0.0.1',
  port: 0,
  plainPort: 0,
  tls: { certFile: null, keyFile: null },
  trustedProxies: [],
  bodyLimitBytes: 16_384,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 10_000,
  idleTimeoutMs: 10_000,
  drainDelayMs: 0,
  drainTimeoutMs: 1000,
  maxConnections: 100,
  maxConnectionsPerClient: 100,
};

export interface Opened extends Listeners {
  /** Secrets that came in clear. */
  readonly inClear: readonly string[];
  readonly plain: number;
  /** What is logged. */
  readonly lines: readonly Record<string, unknown>[];
}

/** Both ports on loopback, closed when the test is over. The handler answers `served` unless one is given. */
export async function openListeners(
  http: Partial<Config['http']> = {},
  handler: RequestHandler = (_, res) => res.end('served'),
  certificate?: Partial<Certificate>,
  metricsPort?: number,
): Promise<Opened> {
  const inClear: string[] = [];
  const lines: Record<string, unknown>[] = [];
  const own: Certificate = { ...pems, caFile: null, reload: async () => own, ...certificate };
  const listeners = await startListeners({
    config: { ...HTTP, ...http },
    handler,
    certificate: own,
    metrics: metricsPort === undefined ? null : { port: metricsPort, handler },
    onKeyInClear: (secret) => void inClear.push(secret),
    onRefused: () => undefined,
    clientOf: noClient,
    log: pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
  });
  onTestFinished(() => listeners.drain(0));
  return { ...listeners, inClear, lines, plain: listeners.plainPort ?? 0 };
}

export async function openSocket(port: number, over: 'tls' | 'plain' = 'tls'): Promise<Socket> {
  const socket = await new Promise<Socket>((resolve, reject) => {
    const opened: Socket =
      over === 'tls'
        ? connectTls({ host: '127.0.0.1', port, ca: pems.ca }, () => resolve(opened))
        : connectPlain({ host: '127.0.0.1', port }, () => resolve(opened));
    opened.once('error', reject);
  });
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** All that comes until the other side closes. */
export function readToEnd(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.once('close', () => resolve(text));
  });
}

/** Sends these bytes and reads until the connection is closed, which is part of what is asked. */
export async function exchange(port: number, bytes: string, over: 'tls' | 'plain' = 'tls'): Promise<Answer> {
  const socket = await openSocket(port, over);
  const text = readToEnd(socket);
  socket.write(bytes);
  return parseAnswer(await text);
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function parseAnswer(text: string): Answer {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = lines.map((line) => [line.split(':')[0]?.toLowerCase(), line.replace(/^[^:]*: */, '')]);
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: text.slice(end + 4),
  };
}
