import { counted, figure, percent, shareOf, whole } from '../../lib/statistics.ts';
import type { Side } from '../../rule-lab/backtest/case.ts';
import type { PolicyResult } from '../../rule-lab/backtest/fail-on.ts';
import { describePeople, type RuleFigures, type RuleSideFigures } from '../../rule-lab/backtest/figures.ts';
import { type Reason, reasonsOf } from '../../rule-lab/backtest/flips.ts';
import type { BacktestReport } from '../../rule-lab/backtest/run-backtest.ts';
import { totalOf } from '../../rule-lab/backtest/tally.ts';
import {
  describeCounts,
  describeFlipCounts,
  describeShare,
  type FlipDirection,
  indent,
  renderLedger,
} from '../render/outcome.ts';
import { type Cell, printBlocks, renderCaveats, renderTable, type TableContent } from '../render/table.ts';
import { printable, type Shell } from '../shell.ts';

/** Reasons of flips that a screen shows; `--json` has them all. */
const REASONS = 5;
/** Scores in one bar of the histogram, and characters of the longest bar. */
const BAR_SCORES = 10;
const BAR_WIDTH = 30;

/** One screen, from what was compared to what it cost. */
export function printBacktest(shell: Shell, report: BacktestReport, policies: readonly PolicyResult[]): void {
  const names = describeSets(report.rule_sets);
  const rules = rulesTable(report.rules);
  printBlocks(shell, [
    `${shell.paint('bold', printable(names))}\n${printable(describeCases(report))}`,
    renderUnjudged(shell, report),
    renderTable(shell, confusionTable(report)),
    renderTable(shell, figuresTable(report)),
    renderFlips(shell, report, 'to_block'),
    renderFlips(shell, report, 'to_allow'),
    [rules.rows.length === 0 ? '' : renderTable(shell, rules), describeIdle(report.rules)]
      .filter(Boolean)
      .join('\n'),
    renderScores(shell, report),
    describeSweep(report),
    renderCaveats(shell, report.caveats),
    policies.map((result) => shell.paint(styleOf(result), describePolicy(result))).join('\n'),
  ]);
}

/** What the change does to the cases, without how each rule did. */
export function printEffect(shell: Shell, report: BacktestReport): void {
  printBlocks(shell, [
    printable(describeCases(report)),
    renderUnjudged(shell, report),
    renderTable(shell, figuresTable(report)),
    renderFlips(shell, report, 'to_block'),
    renderFlips(shell, report, 'to_allow'),
    renderCaveats(shell, report.caveats),
  ]);
}

/** What the figures leave out, printed before them. */
function renderUnjudged(shell: Shell, { unjudged }: BacktestReport): string {
  return unjudged.map((line) => shell.paint('red', printable(line))).join('\n');
}

export function describeSets({ base, candidate }: BacktestReport['rule_sets']): string {
  return `${base.directory} (${base.ruleset}) → ${candidate.directory} (${candidate.ruleset})`;
}

export function describeCases({ source, cases }: BacktestReport): string {
  const period =
    source.first === null ? '' : `, ${source.first.slice(0, 10)} to ${source.last?.slice(0, 10)}`;
  const { total } = cases;
  const what =
    source.kind === 'recorded'
      ? counted(total, 'recorded check')
      : `${counted(total, 'row')} of ${source.name}`;
  const censored =
    cases.censored === 0 ? '' : `; ${whole(cases.censored)} of these were blocked then and have no outcome`;
  return `${what}${period}: ${describeCounts(cases)}${censored}`;
}

export function confusionTable({ confusion }: BacktestReport): TableContent {
  return {
    headings: ['', '>in force: ALLOW', '>BLOCK', '>candidate: ALLOW', '>BLOCK'],
    rows: (['good', 'bad', 'unlabelled'] as const).map((label) => [
      label,
      ...(['base', 'candidate'] as const).flatMap((side) =>
        (['ALLOW', 'BLOCK'] as const).map((action) => whole(confusion[side][action][label])),
      ),
    ]),
  };
}

export function figuresTable({ figures, levels, cases, sweep }: BacktestReport): TableContent {
  const { base, candidate } = figures;
  const ofLevel = (side: Side, level: 'medium' | 'high') =>
    describeShare(shareOf(levels[side][level], cases.total));
  const shares = [
    ['blocked', 'block_rate'],
    ['good that are blocked (false positives)', 'false_positive_rate'],
    ['bad that are blocked (recall)', 'recall'],
    ['blocked that are bad (precision)', 'precision'],
  ] as const;
  return {
    headings: ['share, 95 % interval', '>in force', '>candidate'],
    rows: [
      ...shares.map(([name, key]) => [name, describeShare(base[key]), describeShare(candidate[key])]),
      ['level medium', ofLevel('base', 'medium'), ofLevel('candidate', 'medium')],
      ['level high', ofLevel('base', 'high'), ofLevel('candidate', 'high')],
      ['area under the ROC curve of the score', figure(sweep.base.auc), figure(sweep.candidate.auc)],
    ],
  };
}

function renderFlips(shell: Shell, report: BacktestReport, direction: FlipDirection): string {
  const reasons = reasonsOf(report, direction);
  const title = describeFlipCounts(direction, report.flips[direction].counts);
  if (reasons.length === 0) return title;
  return [
    shell.paint('bold', title),
    ...reasons.slice(0, REASONS).map((reason) => describeReason(shell, reason)),
    ...(reasons.length > REASONS ? [`  … ${reasons.length - REASONS} reasons more: --json`] : []),
  ].join('\n');
}

function describeReason(shell: Shell, reason: Reason): string {
  const { parts, counts } = reason;
  const lines = [`  ${whole(totalOf(counts))} × ${parts.join(', ')}  (${describeCounts(counts)})`];
  const [shown] = examplesOf(reason);
  if (shown) {
    const { id, created_at, domain, label, ledger } = shown.example;
    const known = [id, created_at, domain, label].filter((part) => part !== null).join('  ');
    lines.push(
      `    ${known}  score ${shown.score}`,
      indent(indent(indent(renderLedger(shell, ledger.candidate)))),
    );
  }
  return lines.flatMap((line) => line.split('\n').map(printable)).join('\n');
}

/** Cases that flip for a reason, each with its score before and after. */
export function examplesOf({ groups }: Reason) {
  return groups.flatMap(({ examples, score }) =>
    examples.map((example) => ({ example, score: `${score.base} → ${score.candidate}` })),
  );
}

const firesOf = ({ base, candidate }: RuleFigures) =>
  Math.max(base?.fires.count ?? 0, candidate?.fires.count ?? 0);

/** The rules that fire on either side; those that fire most come first. */
export function rulesTable(rules: readonly RuleFigures[]): TableContent {
  const fired = rules.filter((rule) => firesOf(rule) > 0).toSorted((a, b) => firesOf(b) - firesOf(a));
  return {
    headings: [
      'rule',
      '>points',
      '>fires',
      '>precision',
      '>S/O',
      '>decisive: in force',
      '>candidate',
      '>alone',
      '>unknown',
    ],
    rows: fired.flatMap(({ id, base, candidate }) => {
      const shown = candidate ?? base;
      if (!shown) return [];
      const points = new Set([base, candidate].flatMap((side) => side?.points ?? []));
      const remark = base === null ? ' (new)' : candidate === null ? ' (gone)' : '';
      const people = describePeople({ base, candidate });
      const outside = shown.rollout ? totalOf(shown.rollout.outside) : 0;
      const notCounted = outside === 0 ? '' : `, fired outside in ${counted(outside, 'case')}`;
      const decisive = (side: RuleSideFigures | null) => (side ? whole(totalOf(side.decisive)) : '');
      return [
        [
          `${id}${people && ` (${people}${notCounted})`}${remark}`,
          shown.mode === 'shadow' ? `(${shown.points})` : [...points].join(' → '),
          percent(shown.fires.share),
          describeShare(shown.precision),
          figure(shown.s_o),
          decisive(base),
          decisive(candidate),
          whole(totalOf(shown.unique)),
          whole(shown.stood_aside),
        ],
      ];
    }),
  };
}

/** Names the rules that never fired; empty where there are none. A rule that could not be judged everywhere is left out. */
export function describeIdle(rules: readonly RuleFigures[]): string {
  const isJudged = ({ base, candidate }: RuleFigures) => !base?.unjudged && !candidate?.unjudged;
  const idle = rules.filter((rule) => firesOf(rule) === 0 && isJudged(rule)).map(({ id }) => id);
  return idle.length === 0 ? '' : `never fired: ${idle.join(', ')}`;
}

function renderScores(shell: Shell, { scores }: BacktestReport): string {
  const bars = (side: Side) =>
    Array.from({ length: BAR_SCORES + 1 }, (_, bar) =>
      scores[side]
        .slice(bar * BAR_SCORES, (bar + 1) * BAR_SCORES)
        .reduce((sum, counts) => sum + totalOf(counts), 0),
    );
  const [base, candidate] = [bars('base'), bars('candidate')];
  const most = Math.max(...base, ...candidate);
  const bar = (count: number) => '█'.repeat(Math.ceil((count / most) * BAR_WIDTH)).padEnd(BAR_WIDTH);
  const rows = base.map((count, place): Cell[] => {
    const from = place * BAR_SCORES;
    const name = from === BAR_SCORES ** 2 ? '100' : `${from} to ${from + BAR_SCORES - 1}`;
    const after = candidate[place] ?? 0;
    return [name, whole(count), bar(count), whole(after), bar(after)];
  });
  return renderTable(shell, { headings: ['score', '>in force', '', '>candidate', ''], rows });
}

export function describeSweep({ sweep: { candidate }, cases }: BacktestReport): string {
  const { threshold, cheapest, cost_ratio: ratio, points } = candidate;
  if (cheapest === null) {
    return 'Which threshold is best needs labels of both kinds: postern labels import brings them.';
  }
  const describe = (score: number) => {
    const point = points.find((each) => each.threshold === score);
    if (!point) return '';
    const { blocked, cost } = point;
    return `${score}, which blocks ${whole(blocked.bad)} of ${whole(cases.bad)} bad and ${whole(blocked.good)} of ${whole(cases.good)} good, at a cost of ${cost} per labelled case`;
  };
  const worth = ratio === 1 ? 'one bad one' : `${ratio} bad ones`;
  const best = `If a good signup turned away costs as much as ${worth} let in, the best threshold of the candidate is ${describe(cheapest)}`;
  return threshold === null || threshold === cheapest
    ? `${best}.`
    : `${best}. Its own is ${describe(threshold)}.`;
}

export function describePolicy({ policy, measured, is_breached }: PolicyResult): string {
  if (is_breached === null && measured === null) return `--fail-on ${policy}: no labelled case tells`;
  if (is_breached === null)
    return `--fail-on ${policy}: cannot be told, as rules could not be judged; it is ${measured} without them`;
  return `--fail-on ${policy}: ${is_breached ? 'breached' : 'not so'}, it is ${measured}`;
}

function styleOf({ is_breached }: PolicyResult) {
  if (is_breached === null) return undefined;
  return is_breached ? 'red' : 'green';
}
