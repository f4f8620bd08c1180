import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Config } from '../../app/config/config.ts';
import type { ErrorCode } from '../../errors.ts';
import { type Logger, warnSeldom } from '../../observability/logger.ts';
import { requestIdOf } from '../request-state.ts';
import { Connections } from './connections.ts';
import type { LoggedClient } from './proxies.ts';
import { createClientErrorHandler, refuseConnection, refuseRequest, type TellRefusal } from './refuse.ts';

/**
 * The path and query that a request asks for. RFC 9112, 3.2: a path as it stands, `*`, or a whole http or https
 * URL, whose host is not checked. Undefined for anything else: Koa's own parser throws on a broken URL, and prints
 * a warning with the URL outside the log.
 */
export function pathOf(target: string): string | undefined {
  if (target.startsWith('/') || target === '*') return target;
  const [, path] = /^https?:\/\/[^/?#]+(.*)$/i.exec(target) ?? [];
  if (path === undefined || !URL.canParse(target)) return undefined;
  return path.startsWith('/') ? path : `/${path}`;
}

/**
 * Sends `100 Continue` (RFC 9110, 10.1.1) when reading of the body begins, not before: the client of a
 * request that is refused by its headers never sends the body. Node closes the connection after such a refusal,
 * because the client may send the body all the same, and Node would take the body for the next request.
 */
function continueWhenRead(req: IncomingMessage, res: ServerResponse): void {
  const onReader = (event: string | symbol) => {
    if ((event !== 'data' && event !== 'readable') || res.headersSent) return;
    req.off('newListener', onReader);
    res.writeContinue();
  };
  req.on('newListener', onReader);
}

/** Serves the requests that are not refused before, for example Koa's callback. */
export type RequestHandler = (req: IncomingMessage, res: ServerResponse) => unknown;

interface ServerOptions {
  readonly http: Config['http'];
  /** False refuses the request as `https_required`. */
  readonly admits: (req: IncomingMessage) => boolean;
  readonly handler: RequestHandler;
  /** Told of each refusal that comes before the handler. */
  readonly onRefused: (code: ErrorCode) => void;
  readonly clientOf: LoggedClient;
  readonly log: Logger;
}

/** Node's own limit on one request's headers, set because the documentation promises it. */
const MAX_HEADER_BYTES = 16_384;
/** Time between two searches for slow requests. With node's default a slow request could last 30 s beyond its limit. */
const CHECK_INTERVAL_MS = 1000;

/** Options against slow clients that node takes only when a server is made. */
export function slowClientLimits(http: Config['http']) {
  return {
    maxHeaderSize: MAX_HEADER_BYTES,
    // Node refuses a time for headers that is longer than the time for the whole request.
    headersTimeout: Math.min(http.headersTimeoutMs, http.requestTimeoutMs),
    requestTimeout: http.requestTimeoutMs,
    keepAliveTimeout: http.idleTimeoutMs,
    connectionsCheckingInterval: Math.min(CHECK_INTERVAL_MS, http.headersTimeoutMs / 2),
    // Node would silently take the first of two Authorization, Content-Type or Host headers, but a proxy may
    // have checked the last. Joined, the two are no valid value of any of them (RFC 9110, 5.3).
    joinDuplicateHeaders: true,
    // Node would answer a missing Host header outside the envelope.
    requireHostHeader: false,
  };
}

/** Adds to a server the limits and refusals that come before the handler. */
export function guardServer(
  server: Server,
  { http, admits, handler, onRefused, clientOf, log }: ServerOptions,
): Connections {
  const crowded = warnSeldom(log, 'connections are dropped: http.max_connections is reached');
  const connections = new Connections(server, http, log);
  // A client that reads its answer too slowly, or not at all: silence beyond this cuts the connection.
  server.timeout = 2 * http.requestTimeoutMs;

  /** The refusals that come before any route: HTTPS first. */
  const faultOf = (req: IncomingMessage): ErrorCode | undefined => {
    if (!admits(req)) return 'https_required';
    // RFC 9112, 3.2: a request of HTTP/1.1 without Host, and any with two, is answered 400.
    const { host } = req.headers;
    if ((host === undefined && req.httpVersion === '1.1') || host?.includes(',')) return 'bad_request';
    const path = pathOf(req.url ?? '');
    if (path === undefined) return 'bad_request';
    req.url = path;
    return undefined;
  };
  const tell: TellRefusal = (req, code, requestId, where, reason) => {
    onRefused(code);
    log.info({ request_id: requestId, code, reason, ...clientOf(req) }, `request refused ${where}`);
    return requestId;
  };
  const refused = (req: IncomingMessage, code: ErrorCode) =>
    tell(req, code, requestIdOf(req.headers['request-id']), 'before any route');
  const receive = (req: IncomingMessage, res: ServerResponse, also?: ErrorCode) => {
    if (!connections.begin(req, res)) return;
    // An upgrade that is offered (RFC 9110, 7.8: h2c, TLS/1.2) is not taken: nothing listens to `upgrade`. Node drops a request that
    // came behind it in one packet, and its client would wait: the connection ends with this answer.
    if (req.headers.upgrade !== undefined) res.shouldKeepAlive = false;
    const fault = faultOf(req) ?? also;
    if (fault === undefined) handler(req, res);
    else refuseRequest(req, res, fault, refused(req, fault));
  };
  const refuseTunnel = (req: IncomingMessage, socket: Duplex) => {
    const fault = faultOf(req) ?? 'bad_request';
    refuseConnection(socket, fault, refused(req, fault));
  };

  server
    .on('request', (req, res) => receive(req, res))
    .on('checkContinue', (req, res) => {
      continueWhenRead(req, res);
      receive(req, res);
    })
    // `Expect` with anything but 100-continue (RFC 9110, 10.1.1).
    .on('checkExpectation', (req, res) => receive(req, res, 'bad_request'))
    .on('connect', refuseTunnel)
    .on('clientError', createClientErrorHandler(connections, tell))
    .on('tlsClientError', (error) => log.debug({ reason: error.code }, 'TLS handshake failed'))
    .on('drop', () => crowded({ max_connections: http.maxConnections }));
  return connections;
}
