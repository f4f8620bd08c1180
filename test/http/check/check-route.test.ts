import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import Router from '@koa/router';
import { pino } from 'pino';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { KeyAuthenticator } from '../../../src/accounts/authenticator.ts';
import type { Config } from '../../../src/app/config/config.ts';
import type { Check } from '../../../src/checks/check-record.ts';
import type { CheckService } from '../../../src/checks/check-service.ts';
import { AppError } from '../../../src/errors.ts';
import { createKoaApp, mount } from '../../../src/http/koa-app.ts';
import type { RequestState } from '../../../src/http/request-state.ts';
import { CheckRoute } from '../../../src/http/v1/check.route.ts';
import { noMetrics } from '../../../src/observability/metrics.ts';
import { noTracing } from '../../../src/observability/tracing.ts';
import type { AttemptThrottle, Quota, RateLimiter } from '../../../src/shared-state/ports.ts';

const CHECK = {
  id: 'chk_01M836C9AF15Z34SMJ25DT1HTQ',
  createdAt: '2026-11-20T10:00:00.000Z',
  address: {
    raw: 'jane@example.com',
    canonical: { address: 'jane@example.com', localPart: 'jane', domain: 'example.com' },
    subaddress: null,
    hasDotsRemoved: false,
  },
  signals: { facts: {}, degraded: ['mx'] },
  decision: { action: 'ALLOW', score: 0, level: 'low', ruleset: '0123456789abcdef' },
} as unknown as Check;

/** A score that no real decision has. */
const UNFIT = { ...CHECK, decision: { ...CHECK.decision, score: 4711 } } as Check;

describe('the answer to a check', () => {
  let record: PromiseWithResolvers<void>;
  let decided: PromiseWithResolvers<void>;
  let logged: Record<string, unknown>[];
  let placed: string[];

  beforeEach(() => {
    record = Promise.withResolvers();
    decided = Promise.withResolvers();
    logged = [];
    placed = [];
  });

  const answerOf = (check: Check) => async () => {
    decided.resolve();
    return { check, recorded: record.promise };
  };

  /** A service with this decision, whose record the test completes. */
  async function serve(check: Check): Promise<() => Promise<Response>> {
    const config = {
      http: { trustedProxies: [], bodyLimitBytes: 4_096 },
      rateLimit: { windowSeconds: 60 },
    } as unknown as Config;
    const key = { id: 'key_1', accountId: 'acc_1', environment: 'live', family: 'key_1' };
    const limiter = { consume: async () => ({ allowed: true, limit: 1, remaining: 0, resetMs: 0 }) };
    const reservation = { doubt: () => placed.push('doubted'), release: () => placed.push('released') };
    const route = new CheckRoute(
      config,
      { authenticate: () => key } as unknown as KeyAuthenticator,
      {} as AttemptThrottle,
      limiter as unknown as RateLimiter,
      { limit: 5, reserve: () => ({ allowed: true, reservation }) } as unknown as Quota,
      { check: answerOf(check) } as unknown as CheckService,
      noMetrics,
      noTracing,
    );
    const router = new Router<RequestState>();
    mount(router, '/v1', { POST: route.answer });
    const log = pino({ base: null }, { write: (line) => logged.push(JSON.parse(line)) });
    const server = createServer(createKoaApp(log, noMetrics, router).callback());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    return () =>
      fetch(`http://127.0.0.1:${port}/v1`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', connection: 'close' },
        body: '{"email":"jane@example.com"}',
      });
  }

  /** Waits until the check is decided, and reports whether an answer was sent within the time that one needs. */
  async function begin(ask: () => Promise<Response>) {
    let hasLeft = false;
    const asking = ask().then((answer) => {
      hasLeft = true;
      return answer;
    });
    await decided.promise;
    await new Promise((resolve) => setTimeout(resolve, 50));
    return { asking, hasLeft };
  }

  it('is sent when the check is recorded, and not before', async () => {
    const { asking, hasLeft } = await begin(await serve(CHECK));
    expect(hasLeft).toBe(false);
    record.resolve();
    const answer = await asking;
    expect(answer.status).toBe(200);
    expect(answer.headers.get('postern-ruleset')).toBe('0123456789abcdef');
    expect(answer.headers.get('postern-degraded')).toBe('mx');
    expect(await answer.json()).toMatchObject({ id: CHECK.id, summary: { action: 'ALLOW' } });
    await turn();
    expect(logged.at(-1)).toMatchObject({ status: 200, check_id: CHECK.id });
    expect(placed).toEqual(['released']);
  });

  it('contains nothing of the decision when the check cannot be recorded', async () => {
    const { asking } = await begin(await serve(CHECK));
    record.reject(new AppError('unavailable', { retryAfterMs: 1_000 }));
    const answer = await asking;
    expect(answer.status).toBe(503);
    expect(answer.headers.get('postern-ruleset')).toBeNull();
    expect(answer.headers.get('postern-degraded')).toBeNull();
    expect(answer.headers.get('ratelimit')).toBe('"key";r=0;t=0');
    const text = await answer.text();
    expect(Number(answer.headers.get('content-length'))).toBe(text.length);
    expect(JSON.parse(text).error.code).toBe('unavailable');
    await turn();
    expect(logged.at(-1)).toMatchObject({ status: 503, code: 'unavailable' });
    expect(logged.at(-1)).not.toHaveProperty('check_id');
    expect(placed).toEqual(['doubted', 'released']);
  });

  it('is 500 when it does not match its schema, but not before the check is recorded', async () => {
    const { asking, hasLeft } = await begin(await serve(UNFIT));
    expect(hasLeft).toBe(false);
    record.resolve();
    const answer = await asking;
    expect(answer.status).toBe(500);
    expect(answer.headers.get('postern-ruleset')).toBeNull();
    await turn();
    expect(logged.at(-1)).toMatchObject({ status: 500, check_id: CHECK.id });
    expect(logged.at(-2)).toMatchObject({ level: 50, code: 'internal_error' });
  });

  it('is 503 when it does not match its schema and the check cannot be recorded', async () => {
    const { asking } = await begin(await serve(UNFIT));
    record.reject(new AppError('unavailable'));
    expect((await asking).status).toBe(503);
  });
});
