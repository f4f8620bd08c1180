import { join } from 'node:path';
import type { FactCatalogue } from '../../signals/signals.ts';
import type { Problem } from '../problem.ts';
import type { RuleSources } from '../rule-files.ts';
import { lintRules } from './lint-rules.ts';

/**
 * Applies every fix that is safe: one after which lint says nothing that it did not say before. What a guess would
 * break elsewhere (a name that something else has, a value that does not fit) is left to a person. All but the characters that a
 * fix names stay as they are; `fixed` are the problems that were mended, as they were found. Pure.
 */
export function applyFixes(
  sources: RuleSources,
  catalogue: FactCatalogue,
  options: { readonly now: number },
) {
  const fixed: Problem[] = [];
  const tried = new Set<string>();
  let problems = lintRules(sources, catalogue, options).problems;
  for (;;) {
    // From the last to the first: a fix does not move what stands before it.
    const problem = problems.findLast(
      (found) => found.replacement !== undefined && !tried.has(placedKey(found)),
    );
    if (!problem) return { sources, fixed };
    tried.add(placedKey(problem));
    const mended = replaceText(sources, problem);
    const after = lintRules(mended, catalogue, options).problems;
    if (!isBetter(problems, after, problem)) continue;
    sources = mended;
    problems = after;
    fixed.push(problem);
  }
}

/**
 * The problem is gone and no error is new. A file or rule that can be read at last is judged further, so warnings, and
 * errors of a file that was no YAML, may come to light.
 */
function isBetter(before: readonly Problem[], after: readonly Problem[], fixed: Problem): boolean {
  const count = (problems: readonly Problem[]) =>
    problems.filter((problem) => lineKey(problem) === lineKey(fixed)).length;
  if (count(after) >= count(before)) return false;
  if (fixed.code === 'yaml_syntax') return true;
  const known = new Set(before.map(lineKey));
  return after.every((problem) => problem.severity === 'warning' || known.has(lineKey(problem)));
}

/** A fix stays within its line, so lines are comparable before and after it. */
function lineKey({ file, line, code, message }: Problem): string {
  return `${file}:${line} ${code} ${message}`;
}

function placedKey(problem: Problem): string {
  return `${lineKey(problem)} ${problem.column}`;
}

function replaceText(sources: RuleSources, problem: Problem): RuleSources {
  const files = Object.entries(sources.files).map(([path, text]) => [
    path,
    join(sources.dir, path) === problem.file ? replaceIn(text, problem) : text,
  ]);
  return { ...sources, files: Object.fromEntries(files) };
}

function replaceIn(text: string, { line, column, endColumn = column, replacement = '' }: Problem): string {
  const lines = text.split('\n');
  const before = lines[line - 1] ?? '';
  lines[line - 1] = before.slice(0, column - 1) + replacement + before.slice(endColumn - 1);
  return lines.join('\n');
}
