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

/** ` (did you mean port?)`, or nothing when none of the known words was meant, as far as `find` tells. */
export function didYouMean(word: string, known: Iterable<string>, find = nearestOf): string {
  const nearest = find(word, known);
  return nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
}

/**
 * Equal for words that differ in case and in what stands between their parts: `has-MX` and `has_mx`, not `1_2` and `12`. Any other
 * sign is part of the word: `!in`, `-points` and `lots-2` are no spellings of `in`, `points` and `lots_2`.
 */
export function bareWord(word: string): string {
  return word.toLowerCase().replace(/(?<=[a-z])[\s._]+(?=\w)|(?<=\d)[\s._]+(?=[a-z])|(?<=\w)-(?=[a-z])/g, '');
}

/** Whether a word differs from its nearest match by a negation or a comparison sign: then it means something else. */
function isTurned(word: string, nearest: string): boolean {
  const before = word.toLowerCase().split(nearest.toLowerCase())[0] ?? '';
  return /[!<>=≠≤≥~^+]/.test(word) || /^(?:not?|non|un|dis|n)[\s._-]*$/.test(before);
}

/** The candidate that was probably meant: the word in another spelling, a fact without its first part, or a similar word. */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  // Sorted, so that a tie falls the same way whatever the order of the files.
  const sorted = [...candidates].sort();
  const bare = bareWord(word);
  const same = sorted.find((candidate) => bareWord(candidate) === bare);
  if (same !== undefined) return same;
  const nearest = sorted.find((candidate) => candidate.endsWith(`.${word}`)) ?? nearestOf(word, sorted);
  return nearest === undefined || isTurned(word, nearest) ? undefined : nearest;
}
