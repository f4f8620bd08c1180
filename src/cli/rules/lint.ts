import { formatProblem } from '../../rules/problem.ts';
import { printable } from '../render/printable.ts';
import type { Shell } from '../shell.ts';
import { openRules, type RulesOptions } from './open-rules.ts';

export async function lint(shell: Shell, options: RulesOptions): Promise<void> {
  const { dir, problems } = await openRules(shell, options);
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  if (errors > 0) shell.exitCode = 1;
  if (options.json) {
    shell.json({
      errors,
      warnings,
      problems: problems.map((problem) => ({ ...problem, hint: problem.hint ?? null })),
    });
    return;
  }
  for (const problem of problems) {
    const colour = problem.severity === 'error' ? 'red' : 'yellow';
    shell.print(shell.paint(colour, printable(formatProblem(problem))));
  }
  shell.print(`${dir}: ${count(errors, 'error')}, ${count(warnings, 'warning')}`);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
