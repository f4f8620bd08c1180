import { join } from 'node:path';
import { shortPath } from '../../lib/paths.ts';
import { counted } from '../../lib/statistics.ts';
import { applyFixes } from '../../rules/lint/lint-rules.ts';
import {
  describeProblem,
  formatProblem,
  type Place,
  type Problem,
  presentProblem,
} from '../../rules/problem.ts';
import { replaceFile } from '../../storage/private-files.ts';
import { orCannotUse, printable, type Shell } from '../shell.ts';
import { judgeRules, namedFrom, type OpenedRules, openRules } from './open-rules.ts';

export interface LintOptions {
  readonly format?: 'text' | 'json' | 'github';
  readonly fix?: boolean;
}

export async function lint(shell: Shell, options: LintOptions): Promise<void> {
  const opened = await openRules(shell, { onlyErrors: false, isEdited: options.fix === true });
  const { fixed, judged } = options.fix ? await mend(shell, opened) : { fixed: [], judged: opened };
  const { problems, texts } = judged;
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  if (errors > 0) shell.exitCode = 1;
  const summary = `${opened.dir}: ${counted(errors, 'error')}, ${counted(warnings, 'warning')}`;
  switch (shell.options.json ? 'json' : (options.format ?? 'text')) {
    case 'json': {
      const mended = options.fix ? { fixed: fixed.map((problem) => present(problem, undefined)) } : {};
      const shown = problems.map((problem) => present(problem, texts.get(problem.file)));
      shell.json({ errors, warnings, problems: shown, ...mended });
      return;
    }
    case 'github':
      for (const problem of problems) shell.print(renderAnnotation(problem));
      // Standard output holds annotations alone.
      shell.note(summary);
      return;
    case 'text':
      for (const problem of fixed) {
        const { file, line, code, replacement } = problem;
        shell.print(printable(`${file}:${line} fixed ${code}: ${replacement}`));
      }
      for (const problem of problems) printProblem(shell, problem, texts.get(problem.file));
      shell.print(summary);
  }
}

/** Writes what can be mended safely, each file in one step, and judges the directory again. */
async function mend(shell: Shell, { sources, collector, now }: OpenedRules) {
  const { sources: mended, fixed } = applyFixes(namedFrom(shell.cwd, sources), collector.catalogue, { now });
  const { files } = mended;
  for (const [path, text] of Object.entries(files)) {
    if (sources.files[path] === text) continue;
    const file = join(sources.dir, path);
    await orCannotUse(shortPath(file, shell.cwd), 'written', () => replaceFile(file, text));
  }
  return { fixed, judged: judgeRules(shell, { ...sources, files }, collector.catalogue, { now }) };
}

/** With the names that leave the process. `snippet` is the source line, null where there is none. */
function present(problem: Problem, text: string | undefined) {
  return { ...presentProblem(problem), snippet: text?.split(/\r?\n/)[problem.line - 1] ?? null };
}

/** A line of message, then the source with a caret under it. */
function printProblem(shell: Shell, problem: Problem, text: string | undefined): void {
  const colour = problem.severity === 'error' ? 'red' : 'yellow';
  shell.print(shell.paint(colour, printable(formatProblem(problem))));
  for (const line of renderSnippet(text, problem)) shell.print(shell.paint('dim', line));
  // Not where the hint has said the same.
  const { replacement, hint } = problem;
  if (replacement !== undefined && replacement !== hint)
    shell.print(shell.paint('dim', `  fix: ${printable(replacement)}`));
}

/**
 * A command of a GitHub workflow, which shows it beside the line in a pull request.
 * docs.github.com/actions, "Workflow commands": `%`, CR and LF are escaped everywhere, `:` and `,` in properties too.
 */
function renderAnnotation(problem: Problem): string {
  const { severity, file, line, column, code } = problem;
  const name = escapeData(file).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const properties = [`file=${name}`, `line=${line}`, `col=${column}`, `title=${code}`];
  return `::${severity} ${properties.join(',')}::${escapeData(printable(describeProblem(problem)))}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** What fits a terminal beside the line's number. */
const WIDTH = 110;

/**
 * The line of a text that a message is about, its number in front, and under it a caret for each character that is
 * meant. A long line is cut to the part around the caret. Empty where the text has no such line.
 */
function renderSnippet(text: string | undefined, { line, column, endColumn }: Place): readonly string[] {
  const source = text?.split(/\r?\n/)[line - 1];
  if (source === undefined || source.trim() === '') return [];
  const from = Math.max(0, Math.min(column - 1 - WIDTH / 2, source.length - WIDTH));
  const part = source.slice(from, from + WIDTH);
  const shown = `${from > 0 ? '…' : ''}${printable(part)}${source.length > from + WIDTH ? '…' : ''}`;
  // `printable` may make the text before the caret longer: a tab, for example.
  const before = printable(part.slice(0, column - 1 - from)).length + (from > 0 ? 1 : 0);
  const meant = part.slice(column - 1 - from, (endColumn ?? column + 1) - 1 - from);
  const gutter = String(line);
  return [
    `  ${gutter} | ${shown}`,
    `  ${' '.repeat(gutter.length)} | ${' '.repeat(before)}${'^'.repeat(Math.max(1, printable(meant).length))}`,
  ];
}
