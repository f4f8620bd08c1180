import { StartupError } from '../../errors.ts';
import { codeOf, messageOf } from '../../lib/thrown.ts';
import { remedyIfTemporary } from '../../storage/sqlite/database.ts';
import { printable, type Shell } from '../shell.ts';

/** What one examination came to. A remedy says what to do. */
export interface Verdict {
  readonly level: 'ok' | 'unknown' | 'warning' | 'error';
  readonly message: string;
  readonly remedy: string | null;
}

export const ok = (message: string): Verdict => ({ level: 'ok', message, remedy: null });
export const unknown = (message: string): Verdict => ({ level: 'unknown', message, remedy: null });
export const warning = (message: string, remedy: string): Verdict => ({ level: 'warning', message, remedy });
export const error = (message: string, remedy: string | null): Verdict => ({
  level: 'error',
  message,
  remedy,
});

/** The remedy where the database cannot be read. The database may be whole: a full or failing disk keeps it from being read too. */
export const RESTORE =
  'see "postern doctor" for the disk and "postern verify" for the rest; then stop the service and run "postern restore BACKUP --overwrite", which keeps what is there; without a backup, sqlite3 can save what is left (.recover)';

/** By error code, the system's or SQLite's. */
const REMEDIES: Readonly<Record<string, string>> = {
  EACCES: 'run as the user that the service runs as; what else is there cannot be seen',
  ERR_SQLITE_ERROR: RESTORE,
};

/** Runs one examination. Resolves to false where the examination threw. */
export type Examine = (
  check: string,
  examination: () => Verdict | readonly Verdict[] | Promise<Verdict | readonly Verdict[]>,
  /** For whatever the examination throws, unless its code has a remedy. Left out where the messages name a remedy. */
  remedy?: string,
) => Promise<boolean>;

/** Runs `work`, which examines one thing after the other, then prints all findings. Ends with 1 where something is wrong. */
export async function tellFindings(shell: Shell, work: (examine: Examine) => Promise<void>): Promise<void> {
  const findings: (Verdict & { readonly check: string })[] = [];
  await work(async (check, examination, remedy) => {
    try {
      for (const verdict of [await examination()].flat()) findings.push({ check, ...verdict });
      return true;
    } catch (thrown) {
      const faults = thrown instanceof StartupError ? thrown.faults : [messageOf(thrown)];
      const known = remedyIfTemporary(thrown) ?? REMEDIES[codeOf(thrown) ?? ''] ?? remedy ?? null;
      for (const fault of faults) findings.push({ check, ...error(fault, known) });
      return false;
    }
  });
  if (findings.some(({ level }) => level === 'error')) shell.exitCode = 1;
  shell.answer({ findings }, () => {
    for (const { level, check, message, remedy } of findings) {
      const colour = { ok: 'green', unknown: 'dim', warning: 'yellow', error: 'red' } as const;
      const text = printable(`${check}: ${message}${remedy === null ? '' : `; ${remedy}`}`);
      shell.print(`${shell.paint(colour[level], level.padEnd(7))}  ${text}`);
    }
  });
}
