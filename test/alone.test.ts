import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../src/lib/paths.ts';
import { ALONE } from '../vitest.config.ts';

/** Changes that outlast a test file, and affect the next file in the same process. */
const CHANGES_ITS_PROCESS = /from 'nock'|\bvi\.(doMock|mock)\(|process\.(chdir|umask|env\.\w+ =)/;

describe('the test files that share a process', () => {
  const tests = globSync(['test/**/*.test.ts', 'providers/**/*.test.ts'], { cwd: packageRoot }).filter(
    (file) => file !== 'test/alone.test.ts',
  );
  const changing = tests.filter((file) =>
    CHANGES_ITS_PROCESS.test(readFileSync(join(packageRoot, file), 'utf8')),
  );

  it('neither replace modules nor change the state of the process', () => {
    expect(changing).not.toEqual([]);
    expect(changing.filter((file) => !ALONE.includes(file))).toEqual([]);
  });

  it('are all except those that the configuration names, each of which exists', () =>
    expect(ALONE.filter((file) => !tests.includes(file))).toEqual([]));
});
