import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AppError, ERRORS, StartupError } from '../src/errors.ts';
import { packageRoot } from '../src/lib/paths.ts';

it('docs/errors.md lists every code with the values of the table, and no other code', () => {
  const page = readFileSync(join(packageRoot, 'docs/errors.md'), 'utf8');
  const rows = [...page.matchAll(/^\| (\d{3}) \| `(\w+)` \| (yes|no) \| (.+) \|$/gm)];
  const documented = rows.map(([, status, code, retry, message]) => [
    code,
    { status: Number(status), retryable: retry === 'yes', message },
  ]);
  expect(Object.fromEntries(documented)).toEqual(ERRORS);
  expect(documented.length).toBe(Object.keys(ERRORS).length);
});

it('an AppError has the values of its code in the table', () => {
  const error = new AppError('rate_limited', { retryAfterMs: 1500 });
  expect(error).toMatchObject({ status: 429, message: ERRORS.rate_limited.message });
});

it('StartupError.gather lists the faults of all that failed, and does not hide a bug among them', async () => {
  const fails = (...faults: string[]) => Promise.reject(new StartupError(faults));
  await expect(StartupError.gather([fails('one'), 1, fails('two', 'three')])).rejects.toMatchObject({
    faults: ['one', 'two', 'three'],
  });
  await expect(StartupError.gather([fails('one'), Promise.reject(new TypeError('bug'))])).rejects.toThrow(
    'bug',
  );
  const isAway = () => Promise.reject(new StartupError(['away'], true));
  await expect(StartupError.gather([isAway(), isAway()])).rejects.toHaveProperty('isTemporary', true);
  await expect(StartupError.gather([isAway(), fails('one')])).rejects.toHaveProperty('isTemporary', false);
  expect(await StartupError.gather([Promise.resolve('a'), null])).toEqual(['a', null]);
});
