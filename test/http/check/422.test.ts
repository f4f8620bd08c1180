import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal, startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

describe('422 unparseable_email', () => {
  it.each([
    '',
    '   ',
    'jane',
    '@example.com',
    'jane@',
    'a@b.com, c@d.com',
    'ja\u0000ne@example.com',
    `${'x'.repeat(1100)}@example.com`,
  ])('for %j, with the fault, its position and a sentence', async (email) => {
    const answer = await service.check(email);
    expectRefusal(answer, 'unparseable_email');
    expect(answer.json.error.details).toEqual([
      {
        fault: expect.stringMatching(/^[a-z0-9_]+$/),
        position: expect.any(Number),
        message: expect.stringMatching(/\.$/),
      },
    ]);
  });

  it('for a lone surrogate', async () => {
    expectRefusal(await service.check('', { body: '{"email":"a\\ud800@example.com"}' }), 'unparseable_email');
  });

  it('has no part of the address in the headers', async () => {
    const { headers } = await service.check('secret-person');
    expect(JSON.stringify(headers)).not.toContain('secret-person');
  });
});
