import type { FactCatalogue } from '../../signals/fact-catalogue.ts';
import type { Fix, Problem } from '../problem.ts';
import type { RuleSource, RuleSources } from '../rule-sources.ts';
import { lintRules } from './lint-rules.ts';

export interface FixedRules {
  /** The texts with the fixes in them; all but the characters that a fix names stay as they are. */
  readonly sources: RuleSources;
  /** The problems that were mended, as they were found. */
  readonly fixed: readonly Problem[];
}

/** A round may bring to light what the mistakes of the one before had hidden; few directories hide more. */
const MOST_ROUNDS = 5;

/**
 * Applies every fix that is safe: one after which lint says nothing that it did not say before. What a guess would
 * break elsewhere (a name that something else has, a value that does not fit) is left to a person. Pure.
 */
export function applyFixes(
  sources: RuleSources,
  catalogue: FactCatalogue,
  options: { readonly now: number },
): FixedRules {
  let current = sources;
  const fixed: Problem[] = [];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const before = lintRules(current, catalogue, options).problems;
    let known = before;
    const touched = new Set<string>();
    // From the last to the first: a fix does not move what stands before it.
    for (const problem of before.filter(({ fix }) => fix).toReversed()) {
      const place = `${problem.file}:${problem.line}:${problem.column}`;
      if (touched.has(place)) continue;
      const next = replaceText(current, problem);
      const after = lintRules(next, catalogue, options).problems;
      if (!isBetter(known, after, problem)) continue;
      current = next;
      known = after;
      fixed.push(problem);
      touched.add(place);
    }
    if (touched.size === 0) break;
  }
  return { sources: current, fixed };
}

/**
 * The problem is gone and no error is new. A file or rule that can be read at last is judged further, so warnings, and
 * errors of a file that was no YAML, may come to light.
 */
function isBetter(before: readonly Problem[], after: readonly Problem[], fixed: Problem): boolean {
  const known = new Set(before.map(key));
  const stays = after.some((problem) => key(problem) === key(fixed) && problem.line === fixed.line);
  if (stays && count(after, fixed) >= count(before, fixed)) return false;
  const wasUnreadable = fixed.code === 'yaml_syntax';
  return !after.some((problem) => problem.severity === 'error' && !known.has(key(problem)) && !wasUnreadable);
}

function count(problems: readonly Problem[], like: Problem): number {
  return problems.filter((problem) => key(problem) === key(like)).length;
}

function key({ file, code, message }: Problem): string {
  return `${file} ${code} ${message}`;
}

function replaceText(sources: RuleSources, { file, fix }: Problem): RuleSources {
  const change = (source: RuleSource): RuleSource =>
    source.file === file && fix ? { ...source, text: replaceIn(source.text, fix) } : source;
  return { ...sources, rules: sources.rules.map(change), tests: sources.tests.map(change) };
}

function replaceIn(text: string, { line, column, endColumn, replacement }: Fix): string {
  const lines = text.split('\n');
  const before = lines[line - 1] ?? '';
  lines[line - 1] = before.slice(0, column - 1) + replacement + before.slice(endColumn - 1);
  return lines.join('\n');
}
