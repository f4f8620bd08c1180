import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { expectRefusal, startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
afterEach(() => service.stop());

const database = () => new DatabaseSync(join(service.dataDir, 'postern.db'));

describe('503 unavailable', () => {
  it('while the record cannot be made durable: never an unrecorded 200, never BLOCK, and the quota is untouched', async () => {
    service = await startTestService({ quota: { checks_per_month: 1 } });
    const other = database();
    other.exec('BEGIN IMMEDIATE');
    const answer = await service.check('jane@example.com');
    expectRefusal(answer, 'unavailable');
    expect(answer.headers['retry-after']).toBe('1');
    expect(other.prepare('SELECT count(*) AS n FROM checks').get()?.n).toBe(0);
    other.exec('ROLLBACK');
    expect((await service.check('jane@example.com')).status).toBe(200);
    expect(other.prepare('SELECT count(*) AS n FROM checks').get()?.n).toBe(1);
    other.close();
  });
});

describe('500 internal_error', () => {
  it('for a bug, in the envelope and without a word of what it was', async () => {
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
