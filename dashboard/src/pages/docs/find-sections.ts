import type { DocumentSection } from './document.ts';
import { stemsOf } from './stems.ts';

/** The weight of a word by where it stands: in the title, in the titles above, in the text. */
const IN_TITLE = 6;
const ABOVE = 2;
const IN_TEXT = 1;
/** A factor for decisions: people ask less often why something is so than how it is done. */
const OF_DECISIONS = 0.5;

/**
 * The parts of documents that answer a question, the best first: those with most of its words; none where that is less than half of them.
 * A word of three letters or more may be the beginning of a word.
 */
export function findSections(
  query: string,
  sections: readonly DocumentSection[],
): readonly DocumentSection[] {
  const wanted = [...stemsOf(query)];
  if (wanted.length === 0) return [];
  const rated = sections.map((section) => ({ section, ...rate(section, wanted) }));
  const most = Math.max(...rated.map(({ found }) => found));
  if (most === 0 || most < wanted.length / 2) return [];
  return rated
    .filter(({ found }) => found === most)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ section }) => section);
}

function rate({ href, title, within, words }: DocumentSection, wanted: readonly string[]) {
  const places = [
    { stems: [...stemsOf(title)], weight: IN_TITLE },
    { stems: [...stemsOf(within)], weight: ABOVE },
    { stems: words.split(' '), weight: IN_TEXT },
  ];
  let found = 0;
  let total = 0;
  for (const word of wanted) {
    const at = places.filter(({ stems }) => stems.some((stem) => isMeant(stem, word)));
    if (at.length > 0) found += 1;
    total += at.reduce((sum, { weight }) => sum + weight, 0);
  }
  // Tie-break: a shorter title is more about the word.
  const weight = total - title.length / 1000;
  return { found, weight: href.startsWith('/docs/decisions/') ? weight * OF_DECISIONS : weight };
}

const isMeant = (stem: string, word: string) => stem === word || (word.length >= 3 && stem.startsWith(word));
