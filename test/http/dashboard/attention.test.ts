import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDashboard, type TestDashboard } from '../../support/dashboard.ts';
import { expectRefusal } from '../../support/service.ts';

let dashboard: TestDashboard;
let other: string;
beforeAll(async () => {
  dashboard = await startDashboard();
  other = await dashboard.createAccount('Second account');
  const { service } = dashboard;
  await service.withStorage(async ({ keys }) => {
    const [key] = await keys.list(dashboard.accountId);
    await keys.markSeenInClear(key?.id ?? '', new Date().toISOString(), '1970-01-01T00:00:00.000Z');
  });
});
afterAll(() => dashboard.stop());

const findings = async (role: Parameters<TestDashboard['signIn']>[0]) =>
  (await (await dashboard.signIn(role)).get('/attention')).json.findings;

describe('GET /attention', () => {
  it.each(['owner', 'analyst'] as const)('tells an %s of every account', async (role) => {
    expect(await findings(role)).toContainEqual(
      expect.objectContaining({
        ...{ id: 'seen_in_clear', severity: 'critical', page: '/keys' },
        found: [{ text: expect.stringContaining('first key'), account_id: dashboard.accountId }],
      }),
    );
  });

  it('tells members of their own accounts, and of nothing of the installation', async () => {
    const own = await findings({ [dashboard.accountId]: 'viewer' });
    expect(own.map(({ id }: { id: string }) => id)).toEqual(['seen_in_clear']);
    expect(await findings({ [other]: 'developer' })).toEqual([]);
  });

  it('tells nobody who is not signed in', async () => {
    expectRefusal(await dashboard.anonymous.get('/attention'), 'not_signed_in');
  });
});
