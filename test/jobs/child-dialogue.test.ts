import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ChildDialogue, ChildExited } from '../../src/jobs/child-dialogue.ts';
import { packageRoot } from '../../src/lib/paths.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const ANSWERS = `process.on('message', (m) => 'n' in m && process.send({ n: m.n + 1 }));`;

function aProgram(text: string): URL {
  const file = join(temporaryDirectory(), 'program.mjs');
  writeFileSync(file, text);
  return pathToFileURL(file);
}

function aDialogue(program: string) {
  const dialogue = new ChildDialogue<{ n: number }, { n: number }>({
    program: aProgram(program),
    opening: {},
    does: 'counts',
    limitMs: 10_000,
    tooLate: () => new Error('too late'),
    idleMs: 10_000,
  });
  onTestFinished(() => dialogue.end());
  return dialogue;
}

/** Asks with no file descriptor left; then, with some, again. A limit that was left running would end it with an error. */
const WITHOUT_DESCRIPTORS = `
import { closeSync, openSync } from 'node:fs';
import { ChildDialogue } from ${JSON.stringify(pathToFileURL(join(packageRoot, 'src/jobs/child-dialogue.ts')).href)};
const [program] = process.argv.slice(2);
const dialogue = new ChildDialogue({
  program: new URL(program), opening: {}, does: 'counts', limitMs: 5_000, tooLate: () => new Error('too late'), idleMs: 10_000,
});
const taken = [];
try {
  for (;;) taken.push(openSync('/dev/null'));
} catch {}
const failures = [];
for (let time = 0; time < 2; time += 1) {
  await dialogue.ask({ n: 1 }).catch((error) => failures.push([error.name, error.message]));
}
for (const one of taken) closeSync(one);
const answer = await dialogue.ask({ n: 1 });
dialogue.end();
console.log(JSON.stringify({ failures, answer }));
`;

describe('ChildDialogue', () => {
  it('is a process that fell where none can be started, and starts one as soon as it can', async () => {
    const script = join(temporaryDirectory(), 'ask.mjs');
    writeFileSync(script, WITHOUT_DESCRIPTORS);
    const command = `ulimit -n 64; exec "$0" "$@"`;
    const argv = ['-c', command, execPath, script, aProgram(ANSWERS).href];
    const { stdout } = await promisify(execFile)('sh', argv);
    const failure = [
      'ChildExited',
      expect.stringMatching(/^the process that counts cannot be reached: .*EMFILE/),
    ];
    expect(JSON.parse(stdout)).toEqual({ failures: [failure, failure], answer: { n: 2 } });
  });

  it('begins anew after a program that was not found', async () => {
    const dialogue = aDialogue(ANSWERS);
    const { execPath: node } = process;
    onTestFinished(() => {
      process.execPath = node;
    });
    process.execPath = '/nowhere/node';
    await expect(dialogue.ask({ n: 1 })).rejects.toThrow(ChildExited);
    expect(dialogue.pid).toBeUndefined();
    process.execPath = node;
    expect(await dialogue.ask({ n: 1 })).toEqual({ n: 2 });
  });

  it('is a process that fell where it has closed the way to it', async () => {
    const dialogue = aDialogue(
      `process.on('message', (m) => 'n' in m && (process.disconnect(), setInterval(() => 0, 1e6)));`,
    );
    const silent = dialogue.ask({ n: 1 });
    await expect(silent).rejects.toThrow(ChildExited);
  });
});
