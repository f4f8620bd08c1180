import { createWriteStream } from 'node:fs';
import { access, constants, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { CannotRun } from '../cannot-run.ts';
import type { Shell } from '../shell.ts';

/** Whose addresses they are is nobody else's business. */
const MODE = 0o600;

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
  const part = `${path}.part`;
  if (from === path) throw new CannotRun(`${file} is being read: --out must be another file`);
  if (from === part) throw new CannotRun(`${file} is written as ${file}.part, which is being read`);
  const told = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw new CannotRun(`${file} cannot be written: ${error instanceof Error ? error.message : error}`);
    }
  };
  const there = await stat(path).catch(() => undefined);
  if (there !== undefined) await told(access(path, constants.W_OK));
  if (there?.isDirectory()) throw new CannotRun(`${file} cannot be written: it is a directory`);
  if (there !== undefined && !there.isFile()) {
    // A pipe or a terminal, whose place no file can take.
    const handle = await told(open(path, 'w'));
    return { stream: createWriteStream('', { fd: handle }), finish: async () => {} };
  }
  const handle = await told(rm(part, { force: true }).then(() => open(part, 'wx', MODE)));
  return { stream: createWriteStream('', { fd: handle }), finish: () => told(rename(part, path)) };
}

function realPathOf(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
