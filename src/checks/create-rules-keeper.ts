import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../app/config/config.ts';
import type { Logger } from '../observability/logger.ts';
import type { Clock } from '../provider-kit/index.ts';
import type { RuleVersionStore } from '../storage/rule-version-store.ts';
import { ChildProcessJudge } from './judge/child-process-judge.ts';
import { InProcessJudge, type JudgingTools, type RuleJudge } from './judge/judge-rules.ts';
import type { PolicyBook } from './policy-book.ts';
import { RulesKeeper } from './rules-keeper.ts';
import { RulesWatcher } from './rules-watcher.ts';

export interface RulesKeeperParts extends JudgingTools {
  readonly config: Config;
  readonly policies: PolicyBook;
  readonly versions: RuleVersionStore;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The service's keeper of `rules.dir`, and who tells it of changes; neither has begun yet. */
export function createRulesKeeper(parts: RulesKeeperParts): {
  readonly keeper: RulesKeeper;
  readonly watcher: RulesWatcher;
} {
  const { config, log } = parts;
  const { dir, challengerDir } = config.rules;
  const keeper = new RulesKeeper({ ...parts, dir, challengerDir, judge: createJudge(parts), pause });
  const dirs = challengerDir === null ? [dir] : [dir, challengerDir];
  const watcher = new RulesWatcher({ dirs, onChange: () => keeper.changed(), log });
  return { keeper, watcher };
}

/** As TypeScript, where only tests run it, the judge's program cannot be started: its decorators must be compiled. */
function createJudge({ config, providerOptions, collector }: RulesKeeperParts): RuleJudge {
  return import.meta.url.endsWith('.ts')
    ? new InProcessJudge({ collector, providerOptions })
    : new ChildProcessJudge({ config, providerOptions });
}
