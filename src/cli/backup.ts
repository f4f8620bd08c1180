import { existsSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { StartupError } from '../errors.ts';
import { shortPath } from '../lib/paths.ts';
import { counted, whole } from '../lib/statistics.ts';
import { orIfAbsent } from '../lib/thrown.ts';
import { isoTime } from '../lib/time.ts';
import { lockData } from '../storage/file-lock.ts';
import { draftOf, syncDirectory } from '../storage/private-files.ts';
import { type ReadRevocations, RevocationLog, readRevocations } from '../storage/revocation-log.ts';
import {
  fingerprintOf,
  putSecret,
  readSecret,
  SECRET_NAMES,
  type SecretFiles,
  secretFile,
  verifySecrets,
} from '../storage/secret-store.ts';
import { findState } from '../storage/sqlite/database.ts';
import { backUpDatabase, copyPages, damageOf, openBackup } from '../storage/sqlite/database-copy.ts';
import { compareSchema } from '../storage/sqlite/migrate.ts';
import { bringUpToDate, putAside } from '../storage/sqlite/restore-database.ts';
import { loadSettings, requireDatabase, requireFile } from './open-session.ts';
import { showingParts } from './render/progress.ts';
import { CannotRun, orCannotUse, printable, type Shell } from './shell.ts';

interface BackupOptions {
  readonly withSecrets?: boolean;
  readonly overwrite?: boolean;
  /** In MB. The backup is given up when the write-ahead log has more. */
  readonly maxLog: number;
}

/** Writes a snapshot of the database into one file. However the command ends, the target is a whole backup, or is left as it was. */
export async function backUp(shell: Shell, path: string, options: BackupOptions): Promise<void> {
  const { withSecrets = false, overwrite = false, maxLog } = options;
  const { config } = await loadSettings(shell);
  requireFile(config, 'pg_dump, or base backups with point-in-time recovery, back it up');
  const file = config.storage.url;
  requireDatabase(file);
  const target = resolve(shell.cwd, path);
  const shown = shortPath(target, shell.cwd);
  if (existsSync(target)) {
    if (!overwrite) throw new CannotRun(`${shown} is there already: give another name, or --overwrite`);
    const [asked, used] = [statSync(target), statSync(file)];
    if (asked.ino === used.ino && asked.dev === used.dev)
      throw new CannotRun(`${shown} is the database itself`);
    if (!asked.isFile() || existsSync(`${target}-wal`))
      throw new CannotRun(`${shown} is no file, or a database in use: give another name`);
  }

  const log = new RevocationLog(config.dataDir);
  // From now on the log has what is revoked. Where this user may not write the log, the service reports that.
  await log.begin().catch(() => undefined);
  const createdAt = isoTime(Date.now());
  const notes = async () => {
    const told: Record<string, string | Buffer> = { created_at: createdAt, revocations: await log.text() };
    for (const name of withSecrets ? SECRET_NAMES : []) {
      const secret = secretFile(name, config);
      if (secret !== null) told[name] = await readSecret(name, secret);
    }
    return told;
  };
  const work = async (copy: string) => {
    await showingParts(shell, 'copying', 'pages', (onCopied) =>
      backUpDatabase({ file, copy, notes, maxLog, onCopied }),
    );
    return statSync(copy).size;
  };
  const bytes = await orCannotUse(shown, 'written', () => withDraft(shell, target, work));
  shell.answer({ file: target, created_at: createdAt, bytes, with_secrets: withSecrets }, () => {
    shell.print(
      `${shown} has the database as it was at ${createdAt}: ${whole(Math.ceil(bytes / 1e6))} MB, checked`,
    );
    if (withSecrets) shell.print('with its secrets: who can read it can tell whose records these are');
    else
      shell.print('without its secrets: keep a copy of hmac.key elsewhere, or no record can be found again');
  });
}

/**
 * Has `work` make a draft, then renames the draft to `target`. Where `work` fails, or a signal ends the process, no draft is
 * left; after kill -9 a hidden file beside `target` is.
 */
async function withDraft<Result>(
  shell: Shell,
  target: string,
  work: (draft: string) => Promise<Result>,
): Promise<Result> {
  const draft = draftOf(target);
  using draftFiles = shell.atEnd(() => {
    try {
      for (const end of ['', '-journal', '-wal', '-shm']) rmSync(draft + end, { force: true });
    } catch {
      // Where a file cannot be removed, it could not be written either: the fault that `work` names must not be hidden by this one.
    }
  });
  const result = await work(draft);
  // No turn of the event loop between the last step of `work`, this rename and `dispose`: a signal comes before or after all of them.
  renameSync(draft, target);
  draftFiles.dispose();
  await syncDirectory(dirname(target));
  return result;
}

type RestoreOptions = Partial<Record<'yes' | 'overwrite' | 'withSecrets' | 'withoutKey', boolean>>;

/** Puts a backup in place of the database, with what was revoked since. Until the last step the present database stays as it is. */
export async function restore(shell: Shell, path: string, options: RestoreOptions): Promise<void> {
  const { config } = await loadSettings(shell);
  requireFile(config, 'pg_restore, or point-in-time recovery, brings it back');
  const { dataDir, storage } = config;
  // Where a link leads to the database, the link stays.
  const file = existsSync(storage.url) ? realpathSync(storage.url) : storage.url;
  const backup = resolve(shell.cwd, path);
  const shown = shortPath(backup, shell.cwd);
  using _lock = lockData({ dataDir, database: file });
  const { database, notes } = await orCannotUse(shown, 'read', () => openBackup(backup));
  using _database = database;
  requireWhole(database, shown);
  const secrets = options.withSecrets ? SECRET_NAMES.filter((name) => notes.has(name)) : [];
  if (options.withSecrets && secrets.length === 0) {
    throw new CannotRun(`${shown} was made without secrets: leave --with-secrets out`);
  }
  if (!options.withoutKey && secrets.length === 0) await requireKey(database, config, notes.has('hmac'));
  // A write-ahead log is put aside even without its database: SQLite would write its content into the restored one.
  const found = [file, `${file}-wal`].find((path) => existsSync(path));
  if (found !== undefined && !options.overwrite) {
    throw new CannotRun(
      `${found} is there: --overwrite keeps it under another name, and puts the backup in its place`,
    );
  }

  const now = isoTime(Date.now());
  const kept = found !== undefined ? `${file}.before-${now.replace(/[-:.]/g, '')}` : null;
  const createdAt = notes.get('created_at')?.toString() ?? null;
  const newest = database.prepare('SELECT max(created_at) AS at FROM checks').get()?.at ?? 'never';
  const log = new RevocationLog(dataDir);
  const revoked = await orCannotUse(log.file, 'read', () => log.read());
  shell.note(
    `${shown}: made ${createdAt ?? 'at a time that it does not say'}, the newest record of ${newest}`,
  );
  shell.note(`${found ?? file}: ${kept === null ? 'is not there yet' : `is kept as ${kept}`}`);
  warnOfGaps(shell, log.file, revoked, createdAt ?? '');
  if (!options.yes) await ask(shell);

  const known = new Set(revoked.entries.map((entry) => JSON.stringify(entry)));
  // Entries that only the backup has, on another machine for example. Its `log_…` lines are left out: the log here writes its own.
  const missing = readRevocations(notes.get('revocations')?.toString() ?? '').entries.filter(
    (entry) => !entry.what.startsWith('log_') && !known.has(JSON.stringify(entry)),
  );
  const work = async (copy: string) => {
    await showingParts(shell, 'copying', 'pages', (onCopied) => copyPages(database, copy, onCopied));
    // A restore ends all sessions anyway, so any session key that is there will do.
    const session =
      (secrets.includes('session') && notes.get('session')) ||
      (await keyAtHand(secretFile('session', config)));
    const done = await bringUpToDate(
      copy,
      [...revoked.entries, ...missing],
      session && fingerprintOf(session),
      now,
    );
    await log.begin();
    await log.write(missing);
    for (const name of secrets) {
      const [key, file] = [notes.get(name), secretFile(name, config)];
      if (key && file !== null && !(await keyAtHand(file))?.equals(key)) await putSecret(file, key);
    }
    if (kept !== null) putAside(file, kept);
    return done;
  };
  const written = await orCannotUse(file, 'written', () => withDraft(shell, file, work));
  const { carried, withoutPassword } = written;
  const answer = { restored: file, created_at: createdAt, kept, carried, without_password: withoutPassword };
  shell.answer(answer, () => {
    shell.print(
      `${file} is what it was ${createdAt === null ? 'when the backup was made' : `at ${createdAt}`}`,
    );
    const numbers = Object.entries(carried).map(([what, number]) => `${what.replace('_', ' ')}: ${number}`);
    shell.print(`carried over: ${numbers.join(', ') || 'nothing was revoked since'}`);
    if (withoutPassword.length > 0) {
      shell.print(printable(`"postern people reset EMAIL" is needed for ${withoutPassword.join(', ')}`));
    }
    shell.print(
      'all people sign in again, open links are void; docs/operations.md says under "After a restore" what else came back',
    );
  });
}

async function keyAtHand(file: string | null): Promise<Buffer | undefined> {
  return file === null ? undefined : await orIfAbsent(readFile(file), undefined);
}

/** Throws CannotRun where the backup is damaged, none of Postern's, or of a newer version. */
function requireWhole(database: DatabaseSync, shown: string): void {
  const damage = damageOf(database);
  if (damage.length > 0) throw new CannotRun(`${shown} is damaged, take another one: ${damage.join('; ')}`);
  if (!database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").get()) {
    throw new CannotRun(`${shown} is no database of Postern`);
  }
  const { newer } = compareSchema(database);
  if (newer.length === 0) return;
  throw new CannotRun(
    `${shown} was made by a newer Postern (migration ${newer.join(', ')}): restore it with that version`,
  );
}

/** Throws CannotRun where no record could be found by its address: the key of addresses is another, or gone. */
async function requireKey(database: DatabaseSync, files: SecretFiles, isCarried: boolean): Promise<void> {
  const known = findState(database, 'hmac_key');
  await verifySecrets(files, { find: async (name) => (name === 'hmac_key' ? known : undefined) }).catch(
    (error: unknown) => {
      if (!(error instanceof StartupError)) throw error;
      const way = isCarried
        ? '--with-secrets takes the one that the backup holds'
        : '--without-key restores the rest before that';
      throw new CannotRun(`${error.message}; ${way}`);
    },
  );
}

function warnOfGaps(shell: Shell, file: string, { since, damaged }: ReadRevocations, createdAt: string) {
  if (since === null || since > createdAt) {
    shell.warn(`${file} begins ${since ?? 'now'}: what was revoked before, and after the backup, comes back`);
  }
  if (damaged > 0)
    shell.warn(`${file}: ${counted(damaged, 'line')} cannot be read: what they tell of comes back`);
}

/** Throws CannotRun where the answer is not yes, or there is no terminal to ask at. */
async function ask(shell: Shell): Promise<void> {
  if (!shell.isTerminal) throw new CannotRun('--yes restores where no terminal is there to ask at');
  shell.note('Restore it? [yes/no]');
  for await (const answer of shell.stdin()) {
    if (/^y(es)?\s*$/i.test(Buffer.from(answer).toString())) return;
    break;
  }
  throw new CannotRun('nothing was changed');
}
