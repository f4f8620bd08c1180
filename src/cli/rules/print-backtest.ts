import { figure, whole } from '../../lib/statistics.ts';
import { describeCostRatio, describeCounts } from '../../rule-lab/backtest/describe-counts.ts';
import type { PolicyResult } from '../../rule-lab/backtest/fail-on.ts';
import { type Reason, reasonsOf } from '../../rule-lab/backtest/flip-reasons.ts';
import type { BacktestReport, RuleFigures, RuleSideFigures, Side } from '../../rule-lab/backtest/report.ts';
import { type Counts, totalOf } from '../../rule-lab/backtest/tally.ts';
import { renderCaveats } from '../render/caveats.ts';
import { describeShare, percent } from '../render/figures.ts';
import { renderLedger } from '../render/ledger.ts';
import { indent } from '../render/outcome-line.ts';
import { printable } from '../render/printable.ts';
import { type Cell, renderTable } from '../render/table.ts';
import type { Shell } from '../shell.ts';

/** Reasons of flips that a screen shows; `--json` and `--html` have them all. */
const REASONS = 5;
/** Scores in one bar of the histogram, and characters of the longest bar. */
const BAR_SCORES = 10;
const BAR_WIDTH = 30;

/** One screen, from what was compared to what it cost. */
export function printBacktest(shell: Shell, report: BacktestReport, policies: readonly PolicyResult[]): void {
  const blocks = [
    `${describeSets(shell, report)}\n${describeCases(report)}`,
    renderConfusion(shell, report),
    renderFigures(shell, report),
    renderFlips(shell, report, 'to_block'),
    renderFlips(shell, report, 'to_allow'),
    renderRules(shell, report.rules),
    renderScores(shell, report),
    describeSweep(report),
    renderCaveats(shell, report.caveats),
    policies.map((result) => describePolicy(shell, result)).join('\n'),
  ];
  printBlocks(shell, blocks);
}

/** What the change does to the cases, without how each rule did. */
export function printEffect(shell: Shell, report: BacktestReport): void {
  const blocks = [
    describeCases(report),
    renderFigures(shell, report),
    renderFlips(shell, report, 'to_block'),
    renderFlips(shell, report, 'to_allow'),
    renderCaveats(shell, report.caveats),
  ];
  printBlocks(shell, blocks);
}

function printBlocks(shell: Shell, blocks: readonly string[]): void {
  shell.print(blocks.filter((block) => block !== '').join('\n\n'));
}

function describeSets(shell: Shell, { rule_sets: { base, candidate } }: BacktestReport): string {
  const names = `${base.directory} (${base.ruleset}) → ${candidate.directory} (${candidate.ruleset})`;
  return shell.paint('bold', printable(names));
}

function describeCases({ source, cases }: BacktestReport): string {
  const period =
    source.first === null ? '' : `, ${source.first.slice(0, 10)} to ${source.last?.slice(0, 10)}`;
  const what = source.kind === 'recorded' ? 'recorded checks' : `rows of ${source.name}`;
  const censored =
    cases.censored === 0 ? '' : `; ${whole(cases.censored)} of these were blocked then and have no outcome`;
  return printable(`${whole(cases.total)} ${what}${period}: ${describeCounts(cases)}${censored}`);
}

function renderConfusion(shell: Shell, { confusion }: BacktestReport): string {
  const cell = (side: Side, action: 'ALLOW' | 'BLOCK', label: keyof Counts) =>
    whole(confusion[side][action][label]);
  return renderTable(
    shell,
    ['', '>in force: ALLOW', '>BLOCK', '>candidate: ALLOW', '>BLOCK'],
    (['good', 'bad', 'unlabelled'] as const).map((label) => [
      label,
      ...(['base', 'candidate'] as const).flatMap((side) => [
        cell(side, 'ALLOW', label),
        cell(side, 'BLOCK', label),
      ]),
    ]),
  );
}

function renderFigures(shell: Shell, { figures, sweep }: BacktestReport): string {
  const rows: [string, keyof BacktestReport['figures']['base']][] = [
    ['blocked', 'block_rate'],
    ['good that are blocked (false positives)', 'false_positive_rate'],
    ['bad that are blocked (recall)', 'recall'],
    ['blocked that are bad (precision)', 'precision'],
  ];
  const { base, candidate } = figures;
  return renderTable(
    shell,
    ['share, 95 % interval', '>in force', '>candidate'],
    [
      ...rows.map(([name, key]): Cell[] => [name, describeShare(base[key]), describeShare(candidate[key])]),
      ['area under the ROC curve of the score', figure(sweep.base.auc), figure(sweep.candidate.auc)],
    ],
  );
}

function renderFlips(shell: Shell, report: BacktestReport, direction: keyof BacktestReport['flips']): string {
  const { counts } = report.flips[direction];
  const reasons = reasonsOf(report, direction);
  const name = direction === 'to_block' ? 'ALLOW → BLOCK' : 'BLOCK → ALLOW';
  if (reasons.length === 0) return `${name}: none`;
  const more =
    reasons.length > REASONS ? [`  … ${reasons.length - REASONS} reasons more: --json or --html`] : [];
  return [
    shell.paint('bold', `${name}: ${whole(totalOf(counts))} (${describeCounts(counts)})`),
    ...reasons.slice(0, REASONS).map((reason) => describeReason(shell, reason)),
    ...more,
  ].join('\n');
}

function describeReason(shell: Shell, { parts, counts, groups }: Reason): string {
  const lines = [`  ${whole(totalOf(counts))} × ${parts.join(', ')}  (${describeCounts(counts)})`];
  const group = groups.find(({ examples }) => examples.length > 0);
  const example = group?.examples[0];
  if (group && example) {
    const { id, created_at, domain, label, ledger } = example;
    const known = [id, created_at, domain, label].filter((part) => part !== null).join('  ');
    lines.push(
      `    ${known}  score ${group.score.base} → ${group.score.candidate}`,
      indent(indent(indent(renderLedger(shell, ledger.candidate)))),
    );
  }
  return lines.map(printableLines).join('\n');
}

/** Those that fire most come first; those that never fire on either side are named in a line. */
function renderRules(shell: Shell, rules: readonly RuleFigures[]): string {
  const firesOf = ({ base, candidate }: RuleFigures) =>
    Math.max(base?.fires.count ?? 0, candidate?.fires.count ?? 0);
  const fired = rules.filter((rule) => firesOf(rule) > 0).toSorted((a, b) => firesOf(b) - firesOf(a));
  const idle = rules.filter((rule) => firesOf(rule) === 0).map(({ id }) => id);
  const blocks = [
    ...(fired.length === 0 ? [] : [renderFired(shell, fired)]),
    ...(idle.length === 0 ? [] : [`never fired: ${idle.join(', ')}`]),
  ];
  return blocks.join('\n');
}

function renderFired(shell: Shell, rules: readonly RuleFigures[]): string {
  const rows = rules.flatMap(({ id, base, candidate }): Cell[][] => {
    const shown = candidate ?? base;
    if (!shown) return [];
    const points = shown.mode === 'shadow' ? `(${shown.points})` : change(base?.points, candidate?.points);
    const remark = base === null ? ' (new)' : candidate === null ? ' (gone)' : '';
    return [
      [
        `${id}${remark}`,
        points,
        percent(shown.fires.share),
        describeShare(shown.precision),
        figure(shown.s_o),
        ...bothOf(base, candidate, ({ decisive }) => totalOf(decisive)),
        whole(totalOf(shown.unique)),
        whole(shown.stood_aside),
      ],
    ];
  });
  const headings = [
    'rule',
    '>points',
    '>fires',
    '>precision',
    '>S/O',
    '>decisive: in force',
    '>candidate',
    '>alone',
    '>unknown',
  ];
  return renderTable(shell, headings, rows);
}

function bothOf(
  base: RuleSideFigures | null,
  candidate: RuleSideFigures | null,
  pick: (figures: RuleSideFigures) => number,
): readonly [string, string] {
  return [base ? whole(pick(base)) : '', candidate ? whole(pick(candidate)) : ''];
}

function change(before: number | null | undefined, after: number | null | undefined): string {
  const [from, to] = [before ?? '', after ?? ''].map(String);
  return from === to || from === '' || to === '' ? `${from === '' ? to : from}` : `${from} → ${to}`;
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
  return renderTable(shell, ['score', '>in force', '', '>candidate', ''], rows);
}

function describeSweep({ sweep: { candidate }, cases }: BacktestReport): string {
  const { threshold, cheapest, cost_ratio: ratio, points } = candidate;
  if (cheapest === null) {
    return 'Which threshold is best needs labels of both kinds: postern labels import brings them.';
  }
  const at = (score: number | null) => points.find((point) => point.threshold === score);
  const describe = (score: number | null) => {
    const point = at(score);
    if (!point) return '';
    const { blocked, cost } = point;
    return `${score}, which blocks ${whole(blocked.bad)} of ${whole(cases.bad)} bad and ${whole(blocked.good)} of ${whole(cases.good)} good, at a cost of ${cost} per labelled case`;
  };
  const best = `If a good signup turned away costs as much as ${describeCostRatio(ratio)} let in, the best threshold of the candidate is ${describe(cheapest)}`;
  return threshold === null || threshold === cheapest
    ? `${best}.`
    : `${best}. Its own is ${describe(threshold)}.`;
}

function describePolicy(shell: Shell, { policy, measured, is_breached }: PolicyResult): string {
  if (is_breached === null) return `--fail-on ${policy}: no labelled case tells`;
  const style = is_breached ? 'red' : 'green';
  return shell.paint(style, `--fail-on ${policy}: ${is_breached ? 'breached' : 'not so'}, it is ${measured}`);
}

function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
