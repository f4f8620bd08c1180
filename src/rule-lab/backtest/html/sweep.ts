import { figure, whole } from '../../../lib/statistics.ts';
import { describeCostRatio } from '../describe-counts.ts';
import { type BacktestReport, SIDES, type Side } from '../report.ts';
import { percent, SIDE_NAMES } from './figures.ts';
import { type Content, html, type Markup } from './markup.ts';
import { drawCost, drawPrecision, drawRoc, pointAt } from './sweep-plots.ts';
import { lackOf, missingLabels } from './teaching.ts';

/** What BLOCK from another score on would have done. */
export function renderSweep(report: BacktestReport): Markup {
  return html`
    <section aria-labelledby="sweep">
      <h2 id="sweep">Where BLOCK might begin</h2>
      ${
        missingLabels(report).length > 0
          ? lackOf(report, 'The curves and the cost of each threshold need')
          : renderCurves(report)
      }
    </section>`;
}

function renderCurves(report: BacktestReport): Markup {
  const { cost_ratio: ratio } = report.sweep.candidate;
  return html`
    <p>${adviceOf(report)}</p>
    <ul class="legend">
      <li><span class="swatch line candidate"></span>candidate</li>
      <li><span class="swatch line base"></span>in force</li>
      <li><span class="sign">●</span>where BLOCK begins now</li>
      <li><span class="sign">◆</span>where the candidate's would be cheapest</li>
    </ul>
    <div class="columns three">
      <figure><figcaption>ROC</figcaption>${drawRoc(report)}</figure>
      <figure><figcaption>Precision and recall</figcaption>${drawPrecision(report)}</figure>
      <figure><figcaption>Cost, 1 good turned away = ${ratio} bad let in</figcaption>${drawCost(report)}</figure>
    </div>
    <p class="hint">The cost is counted in bad signups let in, for each labelled case. Forced actions stay as they are. Filled marks are the candidate's, the hollow one is in force; numbers beside them are scores. Where the cost rises beyond its plot it is cut off; the table has it.</p>
    ${renderSummary(report)}
    ${renderAll(report)}`;
}

function adviceOf({ sweep, cases }: BacktestReport): string {
  const { threshold, cheapest, cost_ratio: ratio } = sweep.candidate;
  const best = pointAt(sweep.candidate, cheapest);
  const now = pointAt(sweep.candidate, threshold);
  const begin = `If one good signup turned away costs as much as ${describeCostRatio(ratio)} let in, the candidate is cheapest with BLOCK from ${cheapest}`;
  if (best === undefined || now === undefined)
    return `${begin}. Its action is not one score alone, so there is no present threshold to mark.`;
  if (threshold === cheapest || now.cost === best.cost)
    return `${begin}${threshold === cheapest ? ', where it begins now' : `; from ${threshold}, as now, it costs the same`}.`;
  const caught = best.blocked.bad - now.blocked.bad;
  const turned = best.blocked.good - now.blocked.good;
  const change = (count: number, all: number, noun: string) =>
    count === 0
      ? `as many of ${whole(all)} ${noun}`
      : `${whole(Math.abs(count))} ${count < 0 ? 'fewer' : 'more'} of ${whole(all)} ${noun}`;
  return `${begin}, not from ${threshold} as now: it would block ${change(caught, cases.bad, 'bad')} and ${change(turned, cases.good, 'good')}.`;
}

function renderSummary(report: BacktestReport): Markup {
  const { sweep } = report;
  const row = (side: Side, name: string, threshold: number | null): Content => {
    const point = pointAt(sweep[side], threshold);
    return html`
      <tr>
        <th scope="row"><span class="dot ${side}"></span>${SIDE_NAMES[side]}, ${name}</th>
        <td class="number">${threshold ?? '–'}</td>
        ${renderPoint(report, point)}
        <td class="number">${figure(sweep[side].auc)}</td>
      </tr>`;
  };
  return html`
    <div class="scroll" role="region" aria-label="Present and cheapest thresholds" tabindex="0">
      <table>
        <thead><tr>
          <th scope="col">rules</th><th scope="col" class="number">BLOCK from</th>
          <th scope="col" class="number">good blocked</th><th scope="col" class="number">bad blocked</th>
          <th scope="col" class="number">unlabelled blocked</th><th scope="col" class="number">cost per labelled case</th>
          <th scope="col" class="number">area under ROC</th>
        </tr></thead>
        <tbody>${SIDES.flatMap((side) => [row(side, 'now', sweep[side].threshold), row(side, 'cheapest', sweep[side].cheapest)])}</tbody>
      </table>
    </div>`;
}

function renderPoint({ cases }: BacktestReport, point: ReturnType<typeof pointAt>): Content {
  if (point === undefined) return ['–', '–', '–', '–'].map((dash) => html`<td class="number">${dash}</td>`);
  const { good, bad, unlabelled } = point.blocked;
  return [
    html`<td class="number">${whole(good)} <small>${percent(good / cases.good)}</small></td>`,
    html`<td class="number">${whole(bad)} <small>${percent(bad / cases.bad)}</small></td>`,
    html`<td class="number">${whole(unlabelled)}</td>`,
    html`<td class="number">${point.cost}</td>`,
  ];
}

/** Thresholds beside each other that block the same are one line, under the highest of them. */
function renderAll(report: BacktestReport): Markup {
  const { base, candidate } = report.sweep;
  const textOf = (place: number) =>
    JSON.stringify([base.points[place]?.blocked, candidate.points[place]?.blocked]);
  const rows = candidate.points.flatMap((point, place) => {
    if (place + 1 < candidate.points.length && textOf(place) === textOf(place + 1)) return [];
    const before = base.points[place];
    const cells = [before, point].map(
      (side) =>
        html`<td class="number">${whole(side?.blocked.good ?? 0)}</td><td class="number">${whole(side?.blocked.bad ?? 0)}</td><td class="number">${side?.cost}</td>`,
    );
    return [html`<tr><th scope="row" class="number">${point.threshold}</th>${cells}</tr>`];
  });
  return html`
    <details><summary>Every threshold as a table</summary>
      <div class="scroll" role="region" aria-label="Every threshold" tabindex="0">
        <table>
          <thead>
            <tr><td></td><th scope="colgroup" colspan="3">in force</th><th scope="colgroup" colspan="3">candidate</th></tr>
            <tr><th scope="col" class="number">BLOCK from</th>${SIDES.map(() => html`<th scope="col" class="number">good</th><th scope="col" class="number">bad</th><th scope="col" class="number">cost</th>`)}</tr>
          </thead>
          <tbody>${rows}</tbody>
        </table>
      </div>
    </details>`;
}
