import { html, type Markup } from './markup.ts';

const WORDS: readonly (readonly [word: string, meaning: string])[] = [
  [
    'good, bad, unlabelled',
    'What became of a signup, as somebody told who knows. Nobody has told of the unlabelled: they are counted, and enter no share but the one of blocked cases.',
  ],
  [
    'censored',
    'Answered BLOCK when it was recorded, and unlabelled: a signup that was turned away has no outcome. Figures say nothing of such cases, in either direction.',
  ],
  [
    'interval',
    "Wilson's score interval at 95 %: the shares that are compatible with what was counted. Few cases, wide interval.",
  ],
  [
    'ledger',
    'The account of one decision. The points of its entries add up to the score, which lies between 0 and 100.',
  ],
  ['fires', 'The share of all cases on which the condition of the rule was true.'],
  [
    'precision',
    'Of the labelled cases that it fires on (or that are BLOCK), the share of bad ones. It hangs on how many bad ones there are at all.',
  ],
  [
    'S/O',
    'The rate of hits among the bad over the sum of the rates among the bad and the good: 1 hits only bad ones, 0.5 tells nothing, 0 hits only good ones. It does not hang on how many of each there are.',
  ],
  ['decisive', 'Cases whose action would be the other one without the rule; of a shadow rule, with it.'],
  ['alone', 'Cases on which the rule fires and no other rule with points does.'],
  [
    'unknown',
    'Cases on which facts that could not be found out left open whether the rule fires. It adds nothing then.',
  ],
  [
    'area under ROC',
    'The chance that a bad case scores above a good one, ties counting half: 0.5 is a coin, 1 is perfect.',
  ],
];

/** The words of the report, for whoever gets it sent. */
export function renderGlossary(): Markup {
  return html`
    <section aria-labelledby="words">
      <h2 id="words">What the words mean</h2>
      <details><summary>${WORDS.length} words</summary>
        <dl class="words">${WORDS.map(([word, meaning]) => html`<div><dt>${word}</dt><dd>${meaning}</dd></div>`)}</dl>
      </details>
    </section>`;
}
