import { InProcessJudge, type Judgement } from '../../checks/judge/judge-rules.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { StartupError } from '../../errors.ts';
import { openCollector } from '../../pipeline.ts';
import { digestOf, filesOf, type RuleFiles } from '../../rules/rule-files.ts';
import { type RuleSources, readRuleSources } from '../../rules/rule-sources.ts';
import { systemClock } from '../../system-clock.ts';
import { quietLog } from '../settings.ts';
import type { Shell } from '../shell.ts';

/** What lies in the rules directory, or why it cannot be read. */
export type RulesOnDisk =
  | { readonly files: RuleFiles; readonly sources: RuleSources; readonly digest: string }
  | { readonly files: null; readonly faults: readonly string[] };

export async function readRulesOnDisk(dir: string): Promise<RulesOnDisk> {
  try {
    const sources = await readRuleSources(dir);
    const files = filesOf(sources);
    return { files, sources, digest: digestOf(files) };
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return { files: null, faults: error.faults };
  }
}

/** Lints and tests as the service would now, with the providers of this configuration. */
export async function judgeAsService(
  shell: Shell,
  loaded: LoadedConfig,
): Promise<{ readonly judge: (sources: RuleSources) => Promise<Judgement>; readonly hashOf: HashOf }> {
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

/** Null where lint has found an error. */
export type HashOf = (judgement: Judgement) => string | null;
