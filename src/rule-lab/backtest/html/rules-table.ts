import { isDeepStrictEqual } from 'node:util';
import { figure, type Share, signed, whole } from '../../../lib/statistics.ts';
import type { BacktestReport, RuleFigures, RuleSideFigures } from '../report.ts';
import { type Counts, totalOf } from '../tally.ts';
import { interval, percent, plural } from './figures.ts';
import { type Content, html, type Markup } from './markup.ts';
import { splitBy } from './split-by.ts';

interface Value {
  readonly value: string;
  /** What stands small below it. */
  readonly detail?: string;
}

interface Column {
  readonly name: string;
  readonly of: (side: RuleSideFigures) => Value;
}

/** What needs labels that are not there is left out. */
function columnsFor({ good, bad }: Counts): readonly Column[] {
  const hasLabels = good + bad > 0;
  const countsOf = (counts: Counts): Value => describeCounts(counts, hasLabels);
  const labelled: readonly Column[] = [
    { name: 'on good', of: ({ by_label: { good } }) => ({ value: whole(good) }) },
    { name: 'on bad', of: ({ by_label: { bad } }) => ({ value: whole(bad) }) },
  ];
  const compared: readonly Column[] = [
    { name: 'precision', of: ({ precision }) => shareOf(precision) },
    { name: 'S/O', of: ({ s_o }) => ({ value: figure(s_o) }) },
  ];
  return [
    { name: 'points', of: pointsOf },
    { name: 'fires', of: ({ fires }) => shareOf(fires) },
    ...(hasLabels ? labelled : []),
    ...(good > 0 && bad > 0 ? compared : []),
    { name: 'decisive', of: ({ decisive }) => countsOf(decisive) },
    { name: 'alone', of: ({ unique }) => countsOf(unique) },
    { name: 'unknown', of: ({ stood_aside }) => ({ value: whole(stood_aside) }) },
  ];
}

function pointsOf({ mode, points }: RuleSideFigures): Value {
  const value = points === null ? 'forced' : signed(points);
  return mode === 'shadow' ? { value: `(${value})`, detail: 'shadow' } : { value };
}

function shareOf(share: Share): Value {
  return share.share === null ? { value: '–' } : { value: percent(share.share), detail: interval(share) };
}

function describeCounts(counts: Counts, hasLabels: boolean): Value {
  const total = totalOf(counts);
  if (total === 0 || !hasLabels) return { value: whole(total) };
  return { value: whole(total), detail: `${whole(counts.good)} good, ${whole(counts.bad)} bad` };
}

/** Rules that the candidate changes first, then the others; those that never fired in a fold. */
export function renderRules({ rules, cases }: BacktestReport): Markup {
  const [changed, same] = splitBy(rules, isChanged);
  const [silent, others] = splitBy(same, isSilent);
  const columns = columnsFor(cases);
  const parts = [
    { name: 'Changed by the candidate', rules: changed },
    { name: 'Unchanged by the candidate', rules: others },
  ];
  return html`
    <section aria-labelledby="rules">
      <h2 id="rules">Rule by rule</h2>
      <p class="hint">On ${plural(cases.total, 'case')}. In a marked cell the sides differ: in force → candidate.</p>
      ${changed.length === 0 && html`<p>Each rule fires on the same cases, for the same points, under both sets.</p>`}
      ${renderTable(
        'Figures of each rule',
        columns,
        parts.filter((part) => part.rules.length > 0),
      )}
      ${
        silent.length > 0 &&
        html`
        <details><summary>${plural(silent.length, 'rule')} that fired on no case</summary>
          ${renderTable('Rules that fired on no case', columns, [{ name: 'Fired on no case', rules: silent }])}
        </details>`
      }
    </section>`;
}

/** What the candidate does to other rules by its threshold shows in their marked cells; this is about the rule. */
function isChanged({ base, candidate }: RuleFigures): boolean {
  const what = (side: RuleSideFigures | null) => side && [side.mode, side.points, side.fires];
  return !isDeepStrictEqual(what(base), what(candidate));
}

function isSilent({ base, candidate }: RuleFigures): boolean {
  return [base, candidate].every((side) => side === null || side.fires.count === 0);
}

interface Part {
  readonly name: string;
  readonly rules: readonly RuleFigures[];
}

function renderTable(name: string, columns: readonly Column[], parts: readonly Part[]): Content {
  if (parts.length === 0) return null;
  return html`
    <div class="scroll" role="region" aria-label="${name}" tabindex="0">
      <table class="rules">
        <thead><tr><th scope="col">rule</th>${columns.map((column) => html`<th scope="col" class="number">${column.name}</th>`)}</tr></thead>
        ${parts.map(
          (part) => html`
            <tbody>
              <tr><th scope="rowgroup" colspan="${columns.length + 1}" class="part-name">${part.name}</th></tr>
              ${part.rules.map((rule) => renderRule(rule, columns))}
            </tbody>`,
        )}
      </table>
    </div>`;
}

function renderRule({ id, base, candidate }: RuleFigures, columns: readonly Column[]): Markup {
  const remark = base === null ? 'new' : candidate === null ? 'gone' : null;
  return html`
    <tr>
      <th scope="row"><code>${id}</code>${remark && html` <span class="change">${remark}</span>`}</th>
      ${columns.map(({ of }) => renderCell(base && of(base), candidate && of(candidate)))}
    </tr>`;
}

function renderCell(before: Value | null, after: Value | null): Content {
  const shown = after ?? before;
  if (shown === null) return html`<td></td>`;
  if (before === null || after === null || isDeepStrictEqual(before, after)) {
    return html`<td class="number">${shown.value}${small(shown.detail)}</td>`;
  }
  return html`
    <td class="number changed">
      ${before.value} <span class="arrow">→</span> <strong>${after.value}</strong>
      ${small(after.detail)}${before.detail && small(`was ${before.detail}`)}
    </td>`;
}

function small(detail: string | undefined): Content {
  return detail && html`<small>${detail}</small>`;
}
