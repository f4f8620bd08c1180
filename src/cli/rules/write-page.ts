import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { messageOf } from '../../lib/thrown.ts';
import type { PolicyResult } from '../../rule-lab/backtest/fail-on.ts';
import type { BacktestReport } from '../../rule-lab/backtest/report.ts';
import { replaceFile } from '../../storage/private-files.ts';
import { CannotRun, type Shell } from '../shell.ts';

/** It names domains and checks: whoever ran the backtest decides who else reads it. */
const MODE = 0o600;

/**
 * Throws CannotRun when a page cannot be written there, which is better said before the cases are read. Nothing but an
 * ordinary file is replaced, and never the one of the cases.
 */
export async function refuseUnlessWritable(shell: Shell, file: string, cases?: string): Promise<void> {
  if (file === '-') throw new CannotRun('--html names a file: standard output has the screen');
  const path = resolve(shell.cwd, file);
  const [target, folder, input] = await Promise.all(
    [path, dirname(path), ...(cases === undefined ? [] : [resolve(shell.cwd, cases)])].map((each) =>
      stat(each).catch(() => undefined),
    ),
  );
  if (!folder?.isDirectory()) throw new CannotRun(`${file}: there is no directory to write it to`);
  if (target === undefined) return;
  if (target.isDirectory()) throw new CannotRun(`${file} is a directory: --html names a file`);
  if (!target.isFile()) throw new CannotRun(`${file} is no ordinary file: --html would replace it`);
  if (input?.ino === target.ino && input.dev === target.dev) {
    throw new CannotRun(`${file} is being read: --html must be another file`);
  }
}

/** Writes the report as one page, and says where. Throws CannotRun when that fails. */
export async function writePage(
  shell: Shell,
  file: string,
  report: BacktestReport,
  policies: readonly PolicyResult[],
): Promise<void> {
  // Nobody else waits for the plots' libraries.
  const { renderBacktestHtml } = await import('../../rule-lab/backtest/html/render-backtest-html.ts');
  const page = renderBacktestHtml(report, policies);
  try {
    await replaceFile(resolve(shell.cwd, file), page, MODE);
  } catch (error) {
    throw new CannotRun(`${file} cannot be written: ${messageOf(error)}`);
  }
  shell.note(`the report is in ${file}`);
}
