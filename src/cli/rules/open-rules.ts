import { join, resolve } from 'node:path';
import { openCollector } from '../../app/compose/pipeline.ts';
import type { LoadedConfig } from '../../app/config/load-config.ts';
import { readRuleSources } from '../../checks/read-rule-sources.ts';
import { shortPath } from '../../lib/paths.ts';
import { systemClock } from '../../lib/system-clock.ts';
import type { BySide } from '../../rule-lab/backtest/case.ts';
import { type ComparedSet, comparedSet } from '../../rule-lab/backtest/run-backtest.ts';
import { compileRuleSet } from '../../rules/compile.ts';
import { type LintOptions, type LintResult, lintRules } from '../../rules/lint/lint-rules.ts';
import { formatProblem, type Problem } from '../../rules/problem.ts';
import type { RuleSources } from '../../rules/rule-files.ts';
import type { ProviderStores } from '../../signals/provider-ports.ts';
import type { SignalCollector } from '../../signals/signal-collector.ts';
import type { FactCatalogue } from '../../signals/signals.ts';
import { loadSettings, quietLog } from '../open-session.ts';
import type { CommonOptions } from '../options.ts';
import { CannotRun, type Shell } from '../shell.ts';

export interface RulesOptions extends CommonOptions {
  readonly dir?: string;
}

interface JudgedRules extends LintResult {
  /** By file, as the problems name it. */
  readonly texts: ReadonlyMap<string, string>;
}

export interface OpenedRules extends JudgedRules {
  readonly loaded: LoadedConfig;
  readonly dir: string;
  readonly sources: RuleSources;
  readonly collector: SignalCollector;
  /** The stores of the providers; not opened. */
  readonly stores: ProviderStores;
  readonly providerOptions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The time at which expiries were judged. */
  readonly now: number;
}

/** Reads and judges a rules directory against the facts of the enabled providers. Warnings take most of the time: they are found only without `onlyErrors`. */
export async function openRules(
  shell: Shell,
  options: RulesOptions,
  { onlyErrors = true }: Pick<LintOptions, 'onlyErrors'> = {},
): Promise<OpenedRules> {
  const loaded = await loadSettings(shell, options);
  const opened = await openCollector(loaded, quietLog(shell), systemClock);
  const { collector, stores, options: providerOptions } = opened;
  const path = options.dir === undefined ? loaded.config.rules.dir : resolve(shell.cwd, options.dir);
  const now = systemClock.now();
  const sources = await readRuleSources(path);
  const judged = judgeRules(shell, sources, collector.catalogue, { now, onlyErrors });
  const dir = shortPath(path, shell.cwd);
  return { loaded, dir, sources, collector, stores, providerOptions, now, ...judged };
}

/** Lint, with files named from the working directory. */
export function judgeRules(
  shell: Shell,
  sources: RuleSources,
  catalogue: FactCatalogue,
  options: LintOptions,
): JudgedRules {
  const { problems, definitions } = lintRules(sources, catalogue, options);
  const shown = (file: string) => shortPath(file, shell.cwd);
  return {
    problems: problems.map((problem: Problem) => ({ ...problem, file: shown(problem.file) })),
    definitions,
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

/** Both sets compiled for the same providers and the same moment. Throws CannotRun with every error of either. */
export async function compareWith(
  shell: Shell,
  base: OpenedRules,
  candidateDir: string,
): Promise<BySide<ComparedSet>> {
  const { collector, now } = base;
  const sources = await readRuleSources(candidateDir);
  const judged = judgeRules(shell, sources, collector.catalogue, { now, onlyErrors: true });
  const candidate = { ...judged, dir: shortPath(candidateDir, shell.cwd) };
  const atFault = [base, candidate].filter(({ definitions }) => !definitions);
  if (!base.definitions || !candidate.definitions) {
    throw new CannotRun(atFault.map(({ dir, problems }) => describeFaults(dir, problems)).join('\n'));
  }
  return {
    base: comparedSet(base.dir, base.definitions, collector.catalogue, now),
    candidate: comparedSet(candidate.dir, candidate.definitions, collector.catalogue, now),
  };
}

function describeFaults(dir: string, problems: readonly Problem[]): string {
  return [`the rules in ${dir} have errors:`, ...problems.map(formatProblem)].join('\n');
}
