import { whole } from '../../../lib/statistics.ts';
import type { LedgerEntry } from '../../../rules/decision.ts';
import { COUNT_LABELS } from '../describe-counts.ts';
import { type Reason, reasonsOf } from '../flip-reasons.ts';
import type { BacktestReport, FlipExample, FlipGroup } from '../report.ts';
import { type Counts, totalOf } from '../tally.ts';
import { minute, plural, SIDE_NAMES } from './figures.ts';
import { renderLedgers } from './ledgers.ts';
import { type Content, html, type Markup } from './markup.ts';
import { drawWaterfall } from './waterfall.ts';

type Direction = keyof BacktestReport['flips'];

/** Shown at once; the others are one click away. */
const SHOWN = 8;

const DIRECTIONS: readonly { readonly id: Direction; readonly name: string; readonly none: string }[] = [
  {
    id: 'to_block',
    name: 'ALLOW → BLOCK',
    none: 'The candidate blocks nothing that the rules in force allow.',
  },
  {
    id: 'to_allow',
    name: 'BLOCK → ALLOW',
    none: 'The candidate allows nothing that the rules in force block.',
  },
];

/** Every case whose action changes, by what changed it, down to single cases with both ledgers. */
export function renderFlips(report: BacktestReport): Markup {
  return html`
    <section aria-labelledby="flips">
      <h2 id="flips">What flips, and why</h2>
      ${DIRECTIONS.map(({ id, name, none }) => {
        const { counts } = report.flips[id];
        const reasons = reasonsOf(report, id);
        return html`
          <h3>${name}: ${plural(totalOf(counts), 'case')}</h3>
          ${reasons.length === 0 ? html`<p>${none}</p>` : html`<p>${renderCounts(counts)}</p><p class="hint">By what the candidate changes, the most frequent first:</p>`}
          ${fold(reasons, 'reason', (reason, place) => renderReason(reason, `${id.replace('_', '-')}-${place}`))}`;
      })}
    </section>`;
}

/** The first ones open to the eye, the others in a fold. */
function fold<Item>(
  items: readonly Item[],
  noun: string,
  renderItem: (item: Item, place: number) => Markup,
): Content {
  const all = items.map(renderItem);
  if (all.length <= SHOWN) return all;
  return html`
    ${all.slice(0, SHOWN)}
    <details class="more"><summary>${plural(all.length - SHOWN, `${noun} more`, `${noun}s more`)}</summary>${all.slice(SHOWN)}</details>`;
}

function renderReason({ parts, counts, groups }: Reason, id: string): Markup {
  return html`
    <details class="reason">
      <summary>
        <strong>${whole(totalOf(counts))}</strong>
        ${parts.map((part) => html`<code class="part">${part}</code> `)}
        ${renderCounts(counts)}
      </summary>
      ${fold(groups, 'combination', (group, place) => renderGroup(group, `${id}-${place}`))}
    </details>`;
}

function renderGroup({ counts, score, examples }: FlipGroup, id: string): Markup {
  const [first] = examples;
  return html`
    <details class="group">
      <summary>
        <strong>${whole(totalOf(counts))}</strong> with score ${score.base === score.candidate ? `${score.base}, as before` : `${score.base} → ${score.candidate}`}
        ${renderCounts(counts)}
        ${first && html`<small>${describeRules(first)}</small>`}
      </summary>
      ${first && renderWaterfalls(first, id)}
      ${first && html`<p class="hint">${examples.length === totalOf(counts) ? 'All of them' : `The first ${whole(examples.length)} of them`}, with both ledgers:</p>`}
      ${fold(examples, 'case', renderExample)}
    </details>`;
}

/** What both sets made it of: rules that fired, and those that unknown facts left open, which is what may tell groups apart. */
function describeRules({ ledger }: FlipExample): string {
  const idsOf = (...kinds: readonly LedgerEntry['kind'][]) => [
    ...new Set(
      [...ledger.base, ...ledger.candidate].flatMap((entry) =>
        kinds.includes(entry.kind) && 'id' in entry && entry.id !== null ? [entry.id] : [],
      ),
    ),
  ];
  const [fired, open] = [idsOf('rule', 'force'), idsOf('stood_aside')];
  return `${fired.length === 0 ? 'no rule' : fired.join(', ')}${open.length === 0 ? '' : `; unknown: ${open.join(', ')}`}`;
}

/** Labels that no case has are left out. */
function renderCounts(counts: Counts): Markup {
  const present = COUNT_LABELS.filter((label) => counts[label] > 0);
  return html`<span class="counts">${present.map((label) => html`<span><span class="key ${label}"></span>${whole(counts[label])} ${label}</span> `)}</span>`;
}

/** One pair for the group: its cases fire the same rules for the same points. */
function renderWaterfalls({ ledger }: FlipExample, id: string): Markup {
  return html`
    <div class="columns two">
      ${(['base', 'candidate'] as const).map(
        (side) => html`
          <figure class="waterfall">
            <figcaption><span class="dot ${side}"></span>${SIDE_NAMES[side]}</figcaption>
            ${drawWaterfall(`${id}-${side}`, `How the score comes about, ${SIDE_NAMES[side]}`, ledger[side])}
          </figure>`,
      )}
    </div>`;
}

function renderExample({ id, created_at, domain, label, ledger }: FlipExample): Markup {
  const known = [domain, created_at === null ? null : `${minute(created_at)} UTC`].filter(
    (part) => part !== null,
  );
  return html`
    <details class="example">
      <summary><code>${id}</code> ${known.join(', ')} <span class="key ${label ?? 'unlabelled'}"></span>${label ?? 'unlabelled'}</summary>
      ${renderLedgers(ledger, id)}
    </details>`;
}
