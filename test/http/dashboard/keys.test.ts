import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDashboard, type TestDashboard, type Visitor } from '../../support/dashboard.ts';

describe('keys of an account', () => {
  let dashboard: TestDashboard;
  let [owner, analyst, developer, viewer, stranger]: Visitor[] = [];
  let keys: string;
  beforeAll(async () => {
    dashboard = await startDashboard({ quota: { checks_per_month: 50 } });
    keys = `/accounts/${dashboard.accountId}/keys`;
    const other = await dashboard.createAccount('other');
    owner = await dashboard.signIn('owner');
    analyst = await dashboard.signIn('analyst');
    developer = await dashboard.signIn({ [dashboard.accountId]: 'developer' });
    viewer = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    stranger = await dashboard.signIn({ [other]: 'developer' });
  }, 60_000);
  afterAll(() => dashboard.stop());

  const as = (visitor: Visitor | undefined): Visitor => {
    if (!visitor) throw new Error('no visitor has signed in');
    return visitor;
  };
  const issue = async (name = 'shop', environment = 'live') =>
    (await as(developer).ask('POST', keys, { name, environment })).json;
  const check = (secret: string) =>
    dashboard.service.send({
      method: 'POST',
      path: '/v1/',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'jane.doe@postern.test' }),
    });
  const trailOf = async (subject: string) => (await as(owner).get(`/audit?subject=${subject}`)).json.entries;

  it('are issued with a secret that works at once, and that no list shows', async () => {
    const { key, secret } = await issue(' shop ', 'test');
    expect(key).toMatchObject({ name: 'shop', environment: 'test', state: 'active' });
    expect(secret.startsWith(key.prefix)).toBe(true);
    expect((await check(secret)).status).toBe(200);
    const { text, json } = await as(viewer).get(keys);
    expect(json.keys.map(({ id }: { id: string }) => id)).toContain(key.id);
    expect(text).not.toContain(secret);
    expect(await trailOf(key.id)).toMatchObject([
      {
        action: 'key.issued',
        person: as(developer).person?.email,
        account_id: dashboard.accountId,
        detail: { name: 'shop', environment: 'test' },
      },
    ]);
  });

  it('are rotated: both work during the grace period, and the old one shows when it ends', async () => {
    const { key, secret } = await issue('rotated', 'test');
    const answer = await as(developer).ask('POST', `${keys}/${key.id}/rotate`, { grace_seconds: 3600 });
    expect(answer.status).toBe(201);
    expect(answer.json.previous).toMatchObject({
      id: key.id,
      state: 'ending',
      replaced_by: answer.json.key.id,
    });
    expect((await check(secret)).status).toBe(200);
    expect((await check(answer.json.secret)).status).toBe(200);
    const { expires_at } = answer.json.previous;
    expect(await trailOf(key.id)).toMatchObject([
      { action: 'key.rotated', detail: { replaced_by: answer.json.key.id, expires_at } },
      { action: 'key.issued' },
    ]);
  });

  it('are rotated without a grace period: the old one is refused from then on', async () => {
    const { key, secret } = await issue('hurried', 'test');
    const { json } = await as(developer).ask('POST', `${keys}/${key.id}/rotate`, { grace_seconds: 0 });
    expect(json.previous.state).toBe('ended');
    expect((await check(secret)).status).toBe(401);
  });

  it('are rotated only once', async () => {
    const { key } = await issue('once', 'test');
    await as(developer).ask('POST', `${keys}/${key.id}/rotate`, { grace_seconds: 60 });
    const again = await as(developer).ask('POST', `${keys}/${key.id}/rotate`, { grace_seconds: 60 });
    expect([again.status, again.json.error.code]).toEqual([409, 'not_rotatable']);
    expect(await trailOf(key.id)).toHaveLength(2);
  });

  it('are revoked at once; a second revocation changes nothing', async () => {
    const { key, secret } = await issue('gone', 'test');
    const revoked = await as(developer).ask('POST', `${keys}/${key.id}/revoke`);
    expect(revoked.json).toMatchObject({ id: key.id, state: 'revoked' });
    expect((await check(secret)).status).toBe(401);
    const again = await as(developer).ask('POST', `${keys}/${key.id}/revoke`);
    expect(again.json).toEqual(revoked.json);
    const acts = (await trailOf(key.id)).map(({ action }: { action: string }) => action);
    expect(acts).toEqual(['key.revoked', 'key.issued']);
  });

  it('are changed by developers and owners, read by viewers and analysts, and not found by other people', async () => {
    const { key } = await issue('roles', 'test');
    const wanted = { name: 'mine', environment: 'test' };
    const changes = [
      ['POST', keys, wanted],
      ['POST', `${keys}/${key.id}/rotate`, { grace_seconds: 60 }],
      ['POST', `${keys}/${key.id}/revoke`, undefined],
    ] as const;
    for (const [method, path, body] of changes) {
      for (const visitor of [viewer, analyst]) {
        expect((await as(visitor).ask(method, path, body)).status).toBe(403);
      }
      expect((await as(stranger).ask(method, path, body)).status).toBe(404);
      expect((await dashboard.anonymous.ask(method, path, body)).status).toBe(401);
    }
    for (const visitor of [owner, analyst, developer, viewer]) {
      expect((await as(visitor).get(keys)).status).toBe(200);
    }
    expect((await as(stranger).get(keys)).status).toBe(404);
    expect((await as(owner).ask('POST', keys, wanted)).status).toBe(201);
  });

  it('of another account are not found in this one', async () => {
    const other = await dashboard.createAccount('third');
    const { json } = await as(owner).ask('POST', `/accounts/${other}/keys`, {
      name: 'a',
      environment: 'test',
    });
    for (const act of ['rotate', 'revoke']) {
      const body = act === 'rotate' ? { grace_seconds: 0 } : undefined;
      const answer = await as(developer).ask('POST', `${keys}/${json.key.id}/${act}`, body);
      expect([answer.status, answer.json.error.code]).toEqual([404, 'not_found']);
    }
    expect((await as(developer).ask('POST', `${keys}/key_none/revoke`)).status).toBe(404);
  });

  it.each([
    [{ name: '', environment: 'live' }, 'body/name'],
    [{ name: '  ', environment: 'live' }, 'body/name'],
    [{ name: 'a', environment: 'prod' }, 'body/environment'],
    [{ name: 'a' }, 'body/environment'],
  ])('are not issued with %j', async (body, path) => {
    const { status, json } = await as(developer).ask('POST', keys, body);
    expect([status, json.error.details[0].path]).toEqual([400, path]);
  });

  it('have limits with their current usage', async () => {
    const limits = async () => (await as(viewer).get(`/accounts/${dashboard.accountId}/limits`)).json;
    const before = await limits();
    expect(before).toMatchObject({
      checks_per_month: 50,
      rate_limit: { requests: 600, window_seconds: 60 },
    });
    expect(Date.parse(before.month_ends_at)).toBeGreaterThan(Date.now());
    const { secret } = await issue('counted');
    expect((await check(secret)).status).toBe(200);
    expect((await limits()).used).toBe(before.used + 1);
    expect((await as(stranger).get(`/accounts/${dashboard.accountId}/limits`)).status).toBe(404);
  });

  it('come with the authority that a client must trust', async () => {
    const { status, text, headers } = await as(viewer).get('/certificate-authority');
    expect(status).toBe(200);
    expect(text).toMatch(/^-----BEGIN CERTIFICATE-----/);
    expect(text).not.toContain('PRIVATE');
    expect(headers['content-disposition']).toContain('postern-ca.pem');
  });
});
