import type { Middleware } from 'koa';
import { expect, it } from 'vitest';
import { lazyDashboardApi } from '../../../src/http/dashboard/dashboard-pages.ts';
import type { RequestState } from '../../../src/http/request-state.ts';

function setUp(outcomes: Promise<Middleware<RequestState>>[]) {
  let loads = 0;
  const lazy = lazyDashboardApi(() => {
    loads += 1;
    return outcomes.shift() ?? Promise.reject(new Error('asked too often'));
  });
  const ask = (path: string): Promise<unknown> =>
    Promise.resolve(lazy({ path } as Parameters<typeof lazy>[0], async () => 'next'));
  return { ask, loads: () => loads };
}

const area: Middleware<RequestState> = async ({ path }) => `area ${path}`;

it('loads the management API at the first request for it, once, and passes other requests on', async () => {
  const { ask, loads } = setUp([Promise.resolve(area)]);
  expect(await ask('/v1/')).toBe('next');
  expect(loads()).toBe(0);
  const answers = await Promise.all([ask('/dashboard/api/session'), ask('/dashboard/api/people')]);
  expect(answers).toEqual(['area /dashboard/api/session', 'area /dashboard/api/people']);
  expect(loads()).toBe(1);
});

it('loads again after a failed load, which every waiting request reports', async () => {
  const { ask, loads } = setUp([Promise.reject(new Error('EMFILE')), Promise.resolve(area)]);
  const both = await Promise.allSettled([ask('/dashboard/api/a'), ask('/dashboard/api/b')]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await ask('/dashboard/api/a')).toBe('area /dashboard/api/a');
  expect(loads()).toBe(2);
});
