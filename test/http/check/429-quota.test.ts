import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectRefusal, startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService({ quota: { checks_per_month: 3 } });
});
afterEach(() => service.stop());

async function recorded() {
  const [checks] = await service.rows('SELECT count(*) AS n FROM checks');
  const [used] = await service.rows('SELECT coalesce(sum(checks), 0) AS n FROM usage');
  return { checks: checks?.n, used: used?.n };
}

describe('429 quota_exhausted', () => {
  it('after the checks of the month, and never one more, with any number of concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.check('jane@example.com')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = answers.filter(({ status }) => status !== 200);
    for (const answer of refused) expectRefusal(answer, 'quota_exhausted');
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused[0]?.headers.ratelimit).toMatch(/, "account";r=0;t=\d+$/);
    expect(await recorded()).toEqual({ checks: 3, used: 3 });
  });

  it('a refusal gives its reservation back', async () => {
    for (let n = 0; n < 5; n++) expectRefusal(await service.check('not an address'), 'unparseable_email');
    for (let n = 0; n < 5; n++) expectRefusal(await service.check('', { body: '{' }), 'invalid_json');
    expect((await service.check('jane@example.com')).status).toBe(200);
    expect(await recorded()).toEqual({ checks: 1, used: 1 });
  });

  it('never occurs where there is no quota', async () => {
    const free = await startTestService({ quota: { checks_per_month: null } });
    const { status, headers } = await free.check('jane@example.com');
    await free.stop();
    expect([status, headers['ratelimit-policy']]).toEqual([200, '"key";q=600;w=60']);
  });

  it('names the policy beside the rate limit', async () => {
    const { headers } = await service.check('jane@example.com');
    expect(headers['ratelimit-policy']).toBe('"key";q=600;w=60, "account";q=3;w=2592000');
  });

  it('a test key uses none of it', async () => {
    const headers = { authorization: `Bearer ${await service.createKey('test')}` };
    for (let n = 0; n < 5; n++) {
      expect((await service.check('jane@example.com', { headers })).status).toBe(200);
    }
    expect(await recorded()).toEqual({ checks: 5, used: 0 });
    expect((await service.check('jane@example.com')).headers['ratelimit-policy']).toContain('"account"');
  });
});
