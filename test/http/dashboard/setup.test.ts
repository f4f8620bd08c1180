import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashSecret } from '../../../src/accounts/key.ts';
import {
  cookieOf,
  PASSWORD,
  startDashboard,
  type TestDashboard,
  type Visitor,
} from '../../support/dashboard.ts';
import { expectRefusal } from '../../support/service.ts';
import { isShared } from '../../support/service-database.ts';

const HOUR = 3_600_000;
let now = Date.now();
const clock = { now: () => now };

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await startDashboard({}, { clock });
});
afterAll(() => dashboard.stop());

const tokenOf = (path: string | null) => path?.split('#')[1] ?? '';
const redeem = (token: string, more: object = {}) =>
  dashboard.anonymous.ask('POST', '/setup', { token, password: PASSWORD, ...more });
const look = (token: string) => dashboard.anonymous.ask('POST', '/setup/link', { token });

describe('makes an owner once, and never again', () => {
  it('makes an owner once, and never again', async () => {
    const token = tokenOf(dashboard.service.setupPath);
    expect((await look(token)).json).toMatchObject({ purpose: 'setup', email: null });
    const person = { name: 'Ada Lovelace-O’Neil 李 علی\u200cرضا', email: 'Ada@Firm.example' };
    const weak = await redeem(token, { ...person, password: 'ada-ada-ada-ada' });
    expect([weak.status, weak.json.error.code]).toEqual([422, 'weak_password']);
    const nameless = await redeem(token);
    expect(nameless.json.error.details).toEqual([
      { path: 'body/name', message: 'is missing' },
      { path: 'body/email', message: 'is missing' },
    ]);
    for (const name of [
      ' ',
      'Ada\u202e',
      'A\u200bda',
      'Ada\u0007',
      'Ada\nroot',
      'Ada\u2028',
      '\ufeffAda',
      '\u200d',
      '\u3164',
      '\u2800',
    ]) {
      const disguised = await redeem(token, { ...person, name });
      expect([name, disguised.status, disguised.json.error.details]).toEqual([
        ...[name, 400],
        [
          {
            path: 'body/name',
            message:
              'must show something, and hold no control characters and none that are invisible or turn the direction of text',
          },
        ],
      ]);
    }

    const both = await Promise.all([
      redeem(token, person),
      redeem(token, { ...person, email: 'b@firm.example' }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 410]);
    const made = both.find(({ status }) => status === 200);
    expect(made?.json).toMatchObject({ operator_role: 'owner', person: { name: person.name } });
    expectRefusal(await redeem(token, person), 'invalid_link');
    expectRefusal(await look(token), 'invalid_link');
    const owner = dashboard.visitor(made ? cookieOf(made) : '');
    expect((await owner.get('/people')).json.people).toHaveLength(1);
  });

  it('is stored only as a hash', async ({ skip }) => {
    skip(isShared, 'looks into the file of SQLite');
    const { readFileSync } = await import('node:fs');
    const token = tokenOf(dashboard.service.setupPath);
    const files = ['postern.db', 'postern.db-wal'].map((name) =>
      readFileSync(`${dashboard.service.dataDir}/${name}`),
    );
    expect(files.some((file) => file.includes(hashSecret(token)))).toBe(true);
    expect(files.some((file) => file.includes(token))).toBe(false);
  });
});

const linksFor = async (visitor: Visitor, email: string) =>
  (await visitor.get('/links')).json.links.filter((link: { email: string | null }) => link.email === email);

describe('an invitation', () => {
  it('admits the invited email with the given roles, once and within seven days', async () => {
    const owner = await dashboard.signIn('owner');
    const membership = { account_id: dashboard.accountId, role: 'developer' };
    const body = { email: 'Grace@firm.example', operator_role: null, membership };
    const made = await owner.ask('POST', '/invitations', body);
    expect(made.status).toBe(201);
    expect(made.json.expires_at).toBe(new Date(now + 7 * 24 * HOUR).toISOString());
    expect(await linksFor(owner, 'grace@firm.example')).toEqual([
      {
        ...{ id: made.json.id, purpose: 'invitation', email: 'grace@firm.example', person_id: null },
        ...{ operator_role: null, membership, created_by: owner.person?.id },
        ...{ created_at: new Date(now).toISOString(), expires_at: made.json.expires_at },
      },
    ]);

    const token = tokenOf(made.json.path);
    expect((await look(token)).json).toMatchObject({ purpose: 'invitation', email: 'grace@firm.example' });
    const joined = await redeem(token, { name: 'Grace', email: 'other@firm.example' });
    expect(joined.json).toMatchObject({
      ...{ person: { email: 'grace@firm.example' }, operator_role: null },
      accounts: [{ id: dashboard.accountId, role: 'developer' }],
    });
    expect(await linksFor(owner, 'grace@firm.example')).toEqual([]);
    expectRefusal(await redeem(token, { name: 'Grace' }), 'invalid_link');
    expectRefusal(await owner.ask('POST', '/invitations', body), 'email_taken');
  });

  it('ends after seven days', async () => {
    const owner = await dashboard.signIn('owner');
    const body = { email: 'late@firm.example', operator_role: 'analyst', membership: null };
    const token = tokenOf((await owner.ask('POST', '/invitations', body)).json.path);
    now += 7 * 24 * HOUR;
    expectRefusal(await redeem(token, { name: 'Late' }), 'invalid_link');
    expect(await linksFor(owner, 'late@firm.example')).toEqual([]);
  });

  it('ends when it is revoked, or another is made for the same email', async () => {
    const owner = await dashboard.signIn('owner');
    const body = { email: 'x@firm.example', operator_role: 'analyst', membership: null };
    const first = (await owner.ask('POST', '/invitations', body)).json;
    const second = (await owner.ask('POST', '/invitations', body)).json;
    expectRefusal(await look(tokenOf(first.path)), 'invalid_link');
    expect((await owner.ask('DELETE', `/links/${second.id}`)).status).toBe(204);
    expectRefusal(await look(tokenOf(second.path)), 'invalid_link');
    expectRefusal(await owner.ask('DELETE', `/links/${second.id}`), 'not_found');
  });

  it.each(['demoted', 'removed'])(
    'ends when the owner who made it is %s, and so do their links for passwords',
    async (end) => {
      const owner = await dashboard.signIn('owner');
      const leaving = await dashboard.signIn('owner');
      const body = { email: 'friend@firm.example', operator_role: 'owner', membership: null };
      const invitation = await leaving.ask('POST', '/invitations', body);
      const password = await leaving.ask('POST', `/people/${owner.person?.id}/password-link`);
      const path = `/people/${leaving.person?.id}`;
      if (end === 'removed') await owner.ask('DELETE', path);
      else await owner.ask('PUT', `${path}/roles`, { operator_role: 'analyst', memberships: [] });
      expectRefusal(await redeem(tokenOf(invitation.json.path), { name: 'Friend' }), 'invalid_link');
      expectRefusal(
        await redeem(tokenOf(password.json.path), { password: 'taken over by a friend' }),
        'invalid_link',
      );
      expect((await owner.get('/session')).json.person).not.toBeNull();
    },
  );

  it('has roles of one kind, and an account that exists', async () => {
    const owner = await dashboard.signIn('owner');
    const invite = (part: object) => owner.ask('POST', '/invitations', { email: 'y@firm.example', ...part });
    const role = { account_id: 'acc_none', role: 'viewer' };
    const answers = await Promise.all([
      invite({ operator_role: null, membership: null }),
      invite({ operator_role: 'owner', membership: role }),
      invite({ operator_role: null, membership: role }),
    ]);
    expect(answers.map(({ json }) => [json.error.code, json.error.details[0].path])).toEqual(
      answers.map(() => ['invalid_request', 'body/membership']),
    );
  });
});

describe('a link for a new password', () => {
  it('is shown to owners until it is used, and can be revoked by them; the audit trail has who did it', async () => {
    const owner = await dashboard.signIn('owner');
    const person = await dashboard.signIn('analyst');
    const { id: person_id, email = '' } = person.person ?? {};
    const made = (await owner.ask('POST', `/people/${person_id}/password-link`)).json;
    const open = await linksFor(owner, email);
    expect(open).toMatchObject([
      { id: made.id, purpose: 'password', person_id, operator_role: null, created_by: owner.person?.id },
    ]);
    expect(JSON.stringify(open)).not.toContain(tokenOf(made.path));
    expectRefusal(await person.get('/links'), 'forbidden');
    expectRefusal(await person.ask('DELETE', `/links/${made.id}`), 'forbidden');

    expect((await owner.ask('DELETE', `/links/${made.id}`)).status).toBe(204);
    expect(await linksFor(owner, email)).toEqual([]);
    expectRefusal(
      await redeem(tokenOf(made.path), { password: 'seven lanterns over harbour' }),
      'invalid_link',
    );
    expectRefusal(await owner.ask('DELETE', `/links/${made.id}`), 'not_found');
    const { json } = await owner.get('/audit?action=link.revoked');
    expect(json.entries[0]).toMatchObject({
      ...{ person: owner.person?.email, subject: made.id },
      detail: { purpose: 'password', email },
    });
  });

  it('changes nothing before it is used, then ends every session and the old password', async () => {
    const owner = await dashboard.signIn('owner');
    const person = await dashboard.signIn('analyst');
    const made = await owner.ask('POST', `/people/${person.person?.id}/password-link`);
    const token = tokenOf(made.json.path);
    expect((await person.get('/session')).json.person).not.toBeNull();
    const next = 'seven lanterns over harbour';
    const answer = await redeem(token, { password: next });
    expect(answer.json.person.id).toBe(person.person?.id);
    expect((await person.get('/session')).json.person).toBeNull();
    const signIn = (password: string) =>
      dashboard.anonymous.ask('POST', '/session', { email: person.person?.email, password });
    expectRefusal(await signIn(PASSWORD), 'wrong_credentials');
    expect((await signIn(next)).status).toBe(200);
    expectRefusal(await redeem(token, { password: next }), 'invalid_link');
  });

  it('ends after 24 hours', async () => {
    const owner = await dashboard.signIn('owner');
    const made = await owner.ask('POST', `/people/${owner.person?.id}/password-link`);
    now += 24 * HOUR;
    expectRefusal(await redeem(tokenOf(made.json.path)), 'invalid_link');
  });
});
