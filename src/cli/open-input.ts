import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf } from '../lib/thrown.ts';
import { CannotRun, type Shell } from './shell.ts';

/** A file or standard input, read as it is needed. */
export interface Input {
  /** For complaints. */
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Null when it cannot be known. */
  readonly totalBytes: number | null;
  /** Read so far. */
  readonly bytes: () => number;
}

const STDIN = 'standard input';

/** `-` is standard input. Throws CannotRun when there is no such file. */
export async function openInput(shell: Shell, file: string): Promise<Input> {
  if (file === '-') return counted(STDIN, readable(STDIN, shell.stdin()), null);
  const path = resolve(shell.cwd, file);
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new CannotRun(`${file} is a directory`);
    // A pipe with a name has a size of 0.
    return counted(file, readable(file, createReadStream(path)), found.isFile() ? found.size : null);
  } catch (error) {
    if (error instanceof CannotRun) throw error;
    throw new CannotRun(`${file} cannot be read: ${messageOf(error)}`);
  }
}

function counted(name: string, source: AsyncIterable<Uint8Array>, totalBytes: number | null): Input {
  let bytes = 0;
  async function* count() {
    for await (const chunk of source) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  return { name, chunks: count(), totalBytes, bytes: () => bytes };
}

async function* readable(file: string, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } catch (error) {
    throw new CannotRun(`${file} cannot be read: ${messageOf(error)}`);
  }
}
