import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../app/config/config.ts';
import type { Logger } from '../observability/logger.ts';
import type { Clock } from '../provider-kit/index.ts';
import type { RuleVersionStore } from '../storage/rule-ports.ts';
import type { ActivePolicy } from './active-policy.ts';
import { ChildProcessJudge, InProcessJudge, type JudgingTools, type RuleJudge } from './rule-judge.ts';
import { RulesWatcher } from './rules-directory.ts';
import { RulesReloader } from './rules-reloader.ts';

interface RulesReloaderParts extends JudgingTools {
  readonly config: Config;
  readonly policies: ActivePolicy;
  readonly versions: RuleVersionStore;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The service's keeper of `rules.dir`, and who tells it of changes; neither has begun yet. */
export function createRulesReloader(parts: RulesReloaderParts): {
  readonly keeper: RulesReloader;
  readonly watcher: RulesWatcher;
} {
  const { config, log } = parts;
  const { dir, challengerDir } = config.rules;
  const keeper = new RulesReloader({ ...parts, dir, challengerDir, judge: createJudge(parts), pause });
  const dirs = challengerDir === null ? [dir] : [dir, challengerDir];
  const watcher = new RulesWatcher({ dirs, onChange: () => keeper.changed(), log });
  return { keeper, watcher };
}

/** As TypeScript, where only tests run it, the judge's program cannot be started: its decorators must be compiled. */
function createJudge({ config, providerOptions, collector }: RulesReloaderParts): RuleJudge {
  return import.meta.url.endsWith('.ts')
    ? new InProcessJudge({ collector, providerOptions })
    : new ChildProcessJudge({ config, providerOptions });
}
