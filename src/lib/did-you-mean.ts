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
