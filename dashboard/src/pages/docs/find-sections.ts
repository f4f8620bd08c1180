import type { DocumentSection } from './document.ts';
import { stemsOf } from './stems.ts';

/** Of how much weight a word is where it stands. */
const IN_TITLE = 6;
const ABOVE = 2;
const IN_TEXT = 1;
/** Why something is so is asked less often than how it is done. */
const OF_DECISIONS = 0.5;

/**
 * The parts of documents that answer a question, the best first: those with every word of it, or where there are none, those with most.
 * What is typed last may be the beginning of a word.
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
  // Of two titles that hold the word the shorter one is about it.
  const weight = total - title.length / 1000;
  return { found, weight: href.startsWith('/docs/decisions/') ? weight * OF_DECISIONS : weight };
}

const isMeant = (stem: string, word: string) => stem === word || (word.length >= 3 && stem.startsWith(word));
