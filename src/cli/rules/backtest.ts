import { RolloutBuckets } from '../../checks/assessor.ts';
import { LabelWords } from '../../labels/label.ts';
import { RowFaults } from '../../lib/row-file.ts';
import { withoutPassword } from '../../lib/service-url.ts';
import { counted } from '../../lib/statistics.ts';
import { DownloadedLists } from '../../lists/downloaded-lists.ts';
import { openListStore } from '../../lists/open-list-store.ts';
import { recordedCases } from '../../rule-lab/backtest/case.ts';
import { applyPolicy, type PolicyResult, parsePolicy } from '../../rule-lab/backtest/fail-on.ts';
import { collectForBoth, openLabelledFile } from '../../rule-lab/backtest/labelled-file.ts';
import {
  type BacktestReport,
  type CaseSource,
  runBacktest,
  unseenByReplay,
} from '../../rule-lab/backtest/run-backtest.ts';
import { digestOf } from '../../rules/rule-files.ts';
import type { RuleVersion } from '../../storage/rule-ports.ts';
import { selectionOf } from '../accounts.ts';
import { openStored, readBucketKey } from '../open-assessor.ts';
import { type InputOptions, openInput } from '../open-input.ts';
import { quietLog, withStorage } from '../open-session.ts';
import type { SelectionOptions } from '../options.ts';
import { withProgress } from '../render/progress.ts';
import { CannotRun, type Shell } from '../shell.ts';
import { renderBacktestMarkdown } from './backtest-markdown.ts';
import { type ComparedRules, openBoth } from './open-rules.ts';
import { printBacktest } from './print-backtest.ts';

export interface BacktestOptions extends ReplayOptions {
  readonly failOn?: readonly string[];
  /** Tables for a pull request in place of a screen. */
  readonly markdown?: boolean;
}

/** What a candidate would have done to the recorded traffic or a file of signups, beside the rules in force. */
export async function backtest(shell: Shell, candidateDir: string, options: BacktestOptions): Promise<void> {
  const conditions = (options.failOn ?? []).map(parsePolicy);
  const { report, leftOut } = await replay(shell, await openBoth(shell, candidateDir), options);
  if (report.cases.total === 0) throw new CannotRun(describeNothing(report));
  const policies = conditions.map((policy) => applyPolicy(policy, report));
  shell.answer({ ...report, policies }, () => {
    if (options.markdown) shell.print(renderBacktestMarkdown(report, policies));
    else printBacktest(shell, report, policies);
  });
  judge(shell, policies, report, leftOut);
}

export const NO_CHECK = 'there is no recorded check to judge by: --since, --until and --account choose them';

function describeNothing({ source, caveats }: BacktestReport): string {
  if (source.kind === 'recorded') {
    return NO_CHECK;
  }
  return [`${source.name} has no row to judge by`, ...caveats].join('\n');
}

/** Exit code 1 when a policy is breached. Throws CannotRun where that is unknown: a guard without data must not pass. */
function judge(shell: Shell, policies: readonly PolicyResult[], report: BacktestReport, leftOut: number) {
  if (policies.length > 0 && leftOut > 0) {
    throw new CannotRun(
      `--fail-on: ${counted(leftOut, 'row')} left out, and what they would have shown is not known; the notes say why`,
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

/** Which cases to judge: recorded checks, or the rows of `file` where it is named. */
export interface CaseOptions extends InputOptions, SelectionOptions {
  readonly file?: string;
  readonly good?: readonly string[];
  readonly bad?: readonly string[];
  readonly live?: boolean;
}

export interface ReplayOptions extends CaseOptions {
  /** Shown for each reason of a flip. */
  readonly examples: number;
  readonly costRatio?: number;
}

/** Judges the cases that the options name by both sets. `leftOut`: rows that could not be read and are no cases. */
export function replay(shell: Shell, rules: ComparedRules, options: ReplayOptions) {
  const { file } = options;
  return file === undefined
    ? replayRecords(shell, rules, options)
    : replayFile(shell, rules, { ...options, file });
}

/** `total` is null when it cannot be known; `done` tells how much of it is done where it is not a number of cases. */
function judgeCases(
  shell: Shell,
  { sets }: ComparedRules,
  { examples, costRatio = 1 }: ReplayOptions,
  source: CaseSource,
  total: number | null,
  done?: () => number,
) {
  return withProgress(shell, 'replaying', total, (progress) => {
    const onProgress = (more: number) => progress.advance(more, done?.());
    return runBacktest({ sets, source, examples, costRatio, onProgress });
  });
}

function replayRecords(shell: Shell, rules: ComparedRules, options: ReplayOptions) {
  return withStorage(shell, async ({ loaded, storage }) => {
    const selection = await selectionOf(storage, options);
    const last = await storage.ruleVersions.last();
    const source: CaseSource = {
      kind: 'recorded',
      name: withoutPassword(loaded.config.storage.url),
      cases: recordedCases(storage.checks.pages(selection), rules.collector.catalogue),
      caveats: () => [...unseenByReplay(rules.sets), ...notInForce(shell, rules, last)],
    };
    // Only a bar on a terminal needs the count, which takes a second for a million checks.
    const total = shell.terminal && (await storage.checks.count(selection));
    return { report: await judgeCases(shell, rules, options, source, total), leftOut: 0 };
  });
}

/** Where the service has refused the rules directory, or has not taken it yet, other rules are in force than those of the directory. */
function notInForce(
  shell: Shell,
  { loaded, dir, sources }: ComparedRules,
  last: RuleVersion | undefined,
): readonly string[] {
  // `--dir` names a draft, and what is published in a database is in force.
  if (shell.options.dir !== undefined || loaded.config.rules.source === 'database') return [];
  if (last === undefined || last.digest === digestOf(sources.files)) return [];
  return [
    `"in force" means the rules in ${dir} here, and version ${last.version}, which was put in force last, has others: see "postern rules status"`,
  ];
}

async function replayFile(
  shell: Shell,
  rules: ComparedRules,
  options: ReplayOptions & { readonly file: string },
) {
  const { loaded, collector, providerOptions, stores, sets } = rules;
  const input = await openInput(shell, options.file, options);
  const { name, totalBytes, bytes } = input;
  const { lists } = loaded.config;
  await using keptLists = await openListStore(loaded.config);
  const downloads = new DownloadedLists(keptLists.store, lists.urls, quietLog(shell));
  await using _stored = options.live ? await openStored(stores, loaded.config) : null;
  const collect = await collectForBoth({
    collector,
    inputs: { options: providerOptions, downloads: () => downloads.load() },
    ruleSets: { base: sets.base.ruleSet, candidate: sets.candidate.ruleSet },
    world: options.live ? 'live' : 'local',
  });
  const faults = new RowFaults();
  const { catalogue } = collector;
  const words = new LabelWords(options);
  const { columns = [] } = options;
  const key = await readBucketKey(shell, loaded.config, [sets.base.ruleSet, sets.candidate.ruleSet]);
  const buckets = new RolloutBuckets();
  if (key) buckets.open(key);
  const bucketOf = (canonical: string) => buckets.of(canonical);
  const rows = { ...input, columns, words, catalogue, collect, bucketOf, faults };
  const signups = await openLabelledFile(rows);
  let withFacts = 0;
  async function* cases() {
    for await (const one of signups) {
      // One object for both sides where the row brings its facts, or the sets make the same facts of an address.
      if (one.facts === one.candidateFacts) withFacts += 1;
      yield one;
    }
  }
  const source: CaseSource = {
    kind: 'file',
    name,
    cases: cases(),
    caveats: () => [
      ...(withFacts > 0 ? unseenByReplay(sets) : []),
      ...faults.describe(name).map((fault) => `left out: ${fault}`),
    ],
  };
  const report = await judgeCases(shell, rules, options, source, totalBytes, bytes);
  return { report, leftOut: faults.count };
}
