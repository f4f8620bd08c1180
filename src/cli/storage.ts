import { resolve } from 'node:path';
import type { Command } from 'commander';
import { variableOf } from '../app/config/environment-layer.ts';
import { isPostgresUrl, withoutPassword } from '../lib/service-url.ts';
import { counted, whole } from '../lib/statistics.ts';
import { isoTime } from '../lib/time.ts';
import { openListStore } from '../lists/open-list-store.ts';
import type { CopyDatabase } from '../storage/copy/copy-database.ts';
import { copyLists } from '../storage/copy/copy-lists.ts';
import {
  beginCopy,
  type Compared,
  compareRows,
  copyRows,
  countRows,
  endCopy,
  type OnRows,
} from '../storage/copy/copy-rows.ts';
import { type CopiedSecret, copySecrets } from '../storage/copy/copy-secrets.ts';
import { openSqliteCopy } from '../storage/copy/sqlite-copy-database.ts';
import { makePrivateDirectory } from '../storage/private-files.ts';
import { RevocationLog } from '../storage/revocation-log.ts';
import { loadSettings, pendingSteps, withStorage } from './open-session.ts';
import { addCommand } from './options.ts';
import { withProgress } from './render/progress.ts';
import { type Cell, printTable } from './render/table.ts';
import { CannotRun, orCannotUse, type Shell } from './shell.ts';

export function addCommands(group: Command, shell: Shell): void {
  addCommand(group, 'copy', 'copy all that is stored from SQLite to PostgreSQL, or back, and compare it')
    .requiredOption(
      '--from <database>',
      'sqlite:FILE or postgres://USER@HOST/DATABASE; nothing is written there',
    )
    .requiredOption('--to <database>', 'one that is empty; a file that is not there is made')
    .addHelpText(
      'after',
      '\nNo service may use either. A copy that was cut off goes on when it is run again. Ends with 1 where\n' +
        'the two are not the same in the end. A password is better in PGPASSWORD or ~/.pgpass than here.',
    )
    .action((options) =>
      copyStorage(shell, readPlace(shell, '--from', options.from), readPlace(shell, '--to', options.to)),
    );
}

/** The address of a PostgreSQL, or the path of an SQLite file. Not left to the parser, which would print a wrong text with its password. */
function readPlace(shell: Shell, option: string, text: string): string {
  if (isPostgresUrl(text)) return text;
  const file = text.replace(/^sqlite:/, '');
  if (file !== text && file !== '') return resolve(shell.cwd, file);
  throw new CannotRun(`${option} is sqlite:FILE or postgres://USER@HOST/DATABASE`);
}

async function copyStorage(shell: Shell, from: string, to: string): Promise<void> {
  if (isPostgresUrl(from) === isPostgresUrl(to)) {
    throw new CannotRun('one of the two is an SQLite file, the other a PostgreSQL database');
  }
  const { config } = await loadSettings(shell);
  const begun = performance.now();
  await using source = await openPlace(from, 'source');
  await using target = await openPlace(to, 'target');
  const isResumed = await beginCopy(source, target);
  if (isResumed) shell.note('an earlier copy goes on where it was cut off');
  if (target.kind === 'sqlite') await continueRevocations(config.dataDir);
  const secrets = await copySecrets(source, target, config);
  const copied = await copyAndCompare(shell, source, target);
  const tables = [...copied, await copyListsOf(from, to, config.dataDir)];
  const differing = tables.filter((table) => !isSame(table));
  if (differing.length === 0) await endCopy(target);
  else shell.exitCode = 1;
  const seconds = Math.round((performance.now() - begun) / 100) / 10;
  shell.answer(
    { is_same: differing.length === 0, resumed: isResumed, seconds, tables: tables.map(present), secrets },
    () => {
      printTable(shell, ['what', '>rows', '>in the target', 'sha256'], tables.map(rowOf));
      const rows = tables.reduce((sum, table) => sum + table.to.rows, 0);
      const names = differing.map(({ name }) => name).join(', ');
      shell.print(
        differing.length === 0
          ? `${target.name} has all ${counted(rows, 'row')}, compared, after ${seconds} s`
          : `not the same: ${names}. One of the two was written to meanwhile: stop what writes, and copy into an empty database`,
      );
      for (const secret of secrets) shell.print(placeOf(secret));
    },
  );
}

/** Begins the revocation log anew. PostgreSQL keeps none, so a restore of an older backup must not take the old log for complete. */
async function continueRevocations(dataDir: string): Promise<void> {
  const log = new RevocationLog(dataDir);
  await orCannotUse(log.file, 'written', async () => {
    makePrivateDirectory(dataDir);
    await log.begin();
    await log.write([{ at: isoTime(Date.now()), what: 'log_begun' }]);
  });
}

function placeOf({ name, file, setting }: CopiedSecret): string {
  if (file === null) return `the ${name} key is in the database`;
  if (setting === null) return `the ${name} key is in ${file}`;
  const variable = variableOf(setting);
  return `the ${name} key is in ${file}: set ${variable}=${file} (${setting}) for every instance`;
}

async function openPlace(place: string, as: 'source' | 'target'): Promise<CopyDatabase> {
  if (!isPostgresUrl(place)) return await openSqliteCopy(place, as);
  const { openPostgresCopy } = await import('../storage/copy/postgres-copy-database.ts');
  return await openPostgresCopy(place, as);
}

/** Rows from one line of progress to the next, in place of the bar where standard error is no terminal. */
const LINE_EVERY = 100_000;

async function copyAndCompare(shell: Shell, source: CopyDatabase, target: CopyDatabase) {
  const [total, there] = [await countRows(source), await countRows(target)];
  const doing = <Result>(what: string, rest: number, work: (onRows: OnRows) => Promise<Result>) =>
    withProgress(shell, what, rest, (progress) => {
      let done = 0;
      return work((rows) => {
        progress.advance(rows);
        const before = Math.floor(done / LINE_EVERY);
        done += rows;
        if (shell.terminal === null && Math.floor(done / LINE_EVERY) > before)
          shell.note(`${what}: ${whole(done)} of ${counted(rest, 'row')}`);
      });
    });
  await doing('copying', total - there, (onRows) => copyRows(source, target, onRows));
  return await doing('comparing', total, (onRows) => compareRows(source, target, onRows));
}

async function copyListsOf(from: string, to: string, dataDir: string): Promise<Compared> {
  const open = (url: string) => openListStore({ dataDir, storage: { url } });
  await using source = await open(from);
  await using target = await open(to);
  return await copyLists(source.store, target.store);
}

function isSame({ from, to }: Compared): boolean {
  return from.rows === to.rows && from.sha256 === to.sha256;
}

function present({ name, from, to }: Compared) {
  return { name, rows: from.rows, rows_in_target: to.rows, sha256: from.sha256, sha256_in_target: to.sha256 };
}

function rowOf(table: Compared): readonly Cell[] {
  const { name, from, to } = table;
  const told = isSame(table) ? to.sha256.slice(0, 12) : { text: 'differs', style: 'red' as const };
  return [name, whole(from.rows), whole(to.rows), told];
}

/** Migrates the database, as opening it would, so that an operator can choose when a long migration runs. */
export async function migrate(shell: Shell): Promise<void> {
  const { storage } = (await loadSettings(shell)).config;
  const database = withoutPassword(storage.url);
  let steps: readonly string[];
  if (isPostgresUrl(storage.url)) {
    const { cannotStart } = await import('../storage/postgres/postgres-storage.ts');
    const { migratePostgres } = await import('../storage/postgres/migrate.ts');
    const url = storage.directUrl ?? storage.url;
    steps = await migratePostgres({ url }).catch((error) => {
      throw cannotStart(error, url);
    });
  } else {
    steps = pendingSteps(storage.url);
    await withStorage(shell, async () => undefined);
  }
  shell.answer({ database, steps }, () => {
    if (steps.length === 0) shell.print(`${database} has the schema of this version already`);
    else shell.print(`${database}: ${counted(steps.length, 'step')} taken: ${steps.join(', ')}`);
  });
}
