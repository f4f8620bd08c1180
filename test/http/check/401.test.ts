import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal, startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const withAuthorization = (authorization: string) =>
  service.check('jane@example.com', { headers: { authorization } });

describe('401', () => {
  it('missing_api_key without a credential, with the required scheme in WWW-Authenticate', async () => {
    const answer = await service.send({
      method: 'POST',
      path: '/v1/',
      headers: { 'content-type': 'application/json' },
      body: '{"email":"jane@example.com"}',
    });
    expectRefusal(answer, 'missing_api_key');
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
  });

  it.each(['Bearer secret', 'Bearer pst_live_', 'Bearer pst_prod_abc'])(
    'malformed_api_key for "%s"',
    async (value) => {
      const answer = await withAuthorization(value);
      expectRefusal(answer, 'malformed_api_key');
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
    },
  );

  it('malformed_api_key for a key with one character changed', async () => {
    const last = service.key.at(-1) === 'a' ? 'b' : 'a';
    expectRefusal(await withAuthorization(`Bearer ${service.key.slice(0, -1)}${last}`), 'malformed_api_key');
  });

  it('malformed_api_key for two keys, in either order', async () => {
    const valid = `Bearer ${service.key}`;
    for (const authorization of [
      [valid, 'Bearer other'],
      ['Bearer other', valid],
    ]) {
      const answer = await service.send({
        method: 'POST',
        path: '/v1/',
        // Node's client only sends a header twice in this form.
        headers: ['host', 'localhost', ...authorization.flatMap((value) => ['authorization', value])],
        body: '{"email":"jane@example.com"}',
      });
      expectRefusal(answer, 'malformed_api_key');
    }
  });

  it('without reading the body: the key is checked first', async () => {
    const answer = await service.send({ method: 'POST', path: '/v1/', body: 'not json' });
    expectRefusal(answer, 'missing_api_key');
  });
});
