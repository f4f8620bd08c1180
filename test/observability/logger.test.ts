import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs, { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../src/observability/logger.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const MODULE = fileURLToPath(new URL('../../src/observability/logger.ts', import.meta.url));

/** The command of a child process that logs this many lines and then runs the code. */
function programOf(lines: number, then: string, first = ''): [command: string, ...args: string[]] {
  const program = `
    import { createLogger } from ${JSON.stringify(MODULE)};
    const log = createLogger('info');
    ${first}
    for (let n = 0; n < ${lines}; n += 1) log.info({ n }, 'line');
    ${then}`;
  return [process.execPath, '--input-type=module', '--eval', program];
}

/** Its output on standard error. */
function logged(lines: number, then: string): string[] {
  const [command, ...args] = programOf(lines, then);
  return linesOf(spawnSync(command, args, { encoding: 'utf8' }).stderr);
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('{'));
const numbers = (lines: readonly string[]) => lines.map((line) => (JSON.parse(line) as { n: number }).n);
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('the log', () => {
  it('writes nothing where nothing is logged', () => {
    const [command, ...args] = programOf(0, '');
    expect(spawnSync(command, args, { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });

  it('is complete and in order when the process ends by itself', () => {
    for (const count of [1, 1_000]) expect(numbers(logged(count, ''))).toEqual(upTo(count));
  });

  it.each([
    ['is ended', 'process.exit(3);'],
    ['falls', "throw new Error('a bug');"],
  ])('is complete when the process %s', (_, then) => {
    for (const count of [1, 1_000]) {
      // What an ending process writes itself can overtake what it has passed to a thread.
      const sorted = numbers(logged(count, then)).toSorted((one, other) => one - other);
      expect(sorted).toEqual(upTo(count));
    }
  });

  it.each([
    ['is ended', 'process.exit(3);'],
    [
      'falls',
      "process.on('uncaughtException', (err) => { log.fatal({ n: 3 }, 'fatal'); process.exit(1); }); throw new Error('a bug');",
    ],
  ])('is written completely into a full pipe when the process %s', (_, then) => {
    // Nothing reads for a second. A write does not wait, because the process has already accessed its standard error.
    const fill = `
      const { writeSync } = await import('node:fs');
      process.stderr.on('error', () => undefined);
      try { for (;;) writeSync(2, '#'.repeat(1023) + '\\n'); } catch {}`;
    const program = programOf(3, then, fill);
    const { stdout } = spawnSync('sh', ['-c', '"$0" "$@" 2>&1 >/dev/null | { sleep 1; cat; }', ...program], {
      encoding: 'utf8',
    });
    expect(numbers(linesOf(stdout)).slice(0, 3)).toEqual(upTo(3));
  });

  it.each([
    ['is ended', 3, 'process.exit(3);'],
    [
      'falls',
      4,
      "process.on('uncaughtException', (err) => { log.fatal({ err }, 'fatal'); process.exit(4); }); throw new Error('a bug');",
    ],
    ['goes on', 0, 'await wait(300); for (let n = 0; n < 1_000; n += 1) log.info({ n }, "another line");'],
  ])('does not block a process whose log is no longer read when it %s', async (_, code, then) => {
    for (const count of [1, 1_000]) {
      const wait = 'const wait = (ms) => new Promise((go) => setTimeout(go, ms)); await wait(300);';
      const [command, ...args] = programOf(count, then, wait);
      const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
      child.stderr.destroy();
      expect(await once(child, 'exit')).toEqual([code, null]);
    }
  });

  it.each([
    ['is ended', 3, 'process.exit(3);'],
    ['falls', 1, "throw new Error('a bug');"],
    [
      'goes on',
      0,
      'await new Promise((go) => setTimeout(go, 300)); for (let n = 0; n < 1_000; n += 1) log.info({ n }, "another line");',
    ],
  ])('does not block a process whose log the disk does not accept when it %s', (_, code, then) => {
    for (const count of [1, 1_000]) {
      const program = programOf(count, then);
      const { status } = spawnSync('sh', ['-c', '"$0" "$@" 2>/dev/full', ...program], { timeout: 10_000 });
      expect(status).toBe(code);
    }
  });

  it('is complete after the disk was full for a while', async () => {
    const file = join(temporaryDirectory(), 'log.jsonl');
    const fd = openSync(file, 'a');
    const log = createLogger('info', fd);
    const failing = vi.spyOn(fs, 'write').mockImplementation(((...args: unknown[]) => {
      const done = args.at(-1) as (error: Error) => void;
      setImmediate(done, Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
    }) as typeof fs.write);
    log.info({ n: 0 }, 'line');
    await eventually(() => expect(failing).toHaveBeenCalled());
    failing.mockRestore();
    log.info({ n: 1 }, 'line');
    await eventually(() => expect(numbers(linesOf(readFileSync(file, 'utf8')))).toEqual([0, 1]));
    closeSync(fd);
  });

  it('keeps lines up to a limit while the disk is full, and reports how many were lost', async () => {
    const file = join(temporaryDirectory(), 'log.jsonl');
    const fd = openSync(file, 'a');
    const log = createLogger('info', fd);
    const failing = vi.spyOn(fs, 'write').mockImplementation(((...args: unknown[]) => {
      const done = args.at(-1) as (error: Error) => void;
      setImmediate(done, Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
    }) as typeof fs.write);
    const long = 'x'.repeat(1_000_000);
    for (let n = 0; n < 10; n += 1) log.info({ n, long }, 'line');
    await eventually(() => expect(failing).toHaveBeenCalled());
    failing.mockRestore();
    const isTold = () => readFileSync(file, 'utf8').includes('lines of the log are lost');
    await eventually(() => expect(isTold()).toBe(true));
    const lines = linesOf(readFileSync(file, 'utf8')).map((line) => JSON.parse(line));
    expect(lines.slice(0, -1).map(({ n }) => n)).toEqual(upTo(7));
    expect(lines.at(-1)).toMatchObject({ level: 'error', lines: 3 });
    closeSync(fd);
  });

  it('contains a fatal line, and all lines before it, when the process is killed after it', () => {
    expect(numbers(logged(2, "log.fatal({ n: 2 }, 'fatal'); process.kill(process.pid, 'SIGKILL');"))).toEqual(
      upTo(3),
    );
  });

  it('waits a tenth of a second at most', async () => {
    const file = join(temporaryDirectory(), 'log.jsonl');
    const fd = openSync(file, 'a');
    createLogger('info', fd).info({ email: 'jane@example.org' }, 'one line');
    expect(readFileSync(file, 'utf8')).toBe('');
    await eventually(() => expect(readFileSync(file, 'utf8')).not.toBe(''));
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      email: '[redacted]',
      msg: 'one line',
    });
    closeSync(fd);
  });
});
