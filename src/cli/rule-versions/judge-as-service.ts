import { InProcessJudge, type Judgement } from '../../checks/judge/judge-rules.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { openCollector } from '../../pipeline.ts';
import type { RuleSources } from '../../rules/rule-sources.ts';
import { systemClock } from '../../system-clock.ts';
import { quietLog } from '../settings.ts';
import type { Shell } from '../shell.ts';

/** Lints and tests as the service would now, with the providers of this configuration. */
export async function judgeAsService(
  shell: Shell,
  loaded: LoadedConfig,
): Promise<{
  readonly judge: (sources: RuleSources) => Promise<Judgement>;
  /** Null where lint has found an error. */
  readonly hashOf: (judgement: Judgement) => string | null;
}> {
  const opened = await openCollector(loaded, await quietLog(shell), systemClock);
  const { collector, options: providerOptions } = opened;
  const judge = new InProcessJudge({ collector, providerOptions });
  const { compileRuleSet } = await import('../../rules/compile.ts');
  return {
    judge: (sources) => judge.judge(sources, systemClock.now()),
    hashOf: ({ definitions }) =>
      definitions ? compileRuleSet(definitions, collector.catalogue, systemClock.now()).hash : null,
  };
}
