import type { BenchOpening } from './bench-messages.ts';
import type { RuleJobTools } from './in-process-rule-jobs.ts';
import type { RuleJobs } from './rule-jobs.ts';

/** As TypeScript, where only tests run it, the bench's program cannot be started: its decorators must be compiled. */
export async function createBench(
  opening: BenchOpening & Pick<RuleJobTools, 'collector' | 'clock'>,
): Promise<RuleJobs> {
  if (!import.meta.url.endsWith('.ts')) {
    const { ChildProcessBench } = await import('./child-process-bench.ts');
    return new ChildProcessBench(opening);
  }
  const { InProcessRuleJobs } = await import('./in-process-rule-jobs.ts');
  const { openRecordedChecks } = await import('../../storage/sqlite/open-recorded-checks.ts');
  const { config } = opening;
  return new InProcessRuleJobs({
    ...opening,
    openRecords: () => openRecordedChecks(config.storage.url),
    promotion: config.rules.promotion,
  });
}
