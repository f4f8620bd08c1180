import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createGzip, gzip } from 'node:zlib';
import Router from '@koa/router';
import type { Middleware } from 'koa';
import type { Sessions } from '../../accounts/person.ts';
import { AppError } from '../../errors.ts';
import { once } from '../../lib/concurrency.ts';
import type { AccountStore } from '../../storage/ports.ts';
import { mount, showDescription } from '../koa-app.ts';
import { jsonReader } from '../middleware/read-json.ts';
import type { RequestContext, RequestState } from '../request-state.ts';
import { clientAddress } from '../server/proxies.ts';
import { requireAccess, requireSameOrigin } from './access.ts';
import { ACCOUNTS_AREA, KEYS_AREA } from './areas/accounts.route.ts';
import { ATTENTION_AREA } from './areas/attention.route.ts';
import { AUDIT_AREA } from './areas/audit.route.ts';
import { CHECKS } from './areas/checks.route.ts';
import { FIRST_STEPS_AREA } from './areas/first-steps.route.ts';
import { LISTS_AREA } from './areas/lists.route.ts';
import { NAMED_LISTS_AREA } from './areas/named-lists.route.ts';
import { OVERVIEW_AREA } from './areas/overview.route.ts';
import { LINKS_AREA, PEOPLE_AREA } from './areas/people.route.ts';
import { PROVIDERS_AREA } from './areas/providers.route.ts';
import { RULES_AREA } from './areas/rules.route.ts';
import { SESSION_AREA, SETUP_AREA } from './areas/session.route.ts';
import { TRY_IT } from './areas/try-it.route.ts';
import { API_ROOT } from './dashboard-pages.ts';
import type { Area, Endpoint, Needs } from './endpoint.ts';
import { answerGuard, bodyGuard, LINES_TYPE, linesOf, queryGuard } from './schema-guard.ts';

/** Every area of the management API, in the order of its description. A new area is one line here. */
export const AREAS: readonly Area[] = [
  SESSION_AREA,
  SETUP_AREA,
  ACCOUNTS_AREA,
  KEYS_AREA,
  PEOPLE_AREA,
  LINKS_AREA,
  OVERVIEW_AREA,
  ATTENTION_AREA,
  FIRST_STEPS_AREA,
  CHECKS,
  TRY_IT,
  RULES_AREA,
  PROVIDERS_AREA,
  LISTS_AREA,
  NAMED_LISTS_AREA,
  AUDIT_AREA,
];

interface DashboardApiOptions extends Guards {
  readonly areas: readonly Area[];
  /** Returns what the tokens are bound to, under the names in `needs`. */
  readonly resolve: (needs: Needs) => object;
}

/** Mounts every endpoint of every area. A path that is not found goes on to the next middleware. */
export function dashboardApi({ areas, resolve, ...guards }: DashboardApiOptions): Middleware<RequestState> {
  const paths = new Map<string, Record<string, Middleware<RequestState>>>();
  for (const { needs, endpoints } of areas) {
    const services = once(() => resolve(needs));
    for (const endpoint of endpoints) {
      const methods = { [endpoint.method]: serveEndpoint(endpoint, services, guards) };
      paths.set(endpoint.path, { ...paths.get(endpoint.path), ...methods });
    }
  }
  const router = new Router<RequestState>({ sensitive: true });
  const description = showDescription('dashboard-openapi.json');
  mount(router, `${API_ROOT}/openapi.json`, {
    GET: async (ctx, next) => {
      await description(ctx, next);
      await compressAnswer(ctx);
    },
  });
  for (const [path, methods] of paths) {
    mount(router, API_ROOT + path.replaceAll(/\{(\w+)\}/g, ':$1'), methods);
  }
  return router.routes() as unknown as Middleware<RequestState>;
}

interface Guards {
  readonly sessions: Sessions;
  readonly accounts: AccountStore;
  readonly trustedProxies: readonly string[];
}

type DashboardContext = RequestContext & { params: Record<string, string> };

/** The limit of a body where the endpoint declares none; endpoints that take files do. */
const BODY_LIMIT_BYTES = 65_536;

/** Serves one endpoint: guards, handler, answer. The body is read after the other guards, so that their refusals never depend on it. */
function serveEndpoint(
  endpoint: Endpoint,
  services: () => object,
  { sessions, accounts, trustedProxies }: Guards,
): Middleware<RequestState> {
  const { access, handle, status, answer } = endpoint;
  // Lines are short, and the client waits for each one.
  const mayCompress = !answer.isSecret && answer.lines === undefined;
  const limit = endpoint.bodyLimitBytes ?? BODY_LIMIT_BYTES;
  const guardQuery = queryGuard(endpoint.query ?? { type: 'object', additionalProperties: false });
  const guardBody = endpoint.body && bodyGuard(endpoint.body, limit <= BODY_LIMIT_BYTES);
  const readBody = jsonReader(limit);
  const sendAnswer = answerSender(endpoint);

  return async (context) => {
    const ctx = context as unknown as DashboardContext;
    ctx.set('Cache-Control', 'no-store');
    ctx.set('X-Content-Type-Options', 'nosniff');
    const signedIn = await sessions.identify(ctx.req.headers.cookie);
    if (signedIn) ctx.state.personId = signedIn.person.id;
    const { account_id: accountId } = ctx.params;
    requireAccess(access, signedIn?.person ?? null, accountId);
    requireSameOrigin(ctx.method, ctx.req.headers);
    if (accountId !== undefined && !(await accounts.find(accountId))) throw new AppError('not_found');
    const query = guardQuery({ ...ctx.query });
    const body = guardBody?.(await readBody(ctx));

    for (const cookie of signedIn?.setCookies ?? []) ctx.append('Set-Cookie', cookie);
    const signal = abortedWhenLeft(ctx);
    try {
      const answered = await handle(services(), {
        person: signedIn?.person ?? null,
        params: ctx.params,
        query,
        body,
        headers: ctx.req.headers,
        clientAddress: clientAddress(ctx.req, trustedProxies),
        asking: { asker: signedIn?.person.id, signal },
        setHeader: (name: string, value: string | readonly string[]) => void ctx.set(name, value as string),
      });
      ctx.status = status;
      sendAnswer(ctx, answered);
      if (mayCompress) await compressAnswer(ctx);
    } catch (error) {
      // The client has closed the connection, which cancelled the work: no failure of the service.
      if (!signal.aborted) throw error;
      // Only for the log; nginx uses this status too.
      ctx.status = 499;
    }
  };
}

/** JSON, lines of JSON, another media type, or no body: as the endpoint declares. */
function answerSender({ operationId, answer }: Endpoint) {
  const { schema, lines, mediaType } = answer;
  const guard = schema && answerGuard(schema, operationId);
  const writeLines = lines && linesOf(lines, operationId);
  return (ctx: DashboardContext, answered: unknown): void => {
    if (guard) {
      guard(answered);
      ctx.set('Content-Type', 'application/json');
      ctx.body = JSON.stringify(answered);
    } else if (writeLines) {
      ctx.set('Content-Type', LINES_TYPE);
      ctx.body = writeLines(answered as AsyncIterable<object>);
    } else if (mediaType !== undefined) {
      ctx.set('Content-Type', mediaType);
      ctx.body = answered;
    }
  };
}

function abortedWhenLeft({ res }: DashboardContext): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}

const compress = promisify(gzip);
/** A body that fits into one packet with its headers arrives no sooner when it is compressed. */
const LEAST_COMPRESSED_BYTES = 1_024;
/** Sends each piece when it is written, without waiting for more. */
const PIECEWISE = { flush: constants.Z_SYNC_FLUSH };

/**
 * Compresses with gzip, in a thread of Node's pool. At its usual level gzip makes these answers as small as Brotli does in the same
 * time (a fifth to a twentieth, in a millisecond). koa-compress would turn every answer into a stream: without Content-Length the
 * connection closes after each answer, and an export that fails is not cut short.
 */
async function compressAnswer(ctx: Pick<DashboardContext, 'acceptsEncodings' | 'body' | 'set' | 'vary'>) {
  const { body } = ctx;
  const isText = typeof body === 'string' && Buffer.byteLength(body) >= LEAST_COMPRESSED_BYTES;
  if (!isText && !(body instanceof Readable)) return;
  ctx.vary('Accept-Encoding');
  if (!ctx.acceptsEncodings('gzip')) return;
  ctx.set('Content-Encoding', 'gzip');
  // When either stream ends or fails, `pipeline` ends the other. Koa, which sends the second, reports the error.
  ctx.body = isText ? await compress(body) : pipeline(body, createGzip(PIECEWISE), () => undefined);
}
