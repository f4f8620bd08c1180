import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDashboard, type TestDashboard } from '../../support/dashboard.ts';
import { expectRefusal } from '../../support/service.ts';

let dashboard: TestDashboard;
let other: string;
beforeAll(async () => {
  dashboard = await startDashboard({ quota: { checks_per_month: 5 } });
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
  it.each(['owner', 'analyst'] as const)('shows an %s every account', async (role) => {
    expect(await findings(role)).toContainEqual(
      expect.objectContaining({
        ...{ id: 'seen_in_clear', severity: 'critical', page: '/keys' },
        found: [{ text: expect.stringContaining('first key'), account_id: dashboard.accountId }],
      }),
    );
  });

  it('shows members their own accounts, and nothing about the installation', async () => {
    const own = await findings({ [dashboard.accountId]: 'viewer' });
    expect(own.map(({ id }: { id: string }) => id)).toEqual(['seen_in_clear']);
    expect(await findings({ [other]: 'developer' })).toEqual([]);
  });

  it('shows people with access to the account that its quota is nearly used up, and that it is used up', async () => {
    const check = () => dashboard.service.check('jane@example.com');
    const told = async (role: Parameters<TestDashboard['signIn']>[0]) =>
      (await findings(role)).filter(({ id }: { id: string }) => id.startsWith('quota_'));
    for (let count = 1; count <= 3; count += 1) await check();
    expect(await told('owner')).toEqual([]);
    await check();
    const viewer = { [dashboard.accountId]: 'viewer' } as const;
    const found = (checks: number) => [
      { text: `“default” has used ${checks} of 5 checks of the month.`, account_id: dashboard.accountId },
    ];
    const nearly = { id: 'quota_nearly_used', severity: 'warning', page: '/keys', found: found(4) };
    for (const role of ['owner', 'analyst', viewer] as const)
      expect(await told(role)).toMatchObject([nearly]);
    await check();
    const usedUp = { id: 'quota_used_up', severity: 'critical', page: '/keys', found: found(5) };
    expect(await told(viewer)).toMatchObject([usedUp]);
    expect(await told({ [other]: 'developer' })).toEqual([]);
  });

  it('is refused without a session', async () => {
    expectRefusal(await dashboard.anonymous.get('/attention'), 'not_signed_in');
  });
});
