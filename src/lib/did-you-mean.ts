import { closest, distance } from 'fastest-levenshtein';

/** The known word that was likely meant. */
export function nearestOf(word: string, known: Iterable<string>): string | undefined {
  const candidates = [...known];
  if (candidates.length === 0) return undefined;
  const nearest = closest(word, candidates);
  // Two fifths of the letters: two swapped ones in a word of four count as two changes.
  const tolerance = Math.max(1, Math.round(Math.max(word.length, nearest.length) * 0.4));
  return distance(word, nearest) <= tolerance ? nearest : undefined;
}

/** ` (did you mean port?)`, or nothing when no known word is near. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const nearest = nearestOf(word, known);
  return nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
}

/** The candidate that was probably meant: the same word in another case, a fact named without its first part, or one near in spelling. */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  // Sorted, so that a tie falls the same way whatever the order of the files.
  const sorted = [...candidates].sort();
  const lower = word.toLowerCase();
  const same = sorted.find((candidate) => candidate.toLowerCase() === lower);
  if (same !== undefined) return same;
  return sorted.find((candidate) => candidate.endsWith(`.${word}`)) ?? nearestOf(word, sorted);
}
