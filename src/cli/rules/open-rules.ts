import { join, resolve } from 'node:path';
import { openCollector } from '../../app/compose/pipeline.ts';
import { readRuleSources } from '../../checks/read-rule-sources.ts';
import { shortPath } from '../../lib/paths.ts';
import { systemClock } from '../../lib/time.ts';
import { comparedSet } from '../../rule-lab/backtest/run-backtest.ts';
import { compileRuleSet } from '../../rules/compile.ts';
import { type LintOptions, lintRules } from '../../rules/lint/lint-rules.ts';
import { formatProblem, type Problem } from '../../rules/problem.ts';
import type { RuleSources } from '../../rules/rule-files.ts';
import type { FactCatalogue } from '../../signals/signals.ts';
import { loadSettings, quietly } from '../open-session.ts';
import { CannotRun, type Shell } from '../shell.ts';
import { readOwnRules, requireDirectory } from './own-rules.ts';

/** The stores of its providers are not opened. */
export type OpenedRules = Awaited<ReturnType<typeof openRules>>;

/**
 * Reads and judges a rules directory against the facts of the enabled providers. Warnings take most of
 * the time: they are found only without `onlyErrors`. What is to be edited must be the operator's own, which the first start makes.
 */
export async function openRules(
  shell: Shell,
  { onlyErrors = true, isEdited = false }: Pick<LintOptions, 'onlyErrors'> & { isEdited?: boolean } = {},
) {
  const loaded = await loadSettings(shell);
  const { collector, stores, providerOptions } = await openCollector({ loaded, ...quietly(shell) });
  /** The time at which dates are judged. */
  const now = systemClock.now();
  if (isEdited) requireDirectory(loaded);
  const sources = await (isEdited ? readRuleSources(loaded.config.rules.dir) : readOwnRules(shell, loaded));
  const judged = judgeRules(shell, sources, collector.catalogue, { now, onlyErrors });
  const dir = shortPath(sources.dir, shell.cwd);
  return { loaded, dir, sources, collector, stores, providerOptions, now, ...judged };
}

/** Lint, with files named from the working directory. */
export function judgeRules(
  shell: Shell,
  sources: RuleSources,
  catalogue: FactCatalogue,
  options: LintOptions,
) {
  const { problems, definitions } = lintRules(sources, catalogue, options);
  const shown = (file: string) => shortPath(file, shell.cwd);
  return {
    problems: problems.map((problem: Problem) => ({ ...problem, file: shown(problem.file) })),
    definitions,
    // By file, as the problems name it.
    texts: new Map(
      Object.entries(sources.files).map(([path, text]) => [shown(join(sources.dir, path)), text]),
    ),
  };
}

/** Throws CannotRun with every error of rules that are at fault. */
export function compileOpened({ dir, definitions, problems, collector, now }: OpenedRules) {
  if (!definitions) throw new CannotRun(describeFaults(dir, problems));
  return { definitions, ruleSet: compileRuleSet(definitions, collector.catalogue, now) };
}

export type ComparedRules = Awaited<ReturnType<typeof openBoth>>;

/** The rules and a candidate, compiled for the same providers and the same moment. Throws CannotRun with every error of either. */
export async function openBoth(shell: Shell, candidateDir: string) {
  const base = await openRules(shell);
  const { collector, now } = base;
  const sources = await readRuleSources(resolve(shell.cwd, candidateDir));
  const judged = judgeRules(shell, sources, collector.catalogue, { now, onlyErrors: true });
  const candidate = { ...judged, dir: shortPath(sources.dir, shell.cwd) };
  if (!base.definitions || !candidate.definitions) {
    const atFault = [base, candidate].filter(({ definitions }) => !definitions);
    throw new CannotRun(atFault.map(({ dir, problems }) => describeFaults(dir, problems)).join('\n'));
  }
  const sets = {
    base: comparedSet(base.dir, base.definitions, collector.catalogue, now),
    candidate: comparedSet(candidate.dir, candidate.definitions, collector.catalogue, now),
  };
  return { ...base, sets };
}

function describeFaults(dir: string, problems: readonly Problem[]): string {
  return [`the rules in ${dir} have errors:`, ...problems.map(formatProblem)].join('\n');
}
