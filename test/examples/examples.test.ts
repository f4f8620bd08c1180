import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { describeSignUp, runnerOfExamples } from './sign-up.ts';

const hasCurl = spawnSync('curl', ['--version']).status === 0;

const runExample = runnerOfExamples();

describe('examples', () => {
  it.skipIf(!hasCurl)('01-first-check.sh prints the answer of a check', async () => {
    const { stdout: answer } = await runExample('sh', '01-first-check.sh');
    expect(JSON.parse(answer).normalized).toMatchObject({
      canonical: 'janedoe@gmail.com',
      subaddress: 'news',
    });
  });

  it('03-typed-client.mts prints its result, for success and for an error', async () => {
    const emails = ['Jane.Doe+news@gmail.com', 'someone@mailinator.com', 'jane@'];
    const { stdout: shown } = await runExample(process.execPath, '03-typed-client.mts', emails);
    expect(shown.trim().split('\n')).toEqual([
      'ALLOW 0 low janedoe@gmail.com',
      expect.stringMatching(/^BLOCK \d+ high someone@mailinator\.com$/),
      expect.stringMatching(/^unparseable_email at 5: .+\.$/),
    ]);
  });
});

describeSignUp(runExample, { example: '02-signup.mjs', program: process.execPath, isThere: true });
