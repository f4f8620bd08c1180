import { execFileSync } from 'node:child_process';
import { backtest } from './backtest/backtest.ts';
import { decision } from './decision/decision.ts';
import { arrivals } from './http/arrivals.ts';
import { closedLoop } from './http/closed-loop.ts';
import { severalInstances } from './http/several-instances.ts';
import { memory } from './memory/memory.ts';
import { pipeline } from './pipeline/pipeline.ts';
import { goalsTable } from './report/goals.ts';
import { currentLoad, describeMachine } from './report/machine.ts';
import type { Goal, Options, Section } from './report/section.ts';
import { writeResults } from './report/write-results.ts';
import { startUp } from './startup/start-up.ts';

const SECTIONS: Readonly<Record<string, Section>> = {
  arrivals,
  loop: closedLoop,
  instances: severalInstances,
  pipeline,
  decision,
  backtest,
  startup: startUp,
  memory,
};

/** Measures the named sections, or all. The results are written to docs/benchmarks.md only when all were measured. */
export async function benchmark(names: readonly string[], options: Options): Promise<void> {
  const unknown = names.filter((name) => !Object.hasOwn(SECTIONS, name));
  if (unknown.length > 0)
    throw new Error(`no section ${unknown.join(', ')}; there are ${Object.keys(SECTIONS).join(', ')}`);

  const loadBefore = currentLoad();
  const goals: Goal[] = [];
  const chapters: string[] = [];
  for (const [name, { title, measure }] of Object.entries(SECTIONS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    console.error(`${title} …`);
    settleDisk();
    const report = await measure((text) => console.error(`  ${text}`), options);
    goals.push(...report.goals);
    chapters.push(`## ${title}\n\n${report.markdown}`);
  }
  const summary = goals.length === 0 ? [] : [`## Goals\n\n${goalsTable(goals)}`];
  const results = [describeMachine(loadBefore), ...summary, ...chapters].join('\n\n');
  console.log(results);
  if (names.length === 0) writeResults('docs/benchmarks.md', 'npm run bench', results);
}

/**
 * Flushes data that the last section left in memory; otherwise the kernel writes it during this section. After a backtest's
 * 1.5 GB a commit took 25 ms instead of one, up to 0.4 s, and a first start took half as long again.
 */
function settleDisk(): void {
  execFileSync('sync');
}
