import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDashboard, type TestDashboard } from '../../support/dashboard.ts';

let dashboard: TestDashboard;
let now = Date.now();
beforeAll(async () => {
  dashboard = await startDashboard({}, { clock: { now: () => now } });
});
afterAll(() => dashboard.stop());

const steps = async (role: Parameters<TestDashboard['signIn']>[0], account = dashboard.accountId) =>
  (await (await dashboard.signIn(role)).get(`/accounts/${account}/first-steps`)).json;

describe('the first steps of an account', () => {
  it('are done one by one, and show members nothing about the installation', async () => {
    const account = await dashboard.createAccount('A new shop');
    const developer = await dashboard.signIn({ [account]: 'developer' });
    const read = async () => (await developer.get(`/accounts/${account}/first-steps`)).json;
    const nothing = {
      ...{ is_new: true, live_key: false, live_check: false, test_key: false, label: false },
      ...{ others_invited: null, lists_fresh: null },
    };
    expect(await read()).toEqual(nothing);
    await developer.ask('POST', `/accounts/${account}/keys`, { name: 'tests', environment: 'test' });
    expect(await read()).toEqual({ ...nothing, test_key: true });
    const made = await developer.ask('POST', `/accounts/${account}/keys`, {
      ...{ name: 'shop', environment: 'live' },
    });
    expect(await read()).toEqual({ ...nothing, test_key: true, live_key: true });
    const headers = { authorization: `Bearer ${made.json.secret}` };
    const { json } = await dashboard.service.check('jane@example.com', { headers });
    expect((await read()).live_check).toBe(true);
    await developer.ask('PUT', `/accounts/${account}/checks/${json.id}/label`, { label: 'good' });
    expect(await read()).toEqual({
      ...nothing,
      ...{ test_key: true, live_key: true, live_check: true, label: true },
    });
  });

  it('show operators the installation too', async () => {
    expect(await steps('owner')).toMatchObject({ others_invited: true, lists_fresh: expect.any(Boolean) });
  });

  it('are shown for a week after an account is made, and until its first check', async () => {
    const [asking, silent] = [dashboard.accountId, await dashboard.createAccount('A silent shop')];
    await dashboard.service.check('jane@example.com');
    expect((await steps('owner', asking)).is_new).toBe(true);
    now += 7 * 86_400_000;
    expect((await steps('owner', asking)).is_new).toBe(false);
    expect((await steps('owner', silent)).is_new).toBe(true);
  });
});
