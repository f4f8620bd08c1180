import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';

const postern = (shell: string) =>
  spawnSync('sh', ['-c', shell, process.execPath, join(packageRoot, 'bin/postern.js'), 'rules', 'facts'], {
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
