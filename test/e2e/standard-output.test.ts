import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const postern = (shell: string, argv = ['rules', 'facts']) =>
  spawnSync('sh', ['-c', shell, process.execPath, join(packageRoot, 'bin/postern.js'), ...argv], {
    encoding: 'utf8',
  });

it.skipIf(!existsSync('/dev/full'))(
  'a command whose answer cannot be written says so and ends with 2',
  () => {
    expect(postern('"$0" "$@" >/dev/full')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^postern: standard output cannot be written: ENOSPC/),
    });
  },
);

it('a command whose reader has gone says nothing', () => {
  expect(postern('"$0" "$@" | head -c 1')).toMatchObject({ status: 0, stderr: '' });
});

it('a command whose reader goes before its end shows 141, as others do, and says nothing', () => {
  const file = join(temporaryDirectory(), 'many.jsonl');
  // The output is larger than a pipe's buffer, 64 KiB (pipe(7)).
  writeFileSync(file, '{"email":"jane@example.org"}\n'.repeat(5_000));
  const argv = ['check', '--offline', '--file', file];
  // sh reports the exit code of the pipeline's last command; that of `postern` goes to standard error.
  expect(postern('{ "$0" "$@"; echo "$?" >&2; } | head -n 1', argv)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^\{"email":.+\}\n$/),
    stderr: '141\n',
  });
});
