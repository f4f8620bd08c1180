import { type ActivePolicy, rulesInForce } from '../../checks/active-policy.ts';
import { RulesDirectory } from '../../checks/rules-directory.ts';
import type { RulesReloader } from '../../checks/rules-reloader.ts';
import type { Clock } from '../../provider-kit/index.ts';
import { queueRuleJobs, type RuleJobsSetup } from '../../rule-lab/editing/queued-rule-jobs.ts';
import { RuleEditing } from '../../rule-lab/editing/rule-editing.ts';
import type { RuleJobs } from '../../rule-lab/editing/rule-jobs.ts';
import type { SignalCollector } from '../../signals/signal-collector.ts';
import type { Storage } from '../../storage/ports.ts';

export interface RuleEditingOpening extends RuleJobsSetup {
  readonly collector: SignalCollector;
  readonly policies: ActivePolicy;
  readonly reloader: RulesReloader;
  readonly storage: Storage;
  readonly clock: Clock;
}

/** No process is started before a person works. */
export async function openRuleEditing(parts: RuleEditingOpening): Promise<RuleEditing> {
  const { config, collector, policies, reloader, storage, clock } = parts;
  return new RuleEditing({
    source: new RulesDirectory(config.rules.dir),
    catalogue: collector.catalogue,
    jobs: await openRuleJobs(parts),
    store: storage.ruleDrafts,
    versions: storage.ruleVersions,
    reloader,
    inForce: () => rulesInForce(policies),
    clock,
  });
}

/** Run from TypeScript, as tests do, the process of the jobs cannot be started: its modules have decorators, which must be compiled. */
async function openRuleJobs({
  config,
  providerOptions,
  collector,
  clock,
}: RuleEditingOpening): Promise<RuleJobs> {
  if (!import.meta.url.endsWith('.ts')) return queueRuleJobs({ config, providerOptions });
  const { InProcessRuleJobs } = await import('../../rule-lab/editing/in-process-rule-jobs.ts');
  const { openRecordedChecks } = await import('../../storage/sqlite/replay-queries.ts');
  return new InProcessRuleJobs({
    ...{ collector, providerOptions, clock, promotion: config.rules.promotion },
    openRecords: () => openRecordedChecks(config.storage.url),
  });
}
