import { nearestOf } from '../config/did-you-mean.ts';

/** The candidate that was probably meant: one near in spelling, or a fact named without its first part. */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  // Sorted, so that a tie falls the same way whatever the order of the files.
  const sorted = [...candidates].sort();
  return sorted.find((candidate) => candidate.endsWith(`.${word}`)) ?? nearestOf(word, sorted);
}
