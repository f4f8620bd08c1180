import { open, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { presentRoles } from '../accounts/person.ts';
import { Mutex } from '../lib/concurrency.ts';
import { codeOf, messageOf, orIfAbsent } from '../lib/thrown.ts';
import { DAY_MS, isoTime } from '../lib/time.ts';
import { unavailable } from './commit-queue.ts';
import { syncDirectory } from './private-files.ts';

/** The kinds of entries. Nothing is known from before `log_begun`; `log_continued` begins a file that follows another. */
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
  /** Id of a key or a person. For `person_erased` the hash by which records hold the address, never the address. */
  readonly id?: string;
  /** When a key ends. */
  readonly until?: string;
  /** The roles that a person has since. */
  readonly roles?: ReturnType<typeof presentRoles>;
}

export interface Revocations {
  /** Resolves when the entry is on the disk. Rejects with AppError `unavailable`: then the revocation must not be committed either. */
  append(entry: RevocationEntry): Promise<void>;
}

/** For a storage that is not restored from Postern's own backups. */
export const NO_REVOCATIONS: Revocations = { append: async () => undefined };

/**
 * Longer than a yearly backup is of use. After this the file is renamed over the old one, so that an entry is kept for one to two
 * such times. The file is never rewritten: an entry that a command appends at that moment would be lost.
 */
const KEPT_MS = 400 * DAY_MS;
const oneAtATime = new Mutex();
/** Ends half a line that a crash has left, so that it does not spoil the next one. The tab tells it from a line that was damaged later. */
const TORN_END = '\t\n';
/** More than the first line. */
const HEAD_BYTES = 256;

/**
 * Revocations, as JSON lines in a file of the data directory: a database that is restored from a backup does not know what was
 * revoked since. An entry is on the disk before its transaction is committed. A crash in between leaves an entry of a revocation
 * that was not committed; the other order could leave a revocation without an entry.
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

  /** Makes the file where there is none; puts aside one that was begun longer than `KEPT_MS` ago. */
  begin(): Promise<void> {
    // One call at a time: a second one would rename the new file over the one that was just put aside.
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
    const isTorn = size > 0 && buffer.toString() !== '\n';
    const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`);
    await file.appendFile((isTorn ? TORN_END : '') + lines.join(''));
    await file.sync();
  }

  /** Every entry that is kept, the oldest first. Rejects where a file is there and cannot be read. */
  async read(): Promise<ReadRevocations> {
    return readRevocations(await this.text());
  }

  /** The text of both files, the older one first. */
  async text(): Promise<string> {
    const files = [this.#old, this.file].map((file) => orIfAbsent(readFile(file, 'utf8'), ''));
    const texts = await Promise.all(files);
    return texts.map((text) => (/[^\n]$/.test(text) ? text + TORN_END : text)).join('');
  }
}

export type ReadRevocations = ReturnType<typeof readRevocations>;

export function readRevocations(text: string) {
  const lines = text.split('\n').filter((line) => line !== '');
  const entries = lines.map(parseEntry).filter((entry) => entry !== undefined);
  const begun = entries.findLast(({ what }) => what === 'log_begun') ?? entries[0];
  return {
    entries,
    /** How many lines cannot be read. Torn ones are not counted: their revocations were not committed. */
    damaged: lines.filter((line) => !line.endsWith('\t') && parseEntry(line) === undefined).length,
    /** The instant since when no revocation is missing; null where there is no entry. */
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

/** The instant in the first line of a file; empty where there is none. */
async function readBegin(path: string): Promise<string> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(HEAD_BYTES) });
  return /"at":"([^"]+)"/.exec(buffer.toString('utf8', 0, bytesRead))?.[1] ?? '';
}
