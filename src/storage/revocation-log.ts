import { open, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { presentRoles } from '../accounts/person.ts';
import { Mutex } from '../lib/concurrency.ts';
import { codeOf, messageOf, orIfAbsent } from '../lib/thrown.ts';
import { DAY_MS, isoTime } from '../lib/time.ts';
import { unavailable } from './commit-queue.ts';
import { syncDirectory } from './private-files.ts';

/** What a line tells of. Nothing from before `log_begun` is known. */
const WHATS = [
  'log_begun',
  'log_continued',
  'key_revoked',
  'key_ends',
  'person_removed',
  'roles_changed',
  'password_changed',
  'person_erased',
  'records_erased',
] as const;

/** What a restore must not undo. */
export interface RevocationEntry {
  /** ISO 8601, UTC: when it was done. */
  readonly at: string;
  readonly what: (typeof WHATS)[number];
  /** Of a key or a person; of a person who was erased the hash that records hold, never an address. */
  readonly id?: string;
  /** When a key ends. */
  readonly until?: string;
  /** What a person may do since. */
  readonly roles?: ReturnType<typeof presentRoles>;
}

export interface Revocations {
  /** Resolves when the entry is on the disk. Rejects with AppError `unavailable`: then what it tells of must not be done either. */
  append(entry: RevocationEntry): Promise<void>;
}

/** Where nothing is put back from a backup of ours. */
export const NO_REVOCATIONS: Revocations = { append: async () => undefined };

/**
 * Longer than a yearly backup is of use. Then the file is put aside, in place of the one before it: an entry stays for one to
 * two of these. Nothing is written anew, for an entry that a command appends at that moment would be lost.
 */
const KEPT_MS = 400 * DAY_MS;
const oneAtATime = new Mutex();
/** More than the first line. */
const HEAD_BYTES = 256;

/**
 * What was revoked, as JSON lines in a file of the data directory: a database that is put back from a backup knows nothing of what
 * was revoked since. An entry is on the disk before the transaction that it belongs to is committed. A crash in between leaves
 * an entry of what was not done; the other order would leave what was done without one.
 */
export class RevocationLog implements Revocations {
  readonly file: string;
  readonly #old: string;

  constructor(dataDir: string) {
    this.file = join(dataDir, 'revocations.log');
    this.#old = `${this.file}.old`;
  }

  async append(entry: RevocationEntry): Promise<void> {
    try {
      await this.begin();
      await this.write([entry]);
    } catch (error) {
      throw unavailable(new Error(`${this.file} cannot be written: ${messageOf(error)}`));
    }
  }

  /** Makes the file where there is none; puts one aside that is full of what is over. */
  begin(): Promise<void> {
    // Of two at once the second would put the new file in place of the one that was put aside.
    return oneAtATime.run(async () => {
      const begun = await orIfAbsent(readBegin(this.file), null);
      const isOver = Date.now() - Date.parse(begun ?? '') > KEPT_MS;
      if (isOver) await rename(this.file, this.#old);
      else if (begun !== null) return;
      const first = { at: isoTime(Date.now()), what: isOver ? 'log_continued' : 'log_begun' } as const;
      try {
        // Appended: another process may have written into the new file before this line is.
        await writeFile(this.file, `${JSON.stringify(first)}\n`, { flag: 'ax', mode: 0o600, flush: true });
        await syncDirectory(dirname(this.file));
      } catch (error) {
        // Another process was first.
        if (codeOf(error) !== 'EEXIST') throw error;
      }
    });
  }

  /** Adds entries as they are, fsync included. */
  async write(entries: readonly RevocationEntry[]): Promise<void> {
    await using file = await open(this.file, 'a+', 0o600);
    const { size } = await file.stat();
    const { buffer } = await file.read({ buffer: Buffer.alloc(1), position: Math.max(0, size - 1) });
    // Half a line that a crash has left must not spoil the next one.
    const isTorn = size > 0 && buffer.toString() !== '\n';
    const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`);
    await file.appendFile((isTorn ? '\n' : '') + lines.join(''));
    await file.sync();
  }

  /** Every entry that is kept, the oldest first. Rejects where a file is there and cannot be read. */
  async read(): Promise<ReadRevocations> {
    return readRevocations(await this.text());
  }

  /** The same as it is written. */
  async text(): Promise<string> {
    const files = [this.#old, this.file].map((file) => orIfAbsent(readFile(file, 'utf8'), ''));
    return (await Promise.all(files)).join('\n');
  }
}

export type ReadRevocations = ReturnType<typeof readRevocations>;

export function readRevocations(text: string) {
  const lines = text.split('\n');
  const torn = lines.pop();
  const read = lines.filter((line) => line !== '').map(parseEntry);
  const entries = [...read, parseEntry(torn ?? '')].filter((entry) => entry !== undefined);
  const begun = entries.findLast(({ what }) => what === 'log_begun') ?? entries[0];
  return {
    entries,
    /** Lines of which nothing can be read, but for a last one that a crash has torn: what it tells of was not done. */
    damaged: read.filter((entry) => entry === undefined).length,
    /** From when on nothing is missing; null where nothing is there. */
    since: begun?.at ?? null,
  };
}

function parseEntry(line: string): RevocationEntry | undefined {
  try {
    const entry: RevocationEntry = JSON.parse(line);
    return typeof entry.at === 'string' && WHATS.includes(entry.what) ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** When the first line was written; empty where it does not say. */
async function readBegin(path: string): Promise<string> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(HEAD_BYTES) });
  return /"at":"([^"]+)"/.exec(buffer.toString('utf8', 0, bytesRead))?.[1] ?? '';
}
