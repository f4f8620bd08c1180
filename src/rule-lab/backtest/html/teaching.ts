import type { BacktestReport } from '../report.ts';
import { type Content, html, type Markup } from './markup.ts';

/** Labels that no case has. */
export function missingLabels({ cases }: BacktestReport): readonly ('good' | 'bad')[] {
  return (['good', 'bad'] as const).filter((label) => cases[label] === 0);
}

/** Says once, at the top, what is not there for want of labels, and how they come. Nothing when both kinds are there. */
export function teachLabels(report: BacktestReport): Content {
  const missing = missingLabels(report);
  if (missing.length === 0) return null;
  const lack =
    missing.length === 2
      ? 'Nobody has told yet what became of these signups.'
      : `No case is labelled ${missing.join(' or ')}.`;
  return html`
    <aside class="teach" aria-labelledby="labels">
      <h2 id="labels">${lack}</h2>
      <p>So this report says what would change, and not whether that is for the better. With cases of both labels it would also
        show the mistakes of either set, precision, recall and the rate of false positives, the ROC and the precision-recall
        curve, the threshold of least cost, and what each rule is worth.</p>
      <p>${howLabelsCome(report)} Some hundred of each kind give a first picture; the intervals say how sharp it is.</p>
    </aside>`;
}

function howLabelsCome({ source }: BacktestReport): Markup {
  const words = html`<em>good</em> (a customer who stayed) or <em>bad</em> (abuse, a chargeback)`;
  return source.kind === 'recorded'
    ? html`<code>postern labels import FILE</code> takes what you know: a line for each signup that turned out ${words}.`
    : html`They come from the file: a column <code>label</code> that says what turned out ${words}; <code>--columns</code>,
        <code>--good</code> and <code>--bad</code> name other columns and words.`;
}

/** Stands where a figure would, in short. */
export function lackOf(report: BacktestReport, what: string): Markup {
  return html`<p class="lack">${what} ${missingLabels(report).length === 2 ? 'labels, and there are none' : `cases labelled ${missingLabels(report).join(' and ')}, and there are none`}: see the <a href="#labels">note on labels</a>.</p>`;
}
