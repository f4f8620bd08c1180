import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { describeSignUp, runnerOfExamples } from './sign-up.ts';

const hasCurl = spawnSync('curl', ['--version']).status === 0;

const runExample = runnerOfExamples();

describe('examples', () => {
  it.skipIf(!hasCurl)('01-first-check.sh answers with a check', async () => {
    const answer = await runExample('sh', '01-first-check.sh');
    expect(JSON.parse(answer).normalized).toMatchObject({
      canonical: 'janedoe@gmail.com',
      subaddress: 'news',
    });
  });

  it('03-typed-client.mts shows what it was told, whichever way it went', async () => {
    const emails = ['Jane.Doe+news@gmail.com', 'someone@mailinator.com', 'jane@'];
    const shown = await runExample(process.execPath, '03-typed-client.mts', emails);
    expect(shown.trim().split('\n')).toEqual([
      'ALLOW 0 low janedoe@gmail.com',
      expect.stringMatching(/^BLOCK \d+ high someone@mailinator\.com$/),
      expect.stringMatching(/^unparseable_email at 5: .+\.$/),
    ]);
  });
});

describeSignUp(runExample, { example: '02-signup.mjs', program: process.execPath, isThere: true });
