import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Format, formatOf } from '../lib/row-file.ts';
import { messageOf } from '../lib/thrown.ts';
import { CannotRun, type Shell } from './shell.ts';

/** A file of rows, or standard input, read as it is needed. */
export interface Input {
  /** For complaints. */
  readonly name: string;
  readonly format: Format;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Null when it cannot be known. */
  readonly totalBytes: number | null;
  /** Read so far. */
  readonly bytes: () => number;
}

const STDIN = 'standard input';

/** `-` is standard input. Throws CannotRun when there is no such file, or neither its name nor `format` tells what it is. */
export async function openInput(
  shell: Shell,
  file: string,
  format: Format | undefined = formatOf(file),
): Promise<Input> {
  if (format === undefined) throw new CannotRun(`${file}: --format csv or --format jsonl says what it is`);
  if (file === '-') return counted(STDIN, format, shell.stdin, null);
  const path = resolve(shell.cwd, file);
  const found = await orUnreadable(file, stat(path));
  if (found.isDirectory()) throw new CannotRun(`${file} is a directory`);
  // A pipe with a name has a size of 0.
  return counted(file, format, () => createReadStream(path), found.isFile() ? found.size : null);
}

/** Throws CannotRun when it cannot be read; `name` is what the message calls it. */
export function readText(path: string, name: string): Promise<string> {
  return orUnreadable(name, readFile(path, 'utf8'));
}

function counted(
  name: string,
  format: Format,
  open: () => AsyncIterable<Uint8Array>,
  totalBytes: number | null,
): Input {
  let bytes = 0;
  async function* chunks() {
    try {
      for await (const chunk of open()) {
        bytes += chunk.length;
        yield chunk;
      }
    } catch (error) {
      throw unreadable(name, error);
    }
  }
  return { name, format, chunks: chunks(), totalBytes, bytes: () => bytes };
}

async function orUnreadable<Result>(name: string, reading: Promise<Result>): Promise<Result> {
  return await reading.catch((error: unknown) => {
    throw unreadable(name, error);
  });
}

function unreadable(name: string, error: unknown): CannotRun {
  return new CannotRun(`${name} cannot be read: ${messageOf(error)}`);
}
