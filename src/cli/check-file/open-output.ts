import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, constants, type FileHandle, open, realpath, rename, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { codeOf } from '../../lib/thrown.ts';
import { CannotRun, orCannotUse, type Shell } from '../shell.ts';

/** The file holds addresses: only its owner may read it. */
const MODE = 0o600;
const PART = '.part';

export interface Output {
  readonly stream: Writable;
  /** Gives the file its name, once all is written. Throws CannotRun. */
  finish(): Promise<void>;
}

/**
 * Standard output when no file is named. A file is written as FILE.part, and takes its name and the place of what was there when it is
 * whole: one that was interrupted cannot be taken for the answer, nor does it cost an older one. Throws CannotRun when it cannot be
 * written, or is what is being read.
 */
export async function openOutput(shell: Shell, file: string | undefined, input: string): Promise<Output> {
  if (file === undefined) return { stream: shell.answerStream(), finish: async () => {} };
  const from = await realPathOf(resolve(shell.cwd, input));
  const path = await realPathOf(resolve(shell.cwd, file));
  if (from === path) throw new CannotRun(`${file} is being read: --out must be another file`);
  const told = <T>(work: Promise<T>): Promise<T> => orCannotUse(file, 'written', work);
  const there = await stat(path).catch(() => undefined);
  if (there !== undefined) await told(access(path, constants.W_OK));
  if (there?.isDirectory()) throw new CannotRun(`${file} cannot be written: it is a directory`);
  if (there !== undefined && !there.isFile()) {
    // A pipe or a terminal, whose place no file can take.
    const handle = await told(open(path, 'w'));
    return { stream: createWriteStream('', { fd: handle }), finish: async () => {} };
  }
  const { part, suffix, handle } = await told(openPart(path));
  if (suffix !== PART)
    shell.note(`${file}${PART} is there already: the rows are in ${file}${suffix} until all are written`);
  return { stream: createWriteStream('', { fd: handle }), finish: () => told(rename(part, path)) };
}

/** Never one that is there: it may be another run's that is under way, what is being read, or no part of an answer at all. */
async function openPart(path: string): Promise<{ part: string; suffix: string; handle: FileHandle }> {
  for (let suffix = PART; ; suffix = `.${randomBytes(4).toString('hex')}${PART}`) {
    const part = `${path}${suffix}`;
    try {
      return { part, suffix, handle: await open(part, 'wx', MODE) };
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}

function realPathOf(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
