import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, resolve } from 'node:path';
import { shortPath } from '../lib/paths.ts';
import { whole } from '../lib/statistics.ts';
import { isoTime } from '../lib/time.ts';
import { draftOf, syncDirectory } from '../storage/private-files.ts';
import { RevocationLog } from '../storage/revocation-log.ts';
import { readSecret, SECRET_NAMES, secretFile } from '../storage/secret-store.ts';
import { backUpDatabase } from '../storage/sqlite/database-copy.ts';
import { loadSettings, requireDatabase, requireFile } from './open-session.ts';
import { showingParts } from './render/progress.ts';
import { CannotRun, orCannotUse, type Shell } from './shell.ts';

interface BackupOptions {
  readonly withSecrets?: boolean;
  readonly overwrite?: boolean;
  /** Of the write-ahead log, in MB. */
  readonly maxLog: number;
}

/** Writes the database as it is at one moment into one file. What was asked for is whole or not there, however this ends. */
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
  // What is revoked from now on is told; where this may not write, the service says so.
  await log.begin().catch(() => undefined);
  const createdAt = isoTime(Date.now());
  const files = { ...config.privacy, ...config.dashboard };
  const secrets = (withSecrets ? SECRET_NAMES : []).flatMap((name) => {
    const file = secretFile(name, files);
    return file === null ? [] : [{ name, file }];
  });
  const notes = async () => ({
    created_at: createdAt,
    revocations: await log.text(),
    ...Object.fromEntries(
      await Promise.all(secrets.map(async ({ name, file }) => [name, await readSecret(name, file)] as const)),
    ),
  });
  const bytes = await orCannotUse(
    shown,
    'written',
    withDraft(shell, target, async (copy) => {
      await showingParts(shell, 'copying', 'pages', (onCopied) =>
        backUpDatabase({ file, copy, notes, maxLog, onCopied }),
      );
      return statSync(copy).size;
    }),
  );
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
 * Puts what `work` has made into the place of `target`, in one step. Where it fails, or a signal ends the process, nothing is
 * left; after kill -9 a hidden file beside it is.
 */
export async function withDraft<Result>(
  shell: Shell,
  target: string,
  work: (draft: string) => Promise<Result>,
): Promise<Result> {
  const draft = draftOf(target);
  const remove = () => {
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(draft + end, { force: true });
  };
  const ends = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => {
    const end = () => {
      remove();
      shell.process.exit(128 + constants.signals[signal]);
    };
    shell.process.on(signal, end);
    return () => shell.process.off(signal, end);
  });
  let result: Result;
  try {
    result = await work(draft);
    // With what `work` did last and with the end of the listeners, at once: a signal leaves neither half, and what is done is told.
    renameSync(draft, target);
  } finally {
    remove();
    for (const end of ends) end();
  }
  await syncDirectory(dirname(target));
  return result;
}
