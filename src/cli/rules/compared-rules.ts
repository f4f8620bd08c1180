import type { BySide } from '../../backtest/report.ts';
import { compileRuleSet, type RuleSet } from '../../rules/compile.ts';
import type { RuleDefinitions } from '../../rules/definitions.ts';
import { otherFactMakers } from '../../rules/fact-making-parts.ts';
import { formatProblem } from '../../rules/problem.ts';
import { readRuleSources } from '../../rules/rule-sources.ts';
import type { FactCatalogue } from '../../signals/fact-catalogue.ts';
import { CannotRun } from '../cannot-run.ts';
import type { Shell } from '../shell.ts';
import { shortPath } from '../short-path.ts';
import { judgeRules, type OpenedRules } from './open-rules.ts';

export interface ComparedSet {
  readonly directory: string;
  readonly definitions: RuleDefinitions;
  readonly ruleSet: RuleSet;
}

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
    base: compile(base.dir, base.definitions, collector.catalogue, now),
    candidate: compile(candidate.dir, candidate.definitions, collector.catalogue, now),
  };
}

function compile(
  directory: string,
  definitions: RuleDefinitions,
  catalogue: FactCatalogue,
  now: number,
): ComparedSet {
  return { directory, definitions, ruleSet: compileRuleSet(definitions, catalogue, now) };
}

/** What differs between the sets before any rule is asked, and facts that are as they are cannot show. */
export function unseenByReplay({ base, candidate }: BySide<ComparedSet>): readonly string[] {
  return otherFactMakers(base.ruleSet, candidate.ruleSet).map(
    (file) =>
      `${file} differs: facts that were recorded were made by the one in force, so that change is not in these figures; a file of addresses would show it`,
  );
}
