import { scaleLinear } from 'd3-scale';
import type { Label } from '../../../labels/label.ts';
import { type Share, whole } from '../../../lib/statistics.ts';
import { type BacktestReport, type BySide, type Figures, SIDES } from '../report.ts';
import { interval, percent, SIDE_NAMES } from './figures.ts';
import { html, type Markup } from './markup.ts';
import { at, drawing } from './plot.ts';
import { splitBy } from './split-by.ts';
import { lackOf, missingLabels } from './teaching.ts';

interface KeyFigure {
  readonly id: keyof Figures;
  readonly name: string;
  readonly meaning: string;
  /** Labels without which it means nothing. */
  readonly needs: readonly Label[];
}

const FIGURES: readonly KeyFigure[] = [
  { id: 'block_rate', name: 'Blocked', meaning: 'BLOCK among all cases', needs: [] },
  { id: 'false_positive_rate', name: 'False positives', meaning: 'BLOCK among the good', needs: ['good'] },
  { id: 'recall', name: 'Recall', meaning: 'BLOCK among the bad', needs: ['bad'] },
  { id: 'precision', name: 'Precision', meaning: 'bad among the labelled BLOCK', needs: ['good', 'bad'] },
];

/** Each figure with its interval, the rules in force above the candidate, on a scale of its own. */
export function renderKeyFigures(report: BacktestReport): Markup {
  const { figures } = report;
  const lacks = missingLabels(report);
  const [told, untold] = splitBy(FIGURES, ({ needs }) => needs.every((label) => !lacks.includes(label)));
  const shown = told.filter(({ id }) => SIDES.some((side) => figures[side][id].share !== null));
  return html`
    <section aria-labelledby="figures">
      <h2 id="figures">Key figures</h2>
      <div class="columns four">
        ${shown.map((each) => renderFigure(each, { base: figures.base[each.id], candidate: figures.candidate[each.id] }))}
      </div>
      ${shown.length > 0 && html`<p class="hint">Dots are the shares, bars Wilson's intervals at 95 %. Each figure has its own scale. Both sets judged the same cases: the flips below tell more about the difference than intervals that overlap.</p>`}
      ${shown.length < told.length && html`<p class="lack">Neither set blocks a labelled case: there is no precision to show.</p>`}
      ${untold.length > 0 && lackOf(report, `${listed(untold.map(({ name }) => name))} ${untold.length === 1 ? 'needs' : 'need'}`)}
    </section>`;
}

/** `A, B and C` */
function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function renderFigure({ id, name, meaning }: KeyFigure, shares: BySide<Share>): Markup {
  return html`
    <figure class="card">
      <figcaption><h3>${name}</h3><small>${meaning}</small></figcaption>
      ${drawIntervals(id, name, shares)}
      <dl class="sides">
        ${SIDES.map((side) => {
          const share = shares[side];
          return html`
            <div>
              <dt><span class="dot ${side}"></span>${SIDE_NAMES[side]}</dt>
              <dd><strong>${percent(share.share)}</strong>
                ${share.share !== null && html`<small>${interval(share)}</small>`}<small>${whole(share.count)} of ${whole(share.of)}</small></dd>
            </div>`;
        })}
      </dl>
    </figure>`;
}

const SIZE = { width: 280, height: 84 };
const ROWS = { base: 18, candidate: 42 };

function drawIntervals(id: string, name: string, shares: BySide<Share>): Markup {
  const known = SIDES.filter((side) => shares[side].share !== null);
  const low = Math.min(...known.map((side) => shares[side].low));
  const high = Math.max(...known.map((side) => shares[side].high));
  // From zero, unless that would press both into a corner.
  const from = low < 0.5 * high ? 0 : low;
  const scale = scaleLinear([from, high === from ? from + 0.01 : high], [16, SIZE.width - 20]).nice(4);
  const rows = known.map((side) => {
    const share = shares[side];
    const y = ROWS[side];
    return html`
      <line class="interval ${side}" x1="${at(scale(share.low))}" x2="${at(scale(share.high))}" y1="${y}" y2="${y}"/>
      <circle class="mark ${side}" cx="${at(scale(share.share ?? 0))}" cy="${y}" r="5"/>`;
  });
  // As many places as ticks beside each other need to differ.
  const describe = scale.tickFormat(3, '%');
  return drawing({
    id: `figure-${id.replaceAll('_', '-')}`,
    title: `${name}, in force and candidate`,
    description: known
      .map((side) => `${SIDE_NAMES[side]} ${percent(shares[side].share)}, interval ${interval(shares[side])}`)
      .join('; '),
    ...SIZE,
    content: html`
      ${scale.ticks(3).map(
        (tick) => html`
          <line class="grid" x1="${at(scale(tick))}" x2="${at(scale(tick))}" y1="4" y2="58"/>
          <text class="tick" x="${at(scale(tick))}" y="76" text-anchor="middle">${describe(tick)}</text>`,
      )}
      ${rows}`,
  });
}
