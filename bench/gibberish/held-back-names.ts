import { isHeldBack } from './held-back.ts';
import type { Language } from './languages.ts';

/** Names per language and kind: enough to show one false hit in fifty. */
const MOST = 60;

const HEAD = `# Names that the model of providers/gibberish was not trained on, in Latin letters: language, people or places, package, given names, family names.
# Written by bench/gibberish/train.ts; sources and licences: providers/gibberish/data/SOURCE.md.
`;

/** The file's text: a line for each language, with tabs between columns and blanks between names. */
export function sampleOf(languages: readonly Language[]): string {
  const lines = languages.map(({ language, kind, source, given, family }) =>
    [language, kind, source, some(given), some(family)].join('\t'),
  );
  return `${HEAD}${lines.join('\n')}\n`;
}

export function heldBackOf(names: readonly string[]): readonly string[] {
  return names.filter(isHeldBack);
}

/** At most MOST names, evenly spread over the list, which is sorted by frequency or by letter. */
function some(names: readonly string[]): string {
  const held = heldBackOf(names);
  const step = Math.max(1, held.length / MOST);
  const count = Math.min(MOST, held.length);
  return Array.from({ length: count }, (_, index) => held[Math.floor(index * step)]).join(' ');
}
