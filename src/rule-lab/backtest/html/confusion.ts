import { signed, whole } from '../../../lib/statistics.ts';
import { ACTIONS } from '../../../rules/decision.ts';
import { COUNT_LABELS } from '../describe-counts.ts';
import { type BacktestReport, SIDES, type Side } from '../report.ts';
import { percent, SIDE_NAMES } from './figures.ts';
import { type Content, html, type Markup } from './markup.ts';
import { missingLabels } from './teaching.ts';

/** What a decision was that should have been the other one. */
const MISTAKES: Readonly<Record<string, string>> = {
  'good BLOCK': 'turned away',
  'bad ALLOW': 'let in',
};

export function renderConfusion(report: BacktestReport): Markup {
  return html`
    <section aria-labelledby="confusion">
      <h2 id="confusion">What was decided, against what it was</h2>
      <div class="columns two">${SIDES.map((side) => renderSide(report, side))}</div>
      <p class="hint">Each share is of its row.${missingLabels(report).length < 2 && ' Framed cells are the mistakes: good signups turned away, bad ones let in.'}</p>
    </section>`;
}

function renderSide({ confusion, cases }: BacktestReport, side: Side): Markup {
  const labels = COUNT_LABELS.filter((label) => cases[label] > 0);
  const rows = (labels.length === 0 ? COUNT_LABELS : labels).map((label) => {
    const cells = ACTIONS.map((action) => {
      const count = confusion[side][action][label];
      const change = side === 'candidate' ? count - confusion.base[action][label] : 0;
      return renderCell({ count, of: cases[label], change, mistake: MISTAKES[`${label} ${action}`] });
    });
    return html`<tr><th scope="row"><span class="key ${label}"></span>${label}</th>${cells}</tr>`;
  });
  return html`
    <div class="scroll" role="region" aria-label="Decisions of the rules ${SIDE_NAMES[side]}" tabindex="0">
      <table class="confusion">
        <caption>${side === 'base' ? 'Rules in force' : 'Candidate'}</caption>
        <thead><tr><td></td>${ACTIONS.map((action) => html`<th scope="col">${action}</th>`)}</tr></thead>
        <tbody>${rows}</tbody>
      </table>
    </div>`;
}

function renderCell(cell: {
  readonly count: number;
  readonly of: number;
  readonly change: number;
  readonly mistake: string | undefined;
}): Content {
  const { count, of, change, mistake } = cell;
  return html`
    <td class="${mistake ? 'mistake' : ''}">
      <strong>${whole(count)}</strong>${change !== 0 && html` <span class="change">${signed(change)}</span>`}
      <small>${percent(of === 0 ? null : count / of)}${mistake && ` ${mistake}`}</small>
    </td>`;
}
