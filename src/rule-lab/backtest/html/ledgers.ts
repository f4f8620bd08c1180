import { signed } from '../../../lib/statistics.ts';
import type { LedgerEntry } from '../../../rules/decision.ts';
import { describeEntry } from '../../../rules/describe-entry.ts';
import type { BySide } from '../report.ts';
import { type Content, html, type Markup } from './markup.ts';

interface Line {
  readonly base: LedgerEntry | undefined;
  readonly candidate: LedgerEntry | undefined;
}

/** Both accounts of a case line by line beside each other; lines that differ are marked. */
export function renderLedgers(ledgers: BySide<readonly LedgerEntry[]>, name: string): Markup {
  return html`
    <div class="scroll" role="region" aria-label="Ledgers of ${name}" tabindex="0">
      <table class="ledger">
        <thead><tr>
          <th scope="col">entry</th><th scope="col">rule or group</th>
          <th scope="col" class="number">in force</th><th scope="col" class="number">candidate</th>
          <th scope="col">because</th>
        </tr></thead>
        <tbody>${align(ledgers).map(renderLine)}</tbody>
        <tfoot><tr>
          <th scope="row" colspan="2">score</th>
          <td class="number">${sumOf(ledgers.base)}</td><td class="number">${sumOf(ledgers.candidate)}</td><td></td>
        </tr></tfoot>
      </table>
    </div>`;
}

/** In the order of the ledger in force, with what only the candidate has after its like. */
function align({ base, candidate }: BySide<readonly LedgerEntry[]>): readonly Line[] {
  const kinds = [...new Set([...base, ...candidate].map(({ kind }) => kind))].toSorted(
    (a, b) => ORDER.indexOf(a) - ORDER.indexOf(b),
  );
  return kinds.flatMap((kind) => {
    const [before, after] = [base, candidate].map(
      (ledger) =>
        new Map(
          ledger
            .filter((entry) => entry.kind === kind)
            .map((entry, place) => [subjectOf(entry, place), entry]),
        ),
    ) as [Map<string, LedgerEntry>, Map<string, LedgerEntry>];
    const subjects = [...new Set([...before.keys(), ...after.keys()])];
    return subjects.map((subject) => ({ base: before.get(subject), candidate: after.get(subject) }));
  });
}

const ORDER: readonly LedgerEntry['kind'][] = [
  'force',
  'rule',
  'absorbed',
  'cap',
  'bound',
  'stood_aside',
  'shadow',
  'level',
  'action',
];

function subjectOf(entry: LedgerEntry, place: number): string {
  // Which rule set the level, or the action, matters less than that both sides are told on one line.
  if (entry.kind === 'level' || entry.kind === 'action') return String(place);
  if (entry.kind === 'absorbed') return `${entry.id} ${entry.by}`;
  if ('id' in entry) return entry.id ?? '';
  return 'group' in entry ? entry.group : '';
}

function renderLine({ base, candidate }: Line): Content {
  const entry = candidate ?? base;
  if (entry === undefined) return null;
  const [before, after] = [base, candidate].map((each) => each && describeEntry(each));
  const differs = base?.points !== candidate?.points || before !== after;
  return html`
    <tr class="${differs ? 'changed' : ''}">
      <td>${entry.kind}</td>
      <td>${'id' in entry ? entry.id : 'group' in entry ? entry.group : null}</td>
      <td class="number">${pointsOf(base)}</td>
      <td class="number">${pointsOf(candidate)}</td>
      <td>${renderReasons(before, after)}</td>
    </tr>`;
}

function pointsOf(entry: LedgerEntry | undefined): string {
  return entry === undefined ? '–' : signed(entry.points);
}

function renderReasons(before: string | undefined, after: string | undefined): Content {
  if (before === after) return after;
  return [
    before !== undefined && html`<div><span class="dot base"></span><small>in force</small> ${before}</div>`,
    after !== undefined &&
      html`<div><span class="dot candidate"></span><small>candidate</small> ${after}</div>`,
  ];
}

function sumOf(ledger: readonly LedgerEntry[]): number {
  return ledger.reduce((sum, { points }) => sum + points, 0);
}
