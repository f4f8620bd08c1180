import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../lib/thrown.ts';
import { BUSY_TIMEOUT_MS, openDatabase, openUntouched } from './database.ts';

/** Called between two steps of a copy. An error that it throws ends the copy. */
export type OnCopied = (pages: number, ofPages: number) => void;

/** Pages of a step: 8 MB, some milliseconds. `OnCopied` is called after each step. */
const PAGES_AT_ONCE = 1_000;
/** Enough to see what is damaged. */
const MOST_FAULTS = 20;

/** Added to the tables of a backup: when it was made, and the files that belong to it. */
const NOTES = 'CREATE TABLE backup_notes (name TEXT PRIMARY KEY NOT NULL, content BLOB NOT NULL) STRICT';

interface BackupOptions {
  /** The database. Other connections may write to it meanwhile. */
  readonly file: string;
  /** The file to make, for the owner alone. */
  readonly copy: string;
  /** Called once the read transaction has begun: the copy is of that moment. */
  readonly notes: () => Promise<Readonly<Record<string, string | Uint8Array>>>;
  /** The most MB to which the write-ahead log may grow; it cannot be emptied meanwhile. */
  readonly maxLog: number;
  readonly onCopied: OnCopied;
}

/**
 * Copies a database as it is at one moment, with notes, into one file that opens by itself. Rejects where it is damaged.
 *
 * All pages are read in one transaction. Without it SQLite would start the copy again after each write of another connection
 * (sqlite.org/c3ref/backup_finish.html), and never end under load. With it no checkpoint can reset the log, which grows by all
 * that is written meanwhile: so the copy is given up where the log becomes too long.
 */
export async function backUpDatabase({ file, copy, notes, maxLog, onCopied }: BackupOptions): Promise<void> {
  let content: Awaited<ReturnType<typeof notes>>;
  // A file system that was remounted read-only after an error is where a backup is needed most.
  const source = isWritable(dirname(file)) ? openDatabase(file, BUSY_TIMEOUT_MS) : openUntouched(file);
  try {
    source.exec('PRAGMA query_only=ON; BEGIN');
    source.prepare('SELECT count(*) FROM sqlite_schema').get();
    content = await notes();
    await copyPages(source, copy, (pages, ofPages) => {
      const bytes = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
      if (bytes > maxLog * 1e6) {
        throw new Error(
          `its log has grown beyond ${maxLog} MB (${file}-wal): try when less is asked, copy to a faster disk, or allow more by --max-log`,
        );
      }
      onCopied(pages, ofPages);
    });
  } finally {
    source.close();
  }
  using database = new DatabaseSync(copy);
  // A database in WAL mode cannot be opened where nothing can be written beside it.
  database.exec(`PRAGMA journal_mode=DELETE; BEGIN; ${NOTES}`);
  const insert = database.prepare('INSERT INTO backup_notes (name, content) VALUES (?, ?)');
  for (const [name, value] of Object.entries(content)) insert.run(name, Buffer.from(value));
  database.exec('COMMIT');
  const damage = damageOf(database);
  if (damage.length > 0) throw new Error(`the database is damaged ("postern verify"): ${damage.join('; ')}`);
}

function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Copies the pages that `source` reads into a new file, for the owner alone. Resolves when the file is on the disk. */
export async function copyPages(source: DatabaseSync, file: string, onCopied: OnCopied): Promise<void> {
  // Made here: SQLite would make a file that everyone may read.
  closeSync(openSync(file, 'wx', 0o600));
  await backup(source, file, {
    rate: PAGES_AT_ONCE,
    progress: ({ totalPages, remainingPages }) => onCopied(totalPages - remainingPages, totalPages),
  });
}

/** What SQLite finds wrong with a database; empty where it is whole. */
export function damageOf(database: DatabaseSync): readonly string[] {
  const faults: string[] = [];
  try {
    // Row by row: where SQLite cannot go on it throws, and `all` would lose the faults found before.
    for (const row of database.prepare(`PRAGMA integrity_check(${MOST_FAULTS})`).iterate()) {
      const lines = String(row.integrity_check).split('\n');
      const found = lines.filter((line) => line !== 'ok' && !line.startsWith('***'));
      faults.push(...found.map((line) => line.replace(/^Tree (\d+)/, (_, page) => tableAt(database, page))));
    }
    for (const { table, rowid, parent } of database
      .prepare('PRAGMA foreign_key_check')
      .all()
      .slice(0, MOST_FAULTS)) {
      faults.push(`${table}: row ${rowid} refers to a row of ${parent} that is not there`);
    }
  } catch (error) {
    if (faults.length === 0) faults.push(messageOf(error));
  }
  return faults;
}

/** The table or index whose first page this is. */
function tableAt(database: DatabaseSync, page: string): string {
  const row = database.prepare('SELECT name FROM sqlite_schema WHERE rootpage = ?').get(Number(page));
  return String(row?.name ?? `tree ${page}`);
}

/** Opens a backup, or a database that was put aside, read-only. Throws where the file is not there, or no database. */
export function openBackup(file: string) {
  // SQLite would wait for ever for what comes through a pipe, and calls a directory a fault of the disk.
  if (!statSync(file).isFile()) throw new Error('it is no file');
  const database = openUntouched(file);
  try {
    const has = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'backup_notes'").get();
    const rows = has ? database.prepare('SELECT name, content FROM backup_notes').all() : [];
    const notes = rows.map(
      ({ name, content }) => [String(name), Buffer.from(content as Uint8Array)] as const,
    );
    return { database, notes: new Map(notes) };
  } catch (error) {
    database.close();
    throw error;
  }
}
