import { afterEach, describe, expect, it } from 'vitest';
import { expectRefusal, startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
afterEach(() => service.stop());

describe('429 rate_limited', () => {
  it('after the requests of the window, with the time to wait, whatever the body', async () => {
    service = await startTestService({ rate_limit: { requests: 2, window_seconds: 60 } });
    expect((await service.check('jane@example.com')).headers.ratelimit).toMatch(/^"key";r=1;/);
    // A refused request counts too: the limit is checked before the body is read.
    expectRefusal(await service.check('', { body: 'not json' }), 'invalid_json');
    const answer = await service.check('', { body: 'not json' });
    expectRefusal(answer, 'rate_limited');
    expect(answer.headers.ratelimit).toMatch(/^"key";r=0;t=\d+$/);
    expect(answer.headers['ratelimit-policy']).toBe('"key";q=2;w=60, "account";q=100000;w=2592000');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60);
  });

  it('after 20 failed authentications from one address, and never for a valid key', async () => {
    service = await startTestService();
    const guess = () => service.check('jane@example.com', { headers: { authorization: 'Bearer guess' } });
    for (let n = 0; n < 20; n++) expectRefusal(await guess(), 'malformed_api_key');
    const answer = await guess();
    expectRefusal(answer, 'rate_limited');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect((await service.check('jane@example.com')).status).toBe(200);
  });
});
