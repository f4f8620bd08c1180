import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import { onTestFinished } from 'vitest';
import type { Person, Sessions } from '../../../src/accounts/person.ts';
import { dashboardApi } from '../../../src/http/dashboard/dashboard-api.ts';
import type { Area } from '../../../src/http/dashboard/endpoint.ts';
import { createKoaApp } from '../../../src/http/koa-app.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { noMetrics } from '../../../src/observability/metrics.ts';
import type { AccountStore } from '../../../src/storage/ports.ts';

/** By their ids; a cookie `as=<id>` signs in. */
const PEOPLE: readonly Pick<Person, 'id' | 'operatorRole' | 'memberships'>[] = [
  { id: 'owner', operatorRole: 'owner', memberships: [] },
  { id: 'analyst', operatorRole: 'analyst', memberships: [] },
  { id: 'viewer', operatorRole: null, memberships: [{ accountId: 'acc_1', role: 'viewer' }] },
];
export type Who = 'owner' | 'analyst' | 'viewer' | 'anonymous';

export interface AreaAnswer {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
  readonly json: any;
  header(name: string): string | null;
}
type AskArea = (
  who: Who,
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
) => Promise<AreaAnswer>;

/** One area of the management API on a loopback port, with these services: what fetch needs to ask it as one of three people. */
export async function listenForArea(area: Area, services: object) {
  const api = dashboardApi({
    areas: [area],
    resolve: () => services,
    sessions: {
      ...({} as Sessions),
      identify: async (cookies) => {
        const found = PEOPLE.find(({ id }) => cookies === `as=${id}`);
        const rest = { email: `${found?.id}@example.com`, name: found?.id ?? '', createdAt: '' };
        return found ? { person: { ...rest, ...found }, setCookies: [] } : null;
      },
    },
    accounts: { find: async (id: string) => ({ id }) } as unknown as AccountStore,
    trustedProxies: [],
  });
  const koa = createKoaApp(createLogger('silent'), noMetrics, new Router(), [api]);
  const server = createServer(koa.callback()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    urlOf: (path: string) => `http://${host}/dashboard/api${path}`,
    headersOf: (who: Who) => ({ cookie: `as=${who}`, origin: `https://${host}` }),
  };
}

/** Asks such an area, and reads the answer to its end. */
export async function serveArea(area: Area, services: object): Promise<AskArea> {
  const { urlOf, headersOf } = await listenForArea(area, services);
  return async (who, method, path, body, signal) => {
    const answer = await fetch(urlOf(path), {
      method,
      headers: {
        ...headersOf(who),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type') === 'application/json';
    return {
      status: answer.status,
      text,
      json: isJson ? JSON.parse(text) : null,
      header: (name) => answer.headers.get(name),
    };
  };
}
