import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../src/observability/logger.ts';

const MODULE = fileURLToPath(new URL('../../src/observability/logger.ts', import.meta.url));

/** What a process of its own writes to standard error that logs so many lines and then does this. */
function logged(lines: number, then: string): string[] {
  const program = `
    import { createLogger } from ${JSON.stringify(MODULE)};
    const log = createLogger('info');
    for (let n = 0; n < ${lines}; n += 1) log.info({ n }, 'line');
    ${then}`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  return stderr.split('\n').filter((line) => line.startsWith('{'));
}

const numbers = (lines: readonly string[]) => lines.map((line) => (JSON.parse(line) as { n: number }).n);
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('the log', () => {
  it.each([
    ['ends by itself', ''],
    ['is ended', 'process.exit(3);'],
    ['falls', "throw new Error('a bug');"],
  ])('is whole and in order when the process %s', (_, then) => {
    for (const count of [1, 1_000]) expect(numbers(logged(count, then))).toEqual(upTo(count));
  });

  it('waits a tenth of a second at most', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'postern-log-')), 'log.jsonl');
    const fd = openSync(file, 'a');
    createLogger('info', fd).info({ email: 'jane@example.org' }, 'one line');
    expect(readFileSync(file, 'utf8')).toBe('');
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).not.toBe(''));
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      email: '[redacted]',
      msg: 'one line',
    });
    closeSync(fd);
  });
});
