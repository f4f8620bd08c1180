import { formatProblem, type Problem } from '../../rules/problem.ts';
import { printable } from '../render/printable.ts';
import { renderSnippet } from '../render/snippet.ts';
import type { Shell } from '../shell.ts';

/** The names that leave the process. `snippet` is the source line, null where there is none. */
export function presentProblem(problem: Problem, text: string | undefined): Record<string, unknown> {
  const { code, severity, file, line, column, message, hint, fix } = problem;
  const snippet = text?.split(/\r?\n/)[line - 1] ?? null;
  return {
    code,
    severity,
    file,
    line,
    column,
    message,
    hint: hint ?? null,
    fix: fix
      ? { line: fix.line, column: fix.column, end_column: fix.endColumn, replacement: fix.replacement }
      : null,
    snippet,
  };
}

/** A line of message, then the source with a caret under it. */
export function printProblem(shell: Shell, problem: Problem, text: string | undefined): void {
  const colour = problem.severity === 'error' ? 'red' : 'yellow';
  shell.print(shell.paint(colour, printable(formatProblem(problem))));
  for (const line of renderSnippet(text, problem)) shell.print(shell.paint('dim', line));
  // A hint says it already where the fix is to write just that.
  const { fix, hint } = problem;
  if (fix && fix.replacement !== hint)
    shell.print(shell.paint('dim', `  fix: ${printable(fix.replacement)}`));
}

/**
 * A command of a GitHub workflow, which shows it beside the line in a pull request.
 * docs.github.com/actions, "Workflow commands": `%`, CR and LF are escaped everywhere, `:` and `,` in properties too.
 */
export function renderAnnotation(problem: Problem): string {
  const { severity, file, line, column, code, message, hint } = problem;
  const meant = hint === undefined ? '' : ` (did you mean "${hint}"?)`;
  const properties = [`file=${escapeProperty(file)}`, `line=${line}`, `col=${column}`, `title=${code}`];
  return `::${severity} ${properties.join(',')}::${escapeData(printable(message + meant))}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
