import { curveStepAfter, line } from 'd3-shape';
import { whole } from '../../../lib/statistics.ts';
import { COUNT_LABELS } from '../describe-counts.ts';
import { type BacktestReport, type BySide, SIDES } from '../report.ts';
import type { Counts } from '../tally.ts';
import { percent, SIDE_NAMES } from './figures.ts';
import { html, type Markup } from './markup.ts';
import { AREA, across, at, drawPlot, upwardsByRoot } from './plot.ts';
import { drawThresholds } from './thresholds.ts';

/** Scores in one bar; 100 has a bar of its own, since all that is bounded ends there. */
const BAR = 5;
const BARS = 100 / BAR + 1;
const TICKS = [0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1];

type Label = (typeof COUNT_LABELS)[number];

/** How the scores lie, one plot for each label: the candidate as bars, the rules in force as a line. */
export function renderHistograms(report: BacktestReport): Markup {
  const labels = COUNT_LABELS.filter((label) => report.cases[label] > 0);
  return html`
    <section aria-labelledby="scores">
      <h2 id="scores">How the scores lie</h2>
      ${labels.length === 0 ? html`<p>There is no case to show a score of.</p>` : renderPlots(report, labels)}
    </section>`;
}

function renderPlots(report: BacktestReport, labels: readonly Label[]): Markup {
  return html`
    <ul class="legend">
      <li><span class="swatch bars"></span>candidate</li>
      <li><span class="swatch outline"></span>in force</li>
      <li><span class="swatch from candidate"></span>BLOCK from here, candidate</li>
      <li><span class="swatch from base"></span>BLOCK from here, in force</li>
    </ul>
    <div class="columns three">${labels.map((label) => renderLabel(report, label))}</div>
    <p class="hint">The height is the share of the cases of that label, on a square-root scale, so that rare scores stay visible beside frequent ones.</p>
    ${renderTable(report, labels)}`;
}

function renderLabel({ scores, cases, sweep }: BacktestReport, label: Label): Markup {
  const total = cases[label];
  const sharesOf = (side: keyof typeof scores) => barsOf(scores[side], label).map((count) => count / total);
  const shares = { base: sharesOf('base'), candidate: sharesOf('candidate') };
  const highest = Math.max(...shares.base, ...shares.candidate);
  const [x, y] = [across(0, BARS * BAR), upwardsByRoot(highest)];
  const steps = [...shares.base, shares.base.at(-1) ?? 0].map((share, bar): [number, number] => [
    bar * BAR,
    share,
  ]);
  const outline = line(curveOf(x, 0), curveOf(y, 1)).curve(curveStepAfter).digits(1)(steps);
  const bars = shares.candidate.map((share, bar) => {
    if (share === 0) return null;
    const [left, right, top] = [x(bar * BAR) + 1, x((bar + 1) * BAR) - 1, y(share)];
    return html`<rect class="bar ${label}" x="${at(left)}" width="${at(right - left)}" y="${at(top)}" height="${at(AREA.bottom - top)}"/>`;
  });
  return html`
    <figure>
      <figcaption><span class="key ${label}"></span>${whole(total)} ${label}</figcaption>
      ${drawPlot({
        id: `scores-${label}`,
        title: `Scores of the ${label} cases`,
        description: describe(shares, sweep),
        x: { scale: x, name: 'score', ticks: [0, 20, 40, 60, 80, 100], describe: String },
        y: {
          scale: y,
          name: `share of the ${label}`,
          ticks: TICKS.filter((share) => share <= highest),
          describe: (share) => `${Math.round(share * 100)}%`,
        },
        marks: html`${bars}<path class="outline" d="${outline}"/>${drawThresholds(sweep, x)}`,
      })}
    </figure>`;
}

function curveOf(scale: (value: number) => number, part: 0 | 1) {
  return (point: [number, number]) => scale(point[part]);
}

/** How many cases of a label each bar holds. */
function barsOf(scores: readonly Counts[], label: Label): readonly number[] {
  return Array.from({ length: BARS }, (_, bar) =>
    scores.slice(bar * BAR, (bar + 1) * BAR).reduce((sum, counts) => sum + counts[label], 0),
  );
}

function nameOf(bar: number): string {
  return bar === BARS - 1 ? '100' : `${bar * BAR} to ${(bar + 1) * BAR - 1}`;
}

function describe(shares: BySide<readonly number[]>, sweep: BacktestReport['sweep']): string {
  return SIDES.map((side) => {
    const threshold = sweep[side].threshold;
    const bars = shares[side].flatMap((share, bar) =>
      share > 0 ? [`${nameOf(bar)}: ${percent(share)}`] : [],
    );
    return `${SIDE_NAMES[side]}${threshold === null ? '' : `, BLOCK from ${threshold}`}: ${bars.join(', ')}`;
  }).join('. ');
}

function renderTable({ scores }: BacktestReport, labels: readonly Label[]): Markup {
  const columns = labels.flatMap((label) =>
    SIDES.map((side) => ({ label, side, bars: barsOf(scores[side], label) })),
  );
  const rows = Array.from({ length: BARS }, (_, bar) => bar).filter((bar) =>
    columns.some(({ bars }) => bars[bar] !== 0),
  );
  return html`
    <details><summary>The counts as a table</summary>
      <div class="scroll" role="region" aria-label="Counts of scores" tabindex="0">
        <table>
          <thead><tr><th scope="col">score</th>${columns.map(({ label, side }) => html`<th scope="col" class="number">${label}, ${SIDE_NAMES[side]}</th>`)}</tr></thead>
          <tbody>${rows.map((bar) => html`<tr><th scope="row">${nameOf(bar)}</th>${columns.map(({ bars }) => html`<td class="number">${whole(bars[bar] ?? 0)}</td>`)}</tr>`)}</tbody>
        </table>
      </div>
    </details>`;
}
