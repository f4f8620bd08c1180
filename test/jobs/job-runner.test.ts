import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { JobProcessEnded, JobRunner, type JobRunnerOptions, JobTimeout } from '../../src/jobs/job-runner.ts';
import { packageRoot } from '../../src/lib/paths.ts';
import { watchChildren } from '../support/child-processes.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const ANSWERS = `process.on('message', (m) => m.job && process.send({ output: m.input + 1 }));`;

function aProgram(text: string): URL {
  const file = join(temporaryDirectory(), 'program.mjs');
  writeFileSync(file, text);
  return pathToFileURL(file);
}

interface Counting {
  count(n: number): Promise<number>;
}

function aRunner(program: string, options: Partial<JobRunnerOptions> = {}) {
  const runner = new JobRunner<Counting>({
    entry: aProgram(program),
    ...{ program: 'count', setup: {}, does: 'counts', undone: 'it was not counted' },
    ...{ limitMs: 10_000, idleMs: 10_000 },
    ...options,
  });
  onTestFinished(() => runner.end());
  return runner;
}

/**
 * Runs a job without a free file descriptor; then, with some, again. A time-out that was left running would end it with an
 * error.
 */
const WITHOUT_DESCRIPTORS = `
import { closeSync, openSync } from 'node:fs';
import { JobRunner } from ${JSON.stringify(pathToFileURL(join(packageRoot, 'src/jobs/job-runner.ts')).href)};
const [program] = process.argv.slice(2);
const runner = new JobRunner({
  entry: new URL(program), program: 'count', setup: {}, does: 'counts', undone: '', limitMs: 5_000, idleMs: 10_000,
});
const taken = [];
try {
  for (;;) taken.push(openSync('/dev/null'));
} catch {}
const failures = [];
for (let time = 0; time < 2; time += 1) {
  await runner.run('count', 1).catch((error) => failures.push([error.name, error.message]));
}
for (const one of taken) closeSync(one);
const answer = await runner.run('count', 1);
runner.end();
console.log(JSON.stringify({ failures, answer }));
`;

/** Ends the service as `kill -9` does, and answers before the runner can notice that. */
const OUTLIVES_THE_SERVICE = `
import { serveJobs } from ${JSON.stringify(pathToFileURL(join(packageRoot, 'src/jobs/job-process.ts')).href)};
const count = () => {
  process.kill(process.ppid, 'SIGKILL');
  for (const until = Date.now() + 300; Date.now() < until; );
  return 1;
};
serveJobs({ count: () => ({ count }) });
`;

describe('JobRunner', () => {
  it('has a process that exits without an error where the service was killed during a job', async () => {
    const script = join(temporaryDirectory(), 'ask.mjs');
    writeFileSync(script, WITHOUT_DESCRIPTORS.replace('for (;;) taken.push', 'taken.push'));
    const asked = promisify(execFile)(execPath, [script, aProgram(OUTLIVES_THE_SERVICE).href]);
    await expect(asked).rejects.toMatchObject({ signal: 'SIGKILL', stderr: '' });
  });

  it('reports a crash where no process can be started, and starts one as soon as it can', async () => {
    const script = join(temporaryDirectory(), 'ask.mjs');
    writeFileSync(script, WITHOUT_DESCRIPTORS);
    const command = `ulimit -n 64; exec "$0" "$@"`;
    const argv = ['-c', command, execPath, script, aProgram(ANSWERS).href];
    const { stdout } = await promisify(execFile)('sh', argv);
    const failure = [
      'JobProcessEnded',
      expect.stringMatching(/^the process that counts cannot be reached: .*EMFILE/),
    ];
    expect(JSON.parse(stdout)).toEqual({ failures: [failure, failure], answer: 2 });
  });

  it('starts again after a program that was not found', async () => {
    const children = watchChildren();
    const runner = aRunner(ANSWERS);
    const { execPath: node } = process;
    onTestFinished(() => {
      process.execPath = node;
    });
    process.execPath = '/nowhere/node';
    await expect(runner.run('count', 1)).rejects.toThrow(JobProcessEnded);
    expect(children()).toEqual([]);
    process.execPath = node;
    expect(await runner.run('count', 1)).toBe(2);
  });

  it('reports a crash where the process has closed its channel', async () => {
    const runner = aRunner(
      `process.on('message', (m) => m.job && (process.disconnect(), setInterval(() => 0, 1e6)));`,
    );
    const silent = runner.run('count', 1);
    await expect(silent).rejects.toThrow(JobProcessEnded);
  });

  it('ends a process that takes too long, and starts a new one for the next job', async () => {
    const runner = aRunner(`process.on('message', (m) => m.input === 1 && process.send({ output: 2 }));`, {
      limitMs: 2_000,
    });
    await expect(runner.run('count', 7)).rejects.toThrow(new JobTimeout('it was not counted within 2 s'));
    expect(await runner.run('count', 1)).toBe(2);
  });

  it('passes errors on: those of the closed table with their code, all others with their message', async () => {
    const serve = JSON.stringify(pathToFileURL(join(packageRoot, 'src/jobs/job-process.ts')).href);
    const errors = JSON.stringify(pathToFileURL(join(packageRoot, 'src/errors.ts')).href);
    const runner = aRunner(
      `
      import { serveJobs } from ${serve};
      import { AppError } from ${errors};
      let opened = 0;
      const count = (n) => {
        if (n === 1) throw new AppError('list_changed', { details: [{ n }] });
        if (n === 2) throw new RangeError('too many');
        if (n === 4) throw new AppError('unavailable', { message: 'not now', cause: new Error('disk full') });
        return n + opened;
      };
      serveJobs({ count: async ({ by }) => {
        opened += by;
        if (opened === by) throw new Error('not open yet');
        return { count };
      } });
    `,
      { setup: { by: 10 } },
    );
    await expect(runner.run('count', 3)).rejects.toThrow('not open yet');
    // A file that could not be opened is opened again for the next job, in the same process, and then once.
    expect([await runner.run('count', 3), await runner.run('count', 3)]).toEqual([23, 23]);
    await expect(runner.run('count', 1)).rejects.toMatchObject({ code: 'list_changed', details: [{ n: 1 }] });
    await expect(runner.run('count', 2)).rejects.toThrow('too many');
    const unavailable = { code: 'unavailable', message: 'not now', cause: { message: 'disk full' } };
    await expect(runner.run('count', 4)).rejects.toMatchObject(unavailable);
  });
});
