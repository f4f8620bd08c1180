import { shortPath } from '../../lib/paths.ts';
import { applyFixes } from '../../rules/lint/apply-fixes.ts';
import type { Problem } from '../../rules/problem.ts';
import type { RuleSources } from '../../rules/rule-sources.ts';
import { replaceFile } from '../../storage/private-files.ts';
import { printable } from '../render/printable.ts';
import type { Shell } from '../shell.ts';
import { presentProblem, printProblem, renderAnnotation } from './lint-formats.ts';
import { judgeRules, type OpenedRules, openRules, type RulesOptions } from './open-rules.ts';

export interface LintOptions extends RulesOptions {
  readonly format?: 'text' | 'json' | 'github';
  readonly fix?: boolean;
}

export async function lint(shell: Shell, options: LintOptions): Promise<void> {
  const opened = await openRules(shell, options, { onlyErrors: false });
  const { fixed, judged } = options.fix ? await mend(shell, opened) : { fixed: [], judged: opened };
  const { problems, texts } = judged;
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  if (errors > 0) shell.exitCode = 1;
  const summary = `${opened.dir}: ${count(errors, 'error')}, ${count(warnings, 'warning')}`;
  switch (options.json ? 'json' : (options.format ?? 'text')) {
    case 'json': {
      const present = (problem: Problem) => presentProblem(problem, texts.get(problem.file));
      const mended = options.fix ? { fixed: fixed.map((problem) => presentProblem(problem, undefined)) } : {};
      shell.json({ errors, warnings, problems: problems.map(present), ...mended });
      return;
    }
    case 'github':
      for (const problem of problems) shell.print(renderAnnotation(problem));
      // Standard output holds annotations alone.
      shell.note(summary);
      return;
    case 'text':
      for (const problem of fixed) {
        const { file, line, code, fix } = problem;
        shell.print(printable(`${file}:${line} fixed ${code}: ${fix?.replacement}`));
      }
      for (const problem of problems) printProblem(shell, problem, texts.get(problem.file));
      shell.print(summary);
  }
}

/** Writes what can be mended safely, each file in one step, and judges the directory again. */
async function mend(shell: Shell, { sources, collector, now }: OpenedRules) {
  const { sources: mended, fixed } = applyFixes(sources, collector.catalogue, { now });
  const before = textsOf(sources);
  for (const [file, text] of textsOf(mended)) {
    if (before.get(file) !== text) await replaceFile(file, text);
  }
  return {
    fixed: fixed.map((problem) => ({ ...problem, file: shortPath(problem.file, shell.cwd) })),
    judged: judgeRules(shell, mended, collector.catalogue, { now }),
  };
}

function textsOf({ rules, tests }: RuleSources): ReadonlyMap<string, string> {
  return new Map([...rules, ...tests].map(({ file, text }) => [file, text]));
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
