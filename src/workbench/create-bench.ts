import { openRecordedChecks } from '../storage/sqlite/open-recorded-checks.ts';
import type { BenchOpening } from './bench-messages.ts';
import { ChildProcessBench } from './child-process-bench.ts';
import { type BenchTools, InProcessBench } from './in-process-bench.ts';
import type { RuleBench } from './rule-bench.ts';

/** As TypeScript, where only tests run it, the bench's program cannot be started: its decorators must be compiled. */
export function createBench(opening: BenchOpening & Pick<BenchTools, 'collector' | 'clock'>): RuleBench {
  if (!import.meta.url.endsWith('.ts')) return new ChildProcessBench(opening);
  const { config } = opening;
  return new InProcessBench({
    ...opening,
    openRecords: () => openRecordedChecks(config.storage.url),
    promotion: config.rules.promotion,
  });
}
