import type { Middleware } from 'koa';
import type { Sessions } from '../../accounts/people/sessions.ts';
import { AppError } from '../../errors.ts';
import type { AccountStore } from '../../storage/ports.ts';
import { jsonReader } from '../middleware/read-json.ts';
import { clientAddress } from '../server/client-address.ts';
import type { RequestContext, RequestState } from '../state.ts';
import { requireAccess } from './access.ts';
import type { Endpoint } from './endpoint.ts';
import { requireSameOrigin } from './same-origin.ts';
import { answerGuard, bodyGuard, queryGuard } from './schema-guard.ts';

/** What every endpoint is guarded with. */
export interface Guards {
  readonly sessions: Sessions;
  readonly accounts: AccountStore;
  readonly trustedProxies: readonly string[];
}

type DashboardContext = RequestContext & { params: Record<string, string> };

const LEFT = Symbol('left');
/** For the log alone, as nginx has it: the client closed the connection. */
const LEFT_STATUS = 499;

/** Of a body; an endpoint that takes files declares its own. */
const BODY_LIMIT_BYTES = 65_536;

/** A declaration at work: who asks, what, and the answer. The body is read only after everything else is settled. */
export function serveEndpoint<Services>(
  endpoint: Endpoint<Services>,
  services: () => Services,
  { sessions, accounts, trustedProxies }: Guards,
): Middleware<RequestState> {
  const { access, answer, handle } = endpoint;
  const limit = endpoint.bodyLimitBytes ?? BODY_LIMIT_BYTES;
  const guardQuery = queryGuard(endpoint.query ?? { type: 'object', additionalProperties: false });
  const guardBody = endpoint.body && bodyGuard(endpoint.body, limit <= BODY_LIMIT_BYTES);
  const guardAnswer = answer.schema && answerGuard(answer.schema, endpoint.operationId);
  const readBody = jsonReader(limit);

  return async (context) => {
    const ctx = context as unknown as DashboardContext;
    ctx.set('Cache-Control', 'no-store');
    ctx.set('X-Content-Type-Options', 'nosniff');
    const signedIn = await sessions.identify(ctx.req.headers.cookie);
    if (signedIn) ctx.state.personId = signedIn.person.id;
    requireAccess(access, signedIn?.person ?? null, ctx.params.account_id);
    requireSameOrigin(ctx.method, ctx.req.headers);
    const { account_id: accountId } = ctx.params;
    if (accountId !== undefined && !(await accounts.find(accountId))) throw new AppError('not_found');
    const query = guardQuery({ ...ctx.query });
    const body = guardBody?.(await readBody(ctx));

    for (const cookie of signedIn?.setCookies ?? []) ctx.append('Set-Cookie', cookie);
    const signal = abortedWhenLeft(ctx);
    const answered = await orLeft(signal, () =>
      handle(services(), {
        person: signedIn?.person ?? null,
        params: ctx.params,
        query,
        body,
        headers: ctx.req.headers,
        clientAddress: clientAddress(ctx.req, trustedProxies),
        signal,
        setHeader: (name: string, value: string | readonly string[]) => void ctx.set(name, value as string),
      }),
    );
    if (answered === LEFT) {
      ctx.status = LEFT_STATUS;
      return;
    }
    ctx.status = answer.status;
    if (guardAnswer) {
      guardAnswer(answered);
      ctx.set('Content-Type', 'application/json');
      ctx.body = JSON.stringify(answered);
    } else if (answer.mediaType !== undefined) {
      ctx.set('Content-Type', answer.mediaType);
      ctx.body = answered;
    }
  };
}

/** What was given up because nobody waits for it any more is no failure. */
async function orLeft(signal: AbortSignal, handle: () => unknown): Promise<unknown> {
  try {
    return await handle();
  } catch (error) {
    if (signal.aborted) return LEFT;
    throw error;
  }
}

function abortedWhenLeft({ res }: DashboardContext): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}
