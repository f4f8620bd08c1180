import { createWriteStream } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { CannotRun } from '../cannot-run.ts';
import type { Shell } from '../shell.ts';

/** Whose addresses they are is nobody else's business. */
const MODE = 0o600;

/** Standard output when no file is named. Throws CannotRun when it cannot be written, or is what is being read. */
export async function openOutput(shell: Shell, file: string | undefined, input: string): Promise<Writable> {
  if (file === undefined) return shell.answerStream();
  const path = resolve(shell.cwd, file);
  const [from, to] = await Promise.all(
    [resolve(shell.cwd, input), path].map((each) => realpath(each).catch(() => each)),
  );
  if (from === to) throw new CannotRun(`${file} is being read: --out must be another file`);
  try {
    const handle = await open(path, 'w', MODE);
    return createWriteStream('', { fd: handle });
  } catch (error) {
    throw new CannotRun(`${file} cannot be written: ${error instanceof Error ? error.message : error}`);
  }
}
