import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RevocationLog } from '../../../src/storage/revocation-log.ts';
import {
  cookieOf,
  PASSWORD,
  startDashboard,
  type TestDashboard,
  type Visitor,
} from '../../support/dashboard.ts';
import { expectRefusal } from '../../support/service.ts';
import { isShared } from '../../support/service-database.ts';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());

const signIn = (email: string, password: string) =>
  dashboard.anonymous.ask('POST', '/session', { email, password });
const expectNobody = async (visitor: Visitor) =>
  expect((await visitor.get('/session')).json.person).toBeNull();
const emailOf = (visitor: Visitor) => visitor.person?.email ?? '';

describe('signing in', () => {
  it('returns the person, and sets a cookie that only this host over HTTPS can set and no script can read', async () => {
    const owner = await dashboard.signIn('owner');
    const answer = await signIn(emailOf(owner).toUpperCase(), PASSWORD);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      person: { id: owner.person?.id, email: emailOf(owner) },
      operator_role: 'owner',
      accounts: [{ id: dashboard.accountId, name: 'default', role: 'operator' }],
      demo: false,
    });
    const [cookie = ''] = answer.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^__Host-postern_session=[^;]+;/);
    const attributes = cookie
      .split('; ')
      .slice(1)
      .map((attribute) => attribute.toLowerCase());
    expect(attributes).toEqual(
      expect.arrayContaining(['secure', 'httponly', 'samesite=strict', 'path=/', 'max-age=43200']),
    );
    expect(attributes.some((attribute) => attribute.startsWith('domain'))).toBe(false);
  });

  it('answers a wrong password and an unknown email the same way', async () => {
    const person = await dashboard.signIn('analyst');
    const wrong = await signIn(emailOf(person), 'not the password');
    const unknown = await signIn('nobody@firm.example', 'not the password');
    for (const answer of [wrong, unknown]) expectRefusal(answer, 'wrong_credentials');
    expect(Object.keys(wrong.headers)).toEqual(Object.keys(unknown.headers));
    expect(wrong.headers['set-cookie']).toBeUndefined();
  });

  it('is refused from another site', async () => {
    const answer = await dashboard.anonymous.ask(
      ...(['POST', '/session', { email: 'a@b.example', password: 'x' }] as const),
      { headers: { 'sec-fetch-site': 'cross-site' } },
    );
    expectRefusal(answer, 'foreign_origin');
  });
});

describe('a session', () => {
  it('identifies no person without its cookie, or with a forged one', async () => {
    const anonymous = await dashboard.anonymous.get('/session');
    expect(anonymous.status).toBe(200);
    expect(anonymous.json).toEqual({
      ...{ person: null, operator_role: null, accounts: [] },
      ...{ version: expect.stringMatching(/^\d/), demo: false, own_authority: true },
    });
    const { cookie } = await dashboard.signIn('owner');
    const forged = cookie.replace(/=(.)/, (_all, first) => `=${first === 'a' ? 'b' : 'a'}`);
    expect((await dashboard.visitor(forged).get('/session')).json).toEqual(anonymous.json);
    expectRefusal(await dashboard.visitor(forged).ask('DELETE', '/session'), 'not_signed_in');
  });

  it('is deleted by signing out: its cookie is refused from then on', async () => {
    const person = await dashboard.signIn('owner');
    const answer = await person.ask('DELETE', '/session');
    expect(answer.status).toBe(204);
    expect(answer.headers['set-cookie']?.join()).toMatch(/__Host-postern_session=;.*Max-Age=0/i);
    await expectNobody(person);
  });

  it('gives access only to the accounts that the person is a member of', async () => {
    const other = await dashboard.createAccount('Other');
    const member = await dashboard.signIn({ [other]: 'viewer' });
    const { json } = await member.get('/session');
    expect(json).toMatchObject({
      operator_role: null,
      accounts: [{ id: other, name: 'Other', role: 'viewer' }],
    });
  });
});

describe('changing the password', () => {
  it('ends every other session, and keeps this one', async () => {
    const here = await dashboard.signIn('analyst');
    const elsewhere = dashboard.visitor(cookieOf(await signIn(emailOf(here), PASSWORD)));
    expect((await elsewhere.get('/session')).json.person).not.toBeNull();
    const next = 'seven lanterns over harbour';
    const answer = await here.ask('PUT', '/session/password', {
      current_password: PASSWORD,
      new_password: next,
    });
    expect(answer.status).toBe(204);
    await expectNobody(elsewhere);
    await expectNobody(here);
    expect((await dashboard.visitor(cookieOf(answer)).get('/session')).json.person).not.toBeNull();
    expectRefusal(await signIn(emailOf(here), PASSWORD), 'wrong_credentials');
    expect((await signIn(emailOf(here), next)).status).toBe(200);
    // A server is restored by its own tools: there is no log of revocations.
    if (isShared) return;
    const { entries } = await new RevocationLog(dashboard.service.dataDir).read();
    expect(entries.at(-1)).toMatchObject({ what: 'password_changed', id: here.person?.id });
  });

  it('is refused with a wrong current password, or for a new one that is easy to guess', async () => {
    const person = await dashboard.signIn('analyst');
    const change = (current_password: string, new_password: string) =>
      person.ask('PUT', '/session/password', { current_password, new_password });
    expectRefusal(await change('wrong', 'seven lanterns over harbour'), 'wrong_credentials');
    const weak = await change(PASSWORD, 'short');
    expect([weak.status, weak.json.error.code]).toEqual([422, 'weak_password']);
    const message = expect.stringMatching(/at least 12/);
    expect(weak.json.error.details).toEqual([{ path: 'body/new_password', message }]);
    expect((await person.get('/session')).json.person).not.toBeNull();
  });
});

describe('the dashboard and the API', () => {
  it('an API key is refused by the dashboard', async () => {
    const path = `/accounts/${dashboard.accountId}/keys`;
    const answer = await dashboard.anonymous.ask('GET', path, undefined, {
      headers: { authorization: `Bearer ${dashboard.service.key}` },
    });
    expectRefusal(answer, 'not_signed_in');
  });

  it('a session is refused by /v1', async () => {
    const { cookie } = await dashboard.signIn('owner');
    const answer = await dashboard.service.send({
      ...{ method: 'POST', path: '/v1/', body: '{"email":"jane@example.com"}' },
      headers: { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    });
    expectRefusal(answer, 'missing_api_key');
  });
});
