import { afterEach, describe, expect, it } from 'vitest';
import { expectRefusal, startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
afterEach(() => service.stop());

const recorded = async () => (await service.rows('SELECT count(*) AS n FROM checks'))[0]?.n;

describe('503 unavailable', () => {
  it('while the record cannot be made durable: never an unrecorded 200, never BLOCK, and no quota is used', async () => {
    service = await startTestService({ quota: { checks_per_month: 1 } });
    const letGo = await service.holdRecords();
    const answer = await service.check('jane@example.com');
    expectRefusal(answer, 'unavailable');
    expect(answer.headers['retry-after']).toBe('1');
    await letGo();
    expect(await recorded()).toBe(0);
    expect((await service.check('jane@example.com')).status).toBe(200);
    expect(await recorded()).toBe(1);
  });
});

describe('500 internal_error', () => {
  it('for a bug, in the envelope and without details of the error', async () => {
    let isBroken = false;
    const now = () => {
      if (isBroken) throw new Error('secret detail');
      return Date.now();
    };
    service = await startTestService({}, { clock: { now } });
    isBroken = true;
    const answer = await service.check('jane@example.com');
    isBroken = false;
    expectRefusal(answer, 'internal_error');
    expect(answer.text).not.toContain('secret detail');
  });
});
