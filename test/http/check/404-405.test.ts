import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal, startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

describe('404 not_found', () => {
  it.each(['/v2/', '/api/v1/', '/v1/checks', '/V1/', '/v1//', '/metrics', '/%00', '/%zz'])(
    'at %s',
    async (path) => {
      expectRefusal(await service.check('jane@example.com', { path }), 'not_found');
    },
  );
});

describe('405 method_not_allowed', () => {
  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('for %s /v1/, with Allow', async (method) => {
    const answer = await service.send({ method, path: '/v1/' });
    expectRefusal(answer, 'method_not_allowed');
    expect(answer.headers.allow).toBe('POST');
  });

  it.each(['/healthz', '/'])('for POST %s', async (path) => {
    const answer = await service.send({ method: 'POST', path });
    expectRefusal(answer, 'method_not_allowed');
    expect(answer.headers.allow).toBe('GET, HEAD');
  });

  it('comes before the key: a wrong path reveals nothing about a key', async () => {
    expectRefusal(await service.send({ method: 'DELETE', path: '/v1/' }), 'method_not_allowed');
  });
});
