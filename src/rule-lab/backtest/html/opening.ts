import { whole } from '../../../lib/statistics.ts';
import { COUNT_LABELS, describeCounts } from '../describe-counts.ts';
import type { PolicyResult } from '../fail-on.ts';
import type { BacktestReport } from '../report.ts';
import { type Counts, totalOf } from '../tally.ts';
import { minute, percent, plural } from './figures.ts';
import { type Content, html, type Markup } from './markup.ts';
import { teachLabels } from './teaching.ts';

/** What was compared with what, on which cases, what came of it in short, and what keeps it from being the whole truth. */
export function renderOpening(report: BacktestReport, policies: readonly PolicyResult[]): Markup {
  const { candidate } = report.rule_sets;
  return html`
    <header>
      <p class="kind">Backtest</p>
      <h1>What <code>${candidate.directory}</code> would have done</h1>
      <p class="lead">${describeWhole(report)}</p>
      ${report.cases.total > 0 && renderTiles(report)}
      ${renderPolicies(policies)}
      ${renderCaveats(report)}
      ${report.cases.total > 0 && teachLabels(report)}
    </header>
    <section aria-labelledby="compared">
      <h2 id="compared">What was compared</h2>
      ${renderCompared(report)}
    </section>`;
}

function describeWhole({ cases, flips, source }: BacktestReport): string {
  const flipped = totalOf(flips.to_block.counts) + totalOf(flips.to_allow.counts);
  const what = source.kind === 'recorded' ? 'recorded check' : 'row';
  if (cases.total === 0) return 'There was no case to judge by.';
  const begin = plural(cases.total, what);
  return flipped === 0
    ? `${begin}, and the candidate decides each of them as the rules in force do.`
    : `Of ${begin} the candidate decides ${whole(flipped)} (${percent(flipped / cases.total)}) otherwise than the rules in force.`;
}

function renderTiles({ flips, cases }: BacktestReport): Markup {
  const { to_block: toBlock, to_allow: toAllow } = flips;
  const [blocked, allowed] = [totalOf(toBlock.counts), totalOf(toAllow.counts)];
  return html`
    <ul class="tiles">
      <li>
        <strong class="big">${whole(blocked)}</strong> newly blocked
        <small>${describeFlips(toBlock.counts, 'turned away', 'caught')}</small>
      </li>
      <li>
        <strong class="big">${whole(allowed)}</strong> newly let in
        <small>${describeFlips(toAllow.counts, 'spared', 'let through')}</small>
      </li>
      <li>
        <strong class="big">${whole(cases.total - blocked - allowed)}</strong> as before
        <small>same action under both</small>
      </li>
    </ul>`;
}

function describeFlips({ good, bad, unlabelled }: Counts, ofGood: string, ofBad: string): string {
  const parts = [
    good > 0 && `${whole(good)} good ${ofGood}`,
    bad > 0 && `${whole(bad)} bad ${ofBad}`,
    unlabelled > 0 && `${whole(unlabelled)} unlabelled`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'no case' : parts.join(', ');
}

/** What `--fail-on` asked for, so that whoever guards a change by it sees why it passed or not. */
function renderPolicies(policies: readonly PolicyResult[]): Content {
  if (policies.length === 0) return null;
  return html`
    <ul class="policies">
      ${policies.map(({ policy, measured, is_breached: isBreached }) => {
        const verdict = isBreached === null ? 'no labelled case tells' : isBreached ? 'breached' : 'kept';
        return html`<li class="${isBreached === false ? 'kept' : 'breached'}"><strong>${verdict}</strong> <code>--fail-on ${policy}</code>${measured !== null && ` it is ${Number.isInteger(measured) ? whole(measured) : percent(measured)}`}</li>`;
      })}
    </ul>`;
}

function renderCaveats({ caveats, cases }: BacktestReport): Content {
  const all = [
    ...caveats,
    cases.censored > 0 &&
      `${plural(cases.censored, 'unlabelled case was', 'unlabelled cases were')} answered BLOCK at the time: nobody knows what would have become of them, and no share of labelled cases counts them`,
  ].filter((caveat) => caveat !== false);
  if (all.length === 0) return null;
  return html`
    <aside class="note" aria-labelledby="caveats">
      <h2 id="caveats">Before you rely on it</h2>
      <ul>${all.map((caveat) => html`<li>${caveat}</li>`)}</ul>
    </aside>`;
}

function renderCompared(report: BacktestReport): Markup {
  const { rule_sets: sets, source, cases } = report;
  const [first, last] = [minute(source.first), minute(source.last)];
  const row = (name: string, value: Content) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return html`
    <dl class="facts">
      ${row('Rules in force', html`<code>${sets.base.directory}</code> <span class="hash">${sets.base.ruleset}</span>`)}
      ${row('Candidate', html`<code>${sets.candidate.directory}</code> <span class="hash">${sets.candidate.ruleset}</span>`)}
      ${sets.base.ruleset === sets.candidate.ruleset && row('', 'Both have one hash: they decide alike on everything.')}
      ${row('Cases', html`${whole(cases.total)} ${source.kind === 'recorded' ? 'recorded checks of' : 'rows of'} <code>${source.name}</code>`)}
      ${row('Period', first === null ? 'the cases have no time' : `${first} to ${last}, UTC`)}
      ${row('Labels', describeLabels(cases))}
      ${row('Replay', describeReplay(report))}
    </dl>`;
}

function describeLabels(cases: BacktestReport['cases']): string {
  if (cases.total === 0) return describeCounts(cases);
  return COUNT_LABELS.map(
    (label) => `${whole(cases[label])} ${label} (${percent(cases[label] / cases.total)})`,
  ).join(', ');
}

/** Whether deciding again gives what was answered then, on the cases that tell. */
function describeReplay({ cases, source }: BacktestReport): string {
  const { same, differing } = cases.replayed;
  if (source.kind === 'file') return 'the rows were checked afresh by both sets';
  if (same + differing === 0) {
    return 'none of these checks was answered by exactly the rules in force, so nothing could be compared with what was answered then';
  }
  if (differing === 0) {
    return `${plural(same, 'check')} answered by exactly these rules in force: each comes out the same again`;
  }
  return `of ${plural(same + differing, 'check')} answered by exactly these rules in force, ${whole(differing)} ${differing === 1 ? 'comes' : 'come'} out otherwise now`;
}
