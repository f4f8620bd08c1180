import type { PolicyResult } from '../fail-on.ts';
import type { BacktestReport } from '../report.ts';
import { renderConfusion } from './confusion.ts';
import { renderDocument } from './document.ts';
import { renderFlips } from './flips.ts';
import { renderGlossary } from './glossary.ts';
import { renderHistograms } from './histogram.ts';
import { renderKeyFigures } from './key-figures.ts';
import { html, type Markup } from './markup.ts';
import { renderOpening } from './opening.ts';
import { renderRules } from './rules-table.ts';
import { renderSweep } from './sweep.ts';

interface Section {
  readonly id: string;
  readonly name: string;
  readonly render: (report: BacktestReport) => Markup;
}

/** In the order in which an analyst reads. */
const SECTIONS: readonly Section[] = [
  { id: 'confusion', name: 'Decisions', render: renderConfusion },
  { id: 'figures', name: 'Key figures', render: renderKeyFigures },
  { id: 'flips', name: 'Flips', render: renderFlips },
  { id: 'scores', name: 'Scores', render: renderHistograms },
  { id: 'sweep', name: 'Thresholds', render: renderSweep },
  { id: 'rules', name: 'Rules', render: renderRules },
];

/**
 * A backtest as one HTML file to send on: it asks nothing of any network and holds no script. The same report gives the
 * same text. What the report quotes (domains, ids, names of files and rules) is anybody's and is escaped.
 */
export function renderBacktestHtml(report: BacktestReport, policies: readonly PolicyResult[] = []): string {
  const { base, candidate } = report.rule_sets;
  const sections = report.cases.total === 0 ? [] : SECTIONS;
  const contents = [{ id: 'compared', name: 'Compared' }, ...sections, { id: 'words', name: 'Words' }];
  return renderDocument({
    title: `Backtest: ${candidate.directory} beside ${base.directory}`,
    body: html`
      <nav aria-label="Contents"><ul>${contents.map(({ id, name }) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
      <main>
        ${renderOpening(report, policies)}
        ${sections.map(({ render }) => render(report))}
        ${renderGlossary()}
      </main>
      <footer>Made by <code>postern rules backtest</code>. The same cases and rules give the same file, octet for octet.</footer>`,
  });
}
