import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { expectRefusal, startTestService, type TestService } from '../../support/service.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

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
    const folder = join(temporaryDirectory(), 'liar');
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(
      join(folder, 'index.js'),
      `export default {
        id: 'liar', apiVersion: 1, description: 'Breaks its word.', stage: 'local',
        facts: [{ id: 'liar.seen', type: 'boolean', description: 'Seen.', example: true, never_unknown: true }],
        check: () => { throw new Error('secret detail'); },
      };`,
    );
    service = await startTestService({ providers: { paths: [folder] } });
    const answer = await service.check('jane@example.com');
    expectRefusal(answer, 'internal_error');
    expect(answer.text).not.toContain('secret detail');
    expect(answer.text).not.toContain('liar');
  });
});
