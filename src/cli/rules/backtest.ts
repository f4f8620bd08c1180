import { resolve } from 'node:path';
import { applyPolicy, type Policy, type PolicyResult } from '../../backtest/fail-on.ts';
import { RecordedCases } from '../../backtest/recorded-cases.ts';
import type { BacktestReport, BySide } from '../../backtest/report.ts';
import { factsReadBy, runBacktest } from '../../backtest/run-backtest.ts';
import { systemClock } from '../../system-clock.ts';
import { CannotRun } from '../cannot-run.ts';
import { withStorage } from '../open-storage.ts';
import { Progress } from '../render/progress.ts';
import type { Shell } from '../shell.ts';
import { type ComparedSet, compareWith, unseenByReplay } from './compared-rules.ts';
import { openRules, type RulesOptions } from './open-rules.ts';
import { printBacktest } from './print-backtest.ts';

export interface BacktestOptions extends RulesOptions {
  readonly since?: string;
  readonly until?: string;
  readonly account?: string;
  readonly costRatio: number;
  readonly examples: number;
  readonly failOn?: readonly Policy[];
}

/** What a candidate would have done to the recorded traffic, beside the rules in force. */
export async function backtest(shell: Shell, candidateDir: string, options: BacktestOptions): Promise<void> {
  const opened = await openRules(shell, options);
  const sets = await compareWith(shell, opened, resolve(shell.cwd, candidateDir));
  const report = await onRecorded(shell, sets, options);
  if (report.cases.total === 0) {
    throw new CannotRun('there is no recorded check to judge by: --since, --until and --account choose them');
  }
  const policies = (options.failOn ?? []).map((policy) => applyPolicy(policy, report));
  if (options.json) shell.json({ ...report, policies });
  else printBacktest(shell, report, policies);
  judge(shell, policies);
}

async function onRecorded(
  shell: Shell,
  sets: BySide<ComparedSet>,
  options: BacktestOptions,
): Promise<BacktestReport> {
  const ruleSets = { base: sets.base.ruleSet, candidate: sets.candidate.ruleSet };
  const wanted = new Set([...factsReadBy(ruleSets.base), ...factsReadBy(ruleSets.candidate)]);
  let report: BacktestReport | undefined;
  await withStorage(shell, options, { create: false }, async ({ loaded, storage }) => {
    const { since, until, account: accountId, examples, costRatio } = options;
    const selection = { since, until, accountId };
    const progress = new Progress({
      terminal: shell.terminal,
      totalBytes: await storage.checks.count(selection),
      clock: systemClock,
      doing: 'replaying',
    });
    const recorded = new RecordedCases(wanted);
    const { first, last, ...findings } = await runBacktest({
      ruleSets,
      cases: recorded.of(storage.checks.pages(selection)),
      examples,
      costRatio,
      onProgress: (cases, more) => progress.advance(cases, more),
    });
    progress.stop();
    report = {
      rule_sets: { base: nameOf(sets.base), candidate: nameOf(sets.candidate) },
      source: { kind: 'recorded', name: loaded.config.storage.url, first, last },
      caveats: [...unseenByReplay(sets), ...missingFacts(recorded.missing), ...replayCaveat(findings.cases)],
      ...findings,
    };
  });
  // `withStorage` ran its work, or threw.
  return report as unknown as BacktestReport;
}

function nameOf({ directory, ruleSet }: ComparedSet) {
  return { directory, ruleset: ruleSet.hash };
}

function missingFacts(missing: ReadonlyMap<string, number>): readonly string[] {
  return [...missing]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([fact, records]) =>
        `${fact} is in ${records.toLocaleString('en')} records not there: it is unknown in them`,
    );
}

function replayCaveat({ replayed: { same, differing } }: BacktestReport['cases']): readonly string[] {
  if (differing === 0) return [];
  return [
    `of ${(same + differing).toLocaleString('en')} checks that these very rules had decided, ${differing.toLocaleString('en')} come out otherwise now: a rule reads a fact that records do not keep, or the records were changed`,
  ];
}

/** Exit code 1 when a policy is breached. Throws CannotRun when no case tells: a guard that cannot see must not pass. */
function judge(shell: Shell, policies: readonly PolicyResult[]): void {
  const untold = policies.filter(({ is_breached }) => is_breached === null).map(({ policy }) => policy);
  if (untold.length > 0) {
    throw new CannotRun(`no labelled case tells: ${untold.join(', ')}; postern labels import brings labels`);
  }
  if (policies.some(({ is_breached }) => is_breached)) shell.exitCode = 1;
}
