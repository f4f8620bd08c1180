import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startDashboard, type TestDashboard, type Visitor } from '../../support/dashboard.ts';
import { expectRefusal } from '../../support/service.ts';

let dashboard: TestDashboard;
let owner: Visitor;
let mine: string;
let theirs: string;
beforeAll(async () => {
  dashboard = await startDashboard();
  owner = await dashboard.signIn('owner');
  mine = (await owner.ask('POST', '/accounts', { name: 'Mine' })).json.id;
  theirs = (await owner.ask('POST', '/accounts', { name: 'Theirs' })).json.id;
});
afterAll(() => dashboard.stop());

const read = async (visitor: Visitor, query = '') => (await visitor.get(`/audit${query}`)).json;

describe('the audit trail', () => {
  it('lists who did what to which subject, newest first', async () => {
    const { entries } = await read(owner, '?action=account.created');
    expect(entries).toMatchObject([
      { action: 'account.created', subject: theirs, account_id: theirs, detail: { name: 'Theirs' } },
      { person: owner.person?.email, person_id: owner.person?.id, subject: mine, detail: { name: 'Mine' } },
    ]);
  });

  it('shows a member the entries of their own accounts, and nothing else', async () => {
    const member = await dashboard.signIn({ [mine]: 'viewer' });
    const { entries } = await read(member);
    expect(entries.map(({ account_id }: { account_id: string }) => account_id)).toEqual([mine]);
    expectRefusal(await member.get(`/audit?account_id=${theirs}`), 'not_found');
    const nowhere = await dashboard.signIn({});
    expect(await read(nowhere)).toEqual({ entries: [], next: null });
  });

  it('is read in pages, by person and by subject', async () => {
    const all = await read(owner, '?limit=200');
    const ids: string[] = [];
    let next: string | null = null;
    do {
      const page: { entries: { id: string }[]; next: string | null } = await read(
        owner,
        `?limit=2${next ? `&before=${next}` : ''}`,
      );
      expect(page.entries.length).toBeLessThanOrEqual(2);
      ids.push(...page.entries.map(({ id }) => id));
      next = page.next;
    } while (next !== null);
    expect(ids).toEqual(all.entries.map(({ id }: { id: string }) => id));
    expect((await read(owner, `?subject=${mine}`)).entries).toHaveLength(1);
    expect((await read(owner, '?person_id=per_none')).entries).toEqual([]);
  });

  it('is filtered by time', async () => {
    const { at, id } = (await read(owner, `?subject=${mine}`)).entries[0];
    const after = new Date(Date.parse(at) + 1).toISOString();
    const idsOf = async (query: string) =>
      (await read(owner, `?subject=${mine}&${query}`)).entries.map((entry: { id: string }) => entry.id);
    expect(await idsOf(`since=${at}&until=${after}`)).toEqual([id]);
    expect(await idsOf(`since=${after}`)).toEqual([]);
    expect(await idsOf(`until=${at}`)).toEqual([]);
    expectRefusal(await owner.get('/audit?since=yesterday'), 'invalid_request');
  });

  it('shows an entry of another version that this version has no word for', async () => {
    const at = '2020-03-04T05:06:07.000Z';
    const sql =
      'INSERT INTO audit_trail (id, at, person_id, person, action, subject, account_id, detail) VALUES (?, ?, NULL, ?, ?, NULL, NULL, ?)';
    await dashboard.service.write(sql, 'act_newer', at, 'ann@firm.example', 'key.frozen', '{"days":3}');
    const { entries } = await read(owner, '?since=2020-03-04&until=2020-03-05');
    expect(entries).toMatchObject([{ id: 'act_newer', action: 'key.frozen', detail: { days: 3 } }]);
  });

  it('keeps the entries of a removed person', async () => {
    const person = await dashboard.signIn('owner');
    await dashboard.anonymous.ask('POST', '/session', { email: person.person?.email, password: PASSWORD });
    await person.ask('POST', '/accounts', { name: 'Left behind' });
    await owner.ask('DELETE', `/people/${person.person?.id}`);
    const { entries } = await read(owner, `?person_id=${person.person?.id}`);
    expect(entries).toMatchObject([{ action: 'account.created' }, { action: 'person.signed_in' }]);
    expect((await read(owner, `?subject=${person.person?.id}&action=person.removed`)).entries).toMatchObject([
      { person: owner.person?.email, detail: { email: person.person?.email } },
    ]);
  });

  it('contains every failed sign-in, under the email of a known person, and never what was typed', async () => {
    const email = String(owner.person?.email);
    for (const typed of [email.toUpperCase(), 'my secret password']) {
      const answer = await dashboard.anonymous.ask('POST', '/session', { email: typed, password: 'wrong' });
      expectRefusal(answer, 'wrong_credentials');
    }
    const { entries } = await read(owner, '?action=person.sign_in_failed');
    expect(entries).toMatchObject([
      { person: 'unknown', person_id: null, detail: { client_address: '127.0.0.1' } },
      { person: email, person_id: owner.person?.id },
    ]);
    expect(JSON.stringify(entries)).not.toContain('secret');
  });
});
