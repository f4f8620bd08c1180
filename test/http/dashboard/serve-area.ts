import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import { onTestFinished } from 'vitest';
import type { AnyArea } from '../../../src/http/dashboard/area.ts';
import { dashboardApi } from '../../../src/http/dashboard/dashboard-api.ts';
import { createHall } from '../../../src/http/hall.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { noMetrics } from '../../../src/observability/metrics.ts';
import type { Person } from '../../../src/people/person.ts';
import type { Sessions } from '../../../src/people/sessions.ts';
import type { AccountStore } from '../../../src/storage/ports.ts';

export const aPerson = (id: string, more: Partial<Person> = {}): Person => ({
  ...{ id: `per_${id}`, email: `${id}@example.com`, name: id, createdAt: '' },
  ...{ operatorRole: null, memberships: [] },
  ...more,
});

/** Serves one area to people who are whoever they say they are, and asks it. */
export async function serveArea(area: AnyArea, services: unknown, people: readonly Person[]) {
  const api = dashboardApi({
    areas: [area],
    resolve: <T>() => services as T,
    sessions: {
      ...({} as Sessions),
      identify: async (cookie) => {
        const person = people.find(({ name }) => `as=${name}` === cookie);
        return person ? { person, setCookies: [] } : null;
      },
    },
    accounts: { find: async (id: string) => ({ id }) } as unknown as AccountStore,
    trustedProxies: [],
  });
  const koa = createHall(createLogger('silent'), noMetrics, new Router(), [api]);
  const server = createServer(koa.callback()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const base = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  /** The status and the JSON of an answer. */
  return async (as: string | null, method: string, path: string, body?: unknown) => {
    const answer = await fetch(`http://${base}/dashboard/api${path}`, {
      method,
      headers: {
        ...(as && { cookie: `as=${as}` }),
        origin: `https://${base}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, json: text === '' ? undefined : JSON.parse(text) };
  };
}
