import { whole } from '../../lib/statistics.ts';
import { applyPolicy, type Policy, type PolicyResult, parsePolicy } from '../../rule-lab/backtest/fail-on.ts';
import type { BacktestReport } from '../../rule-lab/backtest/run-backtest.ts';
import { CannotRun, type Shell } from '../shell.ts';
import { renderBacktestMarkdown } from './backtest-markdown.ts';
import { openBoth } from './open-rules.ts';
import { printBacktest } from './print-backtest.ts';
import { type ReplayOptions, replay } from './replay.ts';

export interface BacktestOptions extends ReplayOptions {
  readonly failOn?: readonly string[];
  /** Tables for a pull request in place of a screen. */
  readonly markdown?: boolean;
}

/** What a candidate would have done to the recorded traffic or a file of signups, beside the rules in force. */
export async function backtest(shell: Shell, candidateDir: string, options: BacktestOptions): Promise<void> {
  const conditions = (options.failOn ?? []).map(readPolicy);
  const { report, leftOut } = await replay(shell, await openBoth(shell, candidateDir), options);
  if (report.cases.total === 0) throw new CannotRun(describeNothing(report));
  const policies = conditions.map((policy) => applyPolicy(policy, report));
  shell.answer({ ...report, policies }, () => {
    if (options.markdown) shell.print(renderBacktestMarkdown(report, policies));
    else printBacktest(shell, report, policies);
  });
  judge(shell, policies, report, leftOut);
}

function readPolicy(text: string): Policy {
  try {
    return parsePolicy(text);
  } catch (error) {
    throw error instanceof TypeError ? new CannotRun(`--fail-on ${error.message}`) : error;
  }
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
  report: BacktestReport,
  leftOut: number,
): void {
  if (policies.length > 0 && leftOut > 0) {
    throw new CannotRun(
      `--fail-on: ${whole(leftOut)} rows were left out, and what they would have shown is not known; the notes say why`,
    );
  }
  if (policies.length > 0 && !report.is_judged) {
    throw new CannotRun(
      `--fail-on: rules could not be judged, and what they would have done is not known; --since leaves out checks of before a fact was recorded:\n${report.unjudged.join('\n')}`,
    );
  }
  const untold = policies.filter(({ is_breached }) => is_breached === null).map(({ policy }) => policy);
  if (untold.length > 0) {
    const advice =
      report.cases.good > 0 && report.cases.bad > 0
        ? 'none of the labelled is BLOCK'
        : 'postern labels import brings labels, --file has its own';
    throw new CannotRun(`no labelled case tells: ${untold.join(', ')}; ${advice}`);
  }
  if (policies.some(({ is_breached }) => is_breached)) shell.exitCode = 1;
}
