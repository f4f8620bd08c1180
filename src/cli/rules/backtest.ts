import { resolve } from 'node:path';
import { whole } from '../../lib/statistics.ts';
import type { BySide } from '../../rule-lab/backtest/case.ts';
import { applyPolicy, type Policy, type PolicyResult, parsePolicy } from '../../rule-lab/backtest/fail-on.ts';
import type { BacktestReport } from '../../rule-lab/backtest/report.ts';
import { type CaseSource, type ComparedSet, runBacktest } from '../../rule-lab/backtest/run-backtest.ts';
import { withProgress } from '../render/progress.ts';
import { CannotRun, type Shell } from '../shell.ts';
import { renderBacktestMarkdown } from './backtest-markdown.ts';
import { type CaseOptions, withCases } from './case-sources.ts';
import { compareWith, openRules, type RulesOptions } from './open-rules.ts';
import { printBacktest } from './print-backtest.ts';

export interface BacktestOptions extends RulesOptions, CaseOptions {
  readonly costRatio: number;
  readonly examples: number;
  readonly failOn?: readonly string[];
  /** Tables for a pull request in place of a screen. */
  readonly markdown?: boolean;
}

/** What a candidate would have done to the recorded traffic or a file of signups, beside the rules in force. */
export async function backtest(shell: Shell, candidateDir: string, options: BacktestOptions): Promise<void> {
  const conditions = (options.failOn ?? []).map(readPolicy);
  const opened = await openRules(shell, options);
  const sets = await compareWith(shell, opened, resolve(shell.cwd, candidateDir));
  await withCases(shell, opened, sets, options, async (source) => {
    const report = await compare(shell, sets, source, options);
    if (report.cases.total === 0) throw new CannotRun(describeNothing(report));
    const policies = conditions.map((policy) => applyPolicy(policy, report));
    shell.answer(options, { ...report, policies }, () => {
      if (options.markdown) shell.print(renderBacktestMarkdown(report, policies));
      else printBacktest(shell, report, policies);
    });
    judge(shell, policies, report, source.leftOut());
  });
}

function readPolicy(text: string): Policy {
  try {
    return parsePolicy(text);
  } catch (error) {
    throw error instanceof TypeError ? new CannotRun(`--fail-on ${error.message}`) : error;
  }
}

/** Judges the cases by both sets, with a progress bar on a terminal. */
export async function compare(
  shell: Shell,
  sets: BySide<ComparedSet>,
  source: CaseSource,
  { examples, costRatio }: Pick<BacktestOptions, 'examples' | 'costRatio'>,
): Promise<BacktestReport> {
  return await withProgress(shell, 'replaying', source.length, (progress) => {
    const onProgress = (cases: number, more: number) => progress.advance(source.position(cases), more);
    return runBacktest({ sets, source, examples, costRatio, onProgress });
  });
}

function describeNothing({ source, caveats }: BacktestReport): string {
  if (source.kind === 'recorded') {
    return 'there is no recorded check to judge by: --since, --until and --account choose them';
  }
  return [`${source.name} has no row to judge by`, ...caveats].join('\n');
}

/** Exit code 1 when a policy is breached. Throws CannotRun where that is unknown: a guard without data must not pass. */
function judge(
  shell: Shell,
  policies: readonly PolicyResult[],
  { cases }: BacktestReport,
  leftOut: number,
): void {
  if (policies.length > 0 && leftOut > 0) {
    throw new CannotRun(
      `--fail-on: ${whole(leftOut)} rows were left out, and what they would have shown is not known; the notes say why`,
    );
  }
  const untold = policies.filter(({ is_breached }) => is_breached === null).map(({ policy }) => policy);
  if (untold.length > 0) {
    const advice =
      cases.good > 0 && cases.bad > 0
        ? 'none of the labelled is BLOCK'
        : 'postern labels import brings labels, --file has its own';
    throw new CannotRun(`no labelled case tells: ${untold.join(', ')}; ${advice}`);
  }
  if (policies.some(({ is_breached }) => is_breached)) shell.exitCode = 1;
}
