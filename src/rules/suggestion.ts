import { nearestOf } from '../lib/did-you-mean.ts';

/** The candidate that was probably meant: the same word in another case, a fact named without its first part, or one near in spelling. */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  // Sorted, so that a tie falls the same way whatever the order of the files.
  const sorted = [...candidates].sort();
  const lower = word.toLowerCase();
  const same = sorted.find((candidate) => candidate.toLowerCase() === lower);
  if (same !== undefined) return same;
  return sorted.find((candidate) => candidate.endsWith(`.${word}`)) ?? nearestOf(word, sorted);
}
