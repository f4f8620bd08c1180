import { openCollector } from '../../app/compose/pipeline.ts';
import type { LoadedConfig } from '../../app/config/load-config.ts';
import { faultsOf, InProcessJudge } from '../../checks/rule-judge.ts';
import { systemClock } from '../../lib/system-clock.ts';
import type { AssessedRules } from '../../rule-lab/versions/restore-version.ts';
import { type RuleFiles, sourcesOf } from '../../rules/rule-files.ts';
import { quietLog } from '../open-session.ts';
import type { Shell } from '../shell.ts';

/** Lints and tests as the service would now, with the providers of this configuration. */
export async function judgeAsService(
  shell: Shell,
  loaded: LoadedConfig,
): Promise<(files: RuleFiles) => Promise<AssessedRules>> {
  const opened = await openCollector(loaded, await quietLog(shell), systemClock);
  const { collector, options: providerOptions } = opened;
  const judge = new InProcessJudge({ collector, providerOptions });
  const { compileRuleSet } = await import('../../rules/compile.ts');
  return async (files) => {
    const now = systemClock.now();
    const judgement = await judge.judge(sourcesOf(loaded.config.rules.dir, files), now);
    const { definitions } = judgement;
    const hash = definitions ? compileRuleSet(definitions, collector.catalogue, now).hash : null;
    return { faults: faultsOf(judgement), hash };
  };
}
