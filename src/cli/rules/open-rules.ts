import { resolve } from 'node:path';
import { openCollector } from '../../pipeline.ts';
import { type LintResult, lintRules } from '../../rules/lint/lint-rules.ts';
import type { Problem } from '../../rules/problem.ts';
import { readRuleSources } from '../../rules/rule-sources.ts';
import type { SignalCollector } from '../../signals/signal-collector.ts';
import { systemClock } from '../../system-clock.ts';
import type { CommonOptions } from '../options.ts';
import { loadSettings, quietLog } from '../settings.ts';
import type { Shell } from '../shell.ts';
import { shortPath } from '../short-path.ts';

export interface RulesOptions extends CommonOptions {
  readonly dir?: string;
}

export interface OpenedRules extends LintResult {
  readonly dir: string;
  readonly collector: SignalCollector;
  readonly providerOptions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The moment that expiries were judged at. */
  readonly now: number;
}

/** Reads and judges a rules directory against the facts of the enabled providers. */
export async function openRules(shell: Shell, options: RulesOptions): Promise<OpenedRules> {
  const loaded = await loadSettings(shell, options);
  const { collector, options: providerOptions } = await openCollector(
    loaded,
    await quietLog(shell),
    systemClock,
  );
  const dir = options.dir === undefined ? loaded.config.rules.dir : resolve(shell.cwd, options.dir);
  const now = systemClock.now();
  const { problems, definitions } = lintRules(await readRuleSources(dir), collector.catalogue, { now });
  const shown = (problem: Problem): Problem => ({ ...problem, file: shortPath(problem.file, shell.cwd) });
  return {
    dir: shortPath(dir, shell.cwd),
    collector,
    providerOptions,
    now,
    problems: problems.map(shown),
    definitions,
  };
}
