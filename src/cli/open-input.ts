import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Format, formatOf, type RowSource } from '../lib/row-file.ts';
import { messageOf } from '../lib/thrown.ts';
import { CannotRun, orCannotUse, type Shell } from './shell.ts';

/** A file of rows, or standard input, read as it is needed. */
export interface Input extends RowSource {
  /** Null when it cannot be known. */
  readonly totalBytes: number | null;
  /** Read so far. */
  readonly bytes: () => number;
}

const STDIN = 'standard input';

/** What the options of a command say of a file. */
export interface InputOptions {
  readonly format?: Format;
  readonly delimiter?: string;
  readonly columns?: readonly string[];
}

/** `-` is standard input. Throws CannotRun when there is no such file, or neither its name nor `format` tells what it is. */
export async function openInput(
  shell: Shell,
  file: string,
  { format = formatOf(file), delimiter }: InputOptions,
): Promise<Input> {
  if (format === undefined) throw new CannotRun(`${file}: --format csv or --format jsonl says what it is`);
  if (delimiter !== undefined && format !== 'csv') {
    throw new CannotRun(`${file} is read as JSON lines, which --delimiter says nothing of`);
  }
  if (file === '-') return counted({ name: STDIN, format, delimiter }, shell.stdin, null);
  const path = resolve(shell.cwd, file);
  const found = await orCannotUse(file, 'read', () => stat(path));
  if (found.isDirectory()) throw new CannotRun(`${file} is a directory`);
  // A pipe with a name has a size of 0.
  return counted(
    { name: file, format, delimiter },
    () => createReadStream(path),
    found.isFile() ? found.size : null,
  );
}

function counted(
  source: Omit<RowSource, 'chunks'>,
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
      throw new CannotRun(`${source.name} cannot be read: ${messageOf(error)}`);
    }
  }
  return { ...source, chunks: chunks(), totalBytes, bytes: () => bytes };
}
