import { shortPath } from '../../lib/paths.ts';
import { type ComparedSet, comparedSet } from '../../rule-lab/backtest/compared-set.ts';
import type { BySide } from '../../rule-lab/backtest/report.ts';
import { formatProblem } from '../../rules/problem.ts';
import { readRuleSources } from '../../rules/rule-sources.ts';
import { CannotRun, type Shell } from '../shell.ts';
import { judgeRules, type OpenedRules } from './open-rules.ts';

/** Both sets compiled for the same providers and the same moment. Throws CannotRun with every error of either. */
export async function compareWith(
  shell: Shell,
  base: OpenedRules,
  candidateDir: string,
): Promise<BySide<ComparedSet>> {
  const { collector, now } = base;
  const judged = judgeRules(shell, await readRuleSources(candidateDir), collector.catalogue, {
    now,
    onlyErrors: true,
  });
  const candidate = { ...judged, dir: shortPath(candidateDir, shell.cwd) };
  const faults = [base, candidate].flatMap(({ dir, definitions, problems }) =>
    definitions ? [] : [`the rules in ${dir} have errors:`, ...problems.map(formatProblem)],
  );
  if (!base.definitions || !candidate.definitions) throw new CannotRun(faults.join('\n'));
  return {
    base: comparedSet(base.dir, base.definitions, collector.catalogue, now),
    candidate: comparedSet(candidate.dir, candidate.definitions, collector.catalogue, now),
  };
}
