import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../src/errors.ts';
import { AREAS } from '../../../src/http/dashboard/dashboard-api.ts';
import { API_ROOT } from '../../../src/http/dashboard/dashboard-pages.ts';
import { startDashboard, type TestDashboard, type Visitor } from '../../support/dashboard.ts';

type Who = 'anonymous' | 'owner' | 'analyst' | 'developer' | 'viewer' | 'stranger';
type Outcome = 'passes' | Extract<ErrorCode, 'not_signed_in' | 'forbidden' | 'not_found'>;

/**
 * The meaning of each kind of access, written again by hand: by the person who asks about an account with a developer and
 * a viewer.
 */
const MEANT: Readonly<Record<string, Readonly<Record<Who, Outcome>>>> = {
  anyone: {
    ...{ anonymous: 'passes', owner: 'passes', analyst: 'passes' },
    ...{ developer: 'passes', viewer: 'passes', stranger: 'passes' },
  },
  signed_in: {
    ...{ anonymous: 'not_signed_in', owner: 'passes', analyst: 'passes' },
    ...{ developer: 'passes', viewer: 'passes', stranger: 'passes' },
  },
  'operator owner': {
    ...{ anonymous: 'not_signed_in', owner: 'passes', analyst: 'forbidden' },
    ...{ developer: 'forbidden', viewer: 'forbidden', stranger: 'forbidden' },
  },
  'operator analyst': {
    ...{ anonymous: 'not_signed_in', owner: 'passes', analyst: 'passes' },
    ...{ developer: 'forbidden', viewer: 'forbidden', stranger: 'forbidden' },
  },
  'account viewer': {
    ...{ anonymous: 'not_signed_in', owner: 'passes', analyst: 'passes' },
    ...{ developer: 'passes', viewer: 'passes', stranger: 'not_found' },
  },
  'account developer': {
    ...{ anonymous: 'not_signed_in', owner: 'passes', analyst: 'forbidden' },
    ...{ developer: 'passes', viewer: 'forbidden', stranger: 'not_found' },
  },
};

let dashboard: TestDashboard;
let visitors: Record<Who, Visitor>;
beforeAll(async () => {
  dashboard = await startDashboard();
  const other = await dashboard.createAccount('Other');
  visitors = {
    anonymous: dashboard.anonymous,
    owner: await dashboard.signIn('owner'),
    analyst: await dashboard.signIn('analyst'),
    developer: await dashboard.signIn({ [dashboard.accountId]: 'developer' }),
    viewer: await dashboard.signIn({ [dashboard.accountId]: 'viewer' }),
    stranger: await dashboard.signIn({ [other]: 'developer' }),
  };
});
afterAll(() => dashboard.stop());

const endpoints = AREAS.flatMap((area) => area.endpoints);

describe.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s',
  (_name, { method, path, access }) => {
    const kind = typeof access === 'string' ? access : Object.entries(access).flat().join(' ');

    it.each(Object.entries(MEANT[kind] ?? {}) as [Who, Outcome][])('%s: %s', async (who, outcome) => {
      const at = path.replace('{account_id}', dashboard.accountId).replaceAll(/\{\w+\}/g, 'none');
      // From another site: a request with access is refused for that reason, so that nothing is done.
      const headers = { 'sec-fetch-site': 'cross-site' };
      const { status, json } = await visitors[who].ask(method, at, undefined, { headers });
      if (outcome !== 'passes') expect(json.error.code).toBe(outcome);
      else if (method !== 'GET') expect(json.error.code).toBe('foreign_origin');
      else expect([status < 500, [401, 403].includes(status)], `${status}`).toEqual([true, false]);
    });
  },
);

it('every declared kind of access is tested, and no path twice', () => {
  const paths = endpoints.map(({ method, path }) => `${method} ${API_ROOT}${path}`);
  expect(new Set(paths).size).toBe(paths.length);
  for (const { access } of endpoints) {
    const kind = typeof access === 'string' ? access : Object.entries(access).flat().join(' ');
    expect(Object.keys(MEANT)).toContain(kind);
  }
});
