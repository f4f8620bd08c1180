import { distance } from 'fastest-levenshtein';

/**
 * The candidate that was probably meant, or undefined when none is near: a slip in every third letter at
 * most, or a fact named without what stands before its last dot.
 */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  // Sorted, so that a tie falls the same way whatever the order of the files.
  for (const candidate of [...candidates].sort()) {
    if (candidate.endsWith(`.${wanted}`)) return candidate;
    const steps = distance(wanted, candidate.toLowerCase());
    if (steps < bestDistance) {
      best = candidate;
      bestDistance = steps;
    }
  }
  return best;
}
