import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDashboard, type TestDashboard, type Visitor } from '../../support/dashboard.ts';
import { expectRefusal } from '../../support/service.ts';

let dashboard: TestDashboard;
let owner: Visitor;
beforeAll(async () => {
  dashboard = await startDashboard();
  owner = await dashboard.signIn('owner');
});
afterAll(() => dashboard.stop());

const setRoles = (visitor: Visitor, operator_role: string | null, memberships: object[] = [], was?: object) =>
  owner.ask('PUT', `/people/${visitor.person?.id}/roles`, {
    ...{ operator_role, memberships },
    ...(was && { was }),
  });

describe('roles', () => {
  it('apply to the person’s next request', async () => {
    const person = await dashboard.signIn('analyst');
    expectRefusal(await person.get('/people'), 'forbidden');
    expect((await setRoles(person, 'owner')).json).toMatchObject({ operator_role: 'owner' });
    expect((await person.get('/people')).status).toBe(200);
    const membership = { account_id: dashboard.accountId, role: 'viewer' };
    expect((await setRoles(person, null, [membership])).json).toMatchObject({ memberships: [membership] });
    expectRefusal(await person.get('/people'), 'forbidden');
    expect((await setRoles(person, null)).json).toMatchObject({ operator_role: null, memberships: [] });
    expect((await person.get('/accounts')).json).toEqual({ accounts: [] });
  });

  it('are refused for missing accounts, for an account named twice, and for a missing person', async () => {
    const person = await dashboard.signIn('analyst');
    const membership = { account_id: dashboard.accountId, role: 'viewer' };
    for (const memberships of [[{ account_id: 'acc_none', role: 'viewer' }], [membership, membership]]) {
      const { json } = await setRoles(person, null, memberships);
      expect([json.error.code, json.error.details[0].path]).toEqual(['invalid_request', 'body/memberships']);
    }
    const roles = { operator_role: null, memberships: [] };
    expectRefusal(await owner.ask('PUT', '/people/per_none/roles', roles), 'not_found');
  });
});

describe('the last owner', () => {
  it('cannot be demoted or removed', async () => {
    expectRefusal(await setRoles(owner, 'analyst'), 'last_owner');
    expectRefusal(await owner.ask('DELETE', `/people/${owner.person?.id}`), 'last_owner');
    expect((await owner.get('/session')).json.operator_role).toBe('owner');
  });

  it('remains where two owners demote each other at once', async () => {
    const other = await dashboard.signIn('owner');
    const [one, two] = await Promise.all([
      owner.ask('PUT', `/people/${other.person?.id}/roles`, { operator_role: null, memberships: [] }),
      other.ask('PUT', `/people/${owner.person?.id}/roles`, { operator_role: null, memberships: [] }),
    ]);
    expect([one.status, two.status].filter((status) => status === 200)).toHaveLength(1);
    const left = one.status === 200 ? owner : other;
    expect((await left.get('/people')).json.people.filter(isOwner)).toHaveLength(1);
    if (left === other)
      await other.ask('PUT', `/people/${owner.person?.id}/roles`, {
        operator_role: 'owner',
        memberships: [],
      });
  });
});

const isOwner = ({ operator_role }: { operator_role: string }) => operator_role === 'owner';

it('a removed person is signed out at once, and cannot sign in again', async () => {
  const person = await dashboard.signIn('analyst');
  expect((await owner.ask('DELETE', `/people/${person.person?.id}`)).status).toBe(204);
  expect((await person.get('/session')).json.person).toBeNull();
  expectRefusal(await owner.ask('DELETE', `/people/${person.person?.id}`), 'not_found');
  const answer = await dashboard.anonymous.ask('POST', '/session', {
    email: person.person?.email,
    password: 'x',
  });
  expectRefusal(answer, 'wrong_credentials');
});

describe('accounts', () => {
  it('are created by owners, with unique names', async () => {
    const made = await owner.ask('POST', '/accounts', { name: ' Shop ' });
    expect([made.status, made.json.name]).toEqual([201, 'Shop']);
    expectRefusal(await owner.ask('POST', '/accounts', { name: 'Shop' }), 'name_taken');
    expectRefusal(await owner.ask('POST', '/accounts', { name: 'acc_1' }), 'invalid_request');
    const { json } = await owner.get('/accounts');
    expect(json.accounts.map(({ name }: { name: string }) => name)).toEqual(['default', 'Shop']);
  });

  it('are visible only to their members', async () => {
    const id = await dashboard.createAccount('Hidden');
    const member = await dashboard.signIn({ [id]: 'viewer' });
    const stranger = await dashboard.signIn({ [dashboard.accountId]: 'developer' });
    const seen = async (visitor: Visitor) =>
      (await visitor.get('/accounts')).json.accounts.map((account: { id: string }) => account.id);
    expect(await seen(member)).toEqual([id]);
    expect(await seen(stranger)).toEqual([dashboard.accountId]);
  });
});

it('roles are not replaced where they have changed since they were read', async () => {
  const second = await dashboard.createAccount('Of the second owner');
  const here = { account_id: dashboard.accountId, role: 'viewer' };
  const there = { account_id: second, role: 'developer' };
  const person = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
  const was = { operator_role: null, memberships: [here] };
  expect((await setRoles(person, null, [here, there], was)).status).toBe(200);
  expectRefusal(await setRoles(person, null, [{ ...here, role: 'developer' }], was), 'roles_changed');
  expectRefusal(await setRoles(person, 'analyst', [], { ...was, operator_role: 'owner' }), 'roles_changed');
  const { json } = await owner.get('/people');
  const found = json.people.find(({ id }: { id: string }) => id === person.person?.id);
  expect(found.memberships).toEqual(expect.arrayContaining([here, there]));
  // In another order they are the same.
  const now = { operator_role: null, memberships: [there, here] };
  expect((await setRoles(person, null, [there], now)).json.memberships).toEqual([there]);
});
