import { whole } from '../../lib/statistics.ts';
import type { PolicyResult } from '../../rule-lab/backtest/fail-on.ts';
import { type Reason, reasonsOf } from '../../rule-lab/backtest/flips.ts';
import type { BacktestReport } from '../../rule-lab/backtest/run-backtest.ts';
import { totalOf } from '../../rule-lab/backtest/tally.ts';
import { describeFlipCounts, type FlipDirection, ledgerTable } from '../render/outcome.ts';
import { type Cell, escapeMarkdown, renderMarkdownTable } from '../render/table.ts';
import {
  confusionTable,
  describeCases,
  describeIdle,
  describePolicy,
  describeSweep,
  examplesOf,
  figuresTable,
  rulesTable,
} from './print-backtest.ts';

/** Limits for each direction of flips: a comment on GitHub takes 65,536 characters, a ledger some 1,000. `--json` has them all. */
const MOST_REASONS = 20;
const MOST_EXAMPLES_OF_A_REASON = 3;
const MOST_LEDGERS = 5;
/** The table has every tenth threshold, besides the candidate's own and the cheapest. */
const THRESHOLD_STEP = 10;

/**
 * The report as Markdown for a pull request: what the terminal shows, and nothing of a signup besides. The same report gives the same
 * octets. Every text from rules, records and files is escaped.
 */
export function renderBacktestMarkdown(report: BacktestReport, policies: readonly PolicyResult[]): string {
  const { base, candidate } = report.rule_sets;
  const rules = rulesTable(report.rules);
  const blocks = [
    `## Backtest: ${escapeMarkdown(base.directory)} → ${escapeMarkdown(candidate.directory)}`,
    renderMarkdownTable({
      headings: ['', 'directory', 'rule set'],
      rows: [
        ['in force', base.directory, base.ruleset],
        ['candidate', candidate.directory, candidate.ruleset],
      ],
    }),
    escapeMarkdown(describeCases(report)),
    renderUnjudged(report),
    listOf(
      policies.map((result) => (result.is_breached ? '❌ ' : '') + escapeMarkdown(describePolicy(result))),
    ),
    listOf(report.caveats.map((caveat) => `**note:** ${escapeMarkdown(caveat)}`)),
    '### Decisions',
    renderMarkdownTable(confusionTable(report)),
    renderMarkdownTable(figuresTable(report)),
    ...renderFlips(report, 'to_block'),
    ...renderFlips(report, 'to_allow'),
    '### Rules',
    rules.rows.length === 0 ? '' : renderMarkdownTable(rules),
    escapeMarkdown(describeIdle(report.rules)),
    '### Thresholds',
    escapeMarkdown(describeSweep(report)),
    renderThresholds(report),
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}

/** A GitHub alert above all figures: what the figures leave out. */
function renderUnjudged({ unjudged }: BacktestReport): string {
  if (unjudged.length === 0) return '';
  return ['[!CAUTION]', ...unjudged.map((line) => `**${escapeMarkdown(line)}**\\`)]
    .map((line) => `> ${line}`)
    .join('\n');
}

function listOf(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

function renderFlips(report: BacktestReport, direction: FlipDirection): readonly string[] {
  const reasons = reasonsOf(report, direction);
  const shown = reasons.slice(0, MOST_REASONS);
  const title = `### ${escapeMarkdown(describeFlipCounts(direction, report.flips[direction].counts))}`;
  if (shown.length === 0) return [title];
  return [
    title,
    renderMarkdownTable({
      headings: ['why', '>cases', '>good', '>bad', '>unlabelled'],
      rows: shown.map(({ parts, counts }) => [
        parts,
        ...[totalOf(counts), counts.good, counts.bad, counts.unlabelled].map(whole),
      ]),
    }),
    reasons.length > shown.length ? `… ${reasons.length - shown.length} reasons more: \`--json\`` : '',
    renderExamples(shown),
    ...shown.slice(0, MOST_LEDGERS).flatMap(renderLedger),
  ];
}

function renderExamples(reasons: readonly Reason[]): string {
  const rows = reasons.flatMap((reason) =>
    examplesOf(reason)
      .slice(0, MOST_EXAMPLES_OF_A_REASON)
      .map(({ example: { id, created_at, domain, label }, score }): Cell[] => [
        id,
        created_at,
        domain,
        label,
        score,
        reason.parts,
      ]),
  );
  if (rows.length === 0) return '';
  return renderMarkdownTable({ headings: ['example', 'at', 'domain', 'label', '>score', 'why'], rows });
}

/** The ledger of the first example, folded. GitHub reads no Markdown in the `<summary>` line, so no text from outside stands there. */
function renderLedger(reason: Reason): readonly string[] {
  const [first] = examplesOf(reason);
  if (!first) return [];
  const { id, ledger } = first.example;
  return [
    '<details><summary>How the candidate decides an example</summary>',
    `${escapeMarkdown(id)}, ${escapeMarkdown(reason.parts.join(', '))}`,
    renderMarkdownTable(ledgerTable(ledger.candidate)),
    '</details>',
  ];
}

/** What the candidate would do with other thresholds of BLOCK. */
function renderThresholds({ sweep: { candidate } }: BacktestReport): string {
  const { points, threshold: own, cheapest } = candidate;
  const shown = points.filter(
    ({ threshold }) => threshold % THRESHOLD_STEP === 0 || threshold === own || threshold === cheapest,
  );
  return renderMarkdownTable({
    headings: ['>BLOCK from', '>good', '>bad', '>unlabelled', '>cost', ''],
    rows: shown.map(({ threshold, blocked, cost }) => [
      threshold,
      ...[blocked.good, blocked.bad, blocked.unlabelled].map(whole),
      cost ?? '–',
      [...(threshold === own ? ["the candidate's"] : []), ...(threshold === cheapest ? ['cheapest'] : [])],
    ]),
  });
}
