import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { makePrivateDirectory } from '../private-files.ts';
import type { Parameter, RecordsDatabase } from '../shared/records-database.ts';

/** Octets, of a new database; an existing one keeps its page size. A record is about 3 kB: pages of 4 kB would waste more space. */
export const PAGE_SIZE = 8_192;

/** How long to wait for another process that writes. Writers hold the database for milliseconds; after this time clients have given up. */
export const BUSY_TIMEOUT_MS = 2_000;

/** The size to which SQLite truncates the write-ahead log after a slow reader made it grow. */
const LOG_BYTES = 64_000_000;

/**
 * Makes the file, and its folder where missing, for the owner alone. SQLite gives the files that it puts
 * beside a database (-wal, -shm) the database's own mode, so this must come before a connection that writes.
 */
export function prepareDatabaseFile(file: string): void {
  makePrivateDirectory(dirname(file));
  const descriptor = openSync(file, 'a+', 0o600);
  try {
    // A device, or a pipe.
    if (!fstatSync(descriptor).isFile()) throw new Error('it is no file');
  } finally {
    closeSync(descriptor);
  }
  requireOurs(file);
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    if (existsSync(path)) chmodSync(path, 0o600);
  }
}

/** Throws where the path names another program's file or database, so that Postern changes nothing there. */
function requireOurs(file: string): void {
  // A process that was killed while it made the database leaves a journal, which SQLite must roll back before it reads.
  const isHalfMade = existsSync(`${file}-journal`);
  using database = isHalfMade ? new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS }) : openReadOnly(file);
  const [table] = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name = 'migrations' DESC")
    .all();
  if (table && table.name !== 'migrations')
    throw new Error(`it is the database of another program, with the table ${table.name}`);
}

/**
 * Opens a connection with the settings that all of ours share.
 *
 * - `synchronous=FULL`: in WAL mode only FULL syncs the log at each commit (sqlite.org/pragma.html).
 * - `secure_delete=ON`: deleted rows are overwritten with zeroes, so that forgetting a person erases the records.
 */
export function openDatabase(file: string, busyTimeoutMs: number): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  try {
    database.exec(`PRAGMA page_size=${PAGE_SIZE}`);
    database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON');
    database.exec(`PRAGMA journal_size_limit=${LOG_BYTES}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Call it right after the database was opened, and call the returned function before each write: it throws where the file was deleted
 * or moved since. SQLite does not notice, and all that it commits then is lost with its last connection.
 */
export function placeOf(file: string): () => void {
  const { ino } = statSync(file);
  return () => {
    if (statSync(file, { throwIfNoEntry: false })?.ino !== ino)
      throw new Error(`${file} was deleted, moved or replaced while it was open`);
  };
}

/** Opens a read-only connection, for a process that does not record checks. Throws when there is no such database. */
export function openReadOnly(file: string): DatabaseSync {
  return new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
}

/**
 * As `openReadOnly`, but never makes files beside the database. A plain reader would make the log and its index again where the last
 * writer has removed them, and leave them there. Without a log nothing writes, so `immutable` is safe (sqlite.org/uri.html).
 */
export function openUntouched(file: string): DatabaseSync {
  // SQLite does not tell a file that this user may not read from one that it cannot open.
  accessSync(file, constants.R_OK);
  if (existsSync(`${file}-wal`)) return openReadOnly(file);
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  return new DatabaseSync(url, { readOnly: true });
}

/** A value of `service_state`; undefined where there is none, also in an older database without that table. */
export function findState(database: DatabaseSync, name: string): string | undefined {
  if (!database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'service_state'").get()) return undefined;
  const value = database.prepare('SELECT value FROM service_state WHERE name = ?').get(name)?.value;
  return value === undefined ? undefined : String(value);
}

/** Primary result codes, the low octet of the extended ones: sqlite.org/rescode.html. */
const SQLITE = { BUSY: 5, LOCKED: 6, IOERR: 10, FULL: 13, TOOBIG: 18, CONSTRAINT: 19 } as const;

/** Whether the database is only held by another connection at the moment. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return code === SQLITE.BUSY || code === SQLITE.LOCKED;
}

/** What to do where another program holds the database for long. */
const UNLOCK = 'end the program that locks it, such as an open sqlite3 shell';

/** What to do where a start may succeed later, although nothing else is changed; undefined where it cannot. */
export function remedyIfTemporary(error: unknown): string | undefined {
  if (isBusy(error)) return UNLOCK;
  // A full disk is both: SQLite cannot make the index of its log, or cannot write a page.
  const isOfDisk = codeOf(error) === SQLITE.IOERR || codeOf(error) === SQLITE.FULL;
  return isOfDisk ? 'the disk is full or fails: free space, or look at dmesg' : undefined;
}

/** Whether the one row is at fault and its neighbours can still be written. */
export function isRowFault(error: unknown): boolean {
  const code = codeOf(error);
  // node:sqlite throws a TypeError for a value that it cannot bind.
  return code === SQLITE.CONSTRAINT || code === SQLITE.TOOBIG || error instanceof TypeError;
}

/** The primary result code of an error that SQLite reported; undefined for any other error. */
function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined;
  return error.errcode & 0xff;
}

/** Queries over a read-only connection. Each query blocks the thread until it is answered. */
export function sqliteRecords(reader: DatabaseSync): RecordsDatabase {
  return {
    dialect: 'sqlite',
    // The cast is safe: the tables are STRICT, so values come back in the types in which they were written.
    all: async <Row>(sql: string, ...parameters: readonly Parameter[]) =>
      reader.prepare(sql).all(...parameters) as readonly unknown[] as readonly Row[],
    close: () => reader.close(),
  };
}
