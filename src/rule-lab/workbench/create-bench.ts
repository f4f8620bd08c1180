import type { BenchOpening } from './bench-messages.ts';
import type { BenchTools } from './in-process-bench.ts';
import type { RuleBench } from './rule-bench.ts';

/** As TypeScript, where only tests run it, the bench's program cannot be started: its decorators must be compiled. */
export async function createBench(
  opening: BenchOpening & Pick<BenchTools, 'collector' | 'clock'>,
): Promise<RuleBench> {
  if (!import.meta.url.endsWith('.ts')) {
    const { ChildProcessBench } = await import('./child-process-bench.ts');
    return new ChildProcessBench(opening);
  }
  const { InProcessBench } = await import('./in-process-bench.ts');
  const { openRecordedChecks } = await import('../../storage/sqlite/open-recorded-checks.ts');
  const { config } = opening;
  return new InProcessBench({
    ...opening,
    openRecords: () => openRecordedChecks(config.storage.url),
    promotion: config.rules.promotion,
  });
}
