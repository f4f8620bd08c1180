import { DIGIT, EDGE, PER_NAT, SYMBOL_OF, SYMBOLS } from '../../providers/gibberish/model.ts';

/** Weights of the priors: of trigrams (spread as the bigrams are), of bigrams (as the letters are), and of each letter. */
const TRIGRAM_PRIOR = 8;
const BIGRAM_PRIOR = 30;
const LETTER_PRIOR = 20;

/**
 * The cost of each symbol after the two before it: the negative logarithm of its interpolated probability, rounded to a
 * byte. Back-off by a fixed weight (Dirichlet priors; C. Zhai and J. Lafferty, ACM TOIS 22 (2004) 179-214).
 */
export function countTrigrams(draw: () => string, samples: number): Uint8Array {
  const threes = new Float64Array(SYMBOLS ** 3);
  const twos = new Float64Array(SYMBOLS ** 2);
  const ones = new Float64Array(SYMBOLS);
  for (let sample = 0; sample < samples; sample++) {
    const text = draw();
    let context = EDGE * SYMBOLS + EDGE;
    for (let at = 0; at <= text.length; at++) {
      const symbol = at < text.length ? (SYMBOL_OF[text.charCodeAt(at)] ?? DIGIT) : EDGE;
      const two = (context % SYMBOLS) * SYMBOLS + symbol;
      add(threes, context * SYMBOLS + symbol);
      add(twos, two);
      add(ones, symbol);
      context = two;
    }
  }
  const single = smooth(
    ones,
    Array.from({ length: SYMBOLS }, () => 1 / SYMBOLS),
    LETTER_PRIOR * SYMBOLS,
  );
  const double = rows(twos).flatMap((row) => smooth(row, single, BIGRAM_PRIOR));
  const triple = rows(threes).flatMap((row, context) => {
    const last = (context % SYMBOLS) * SYMBOLS;
    return smooth(row, double.slice(last, last + SYMBOLS), TRIGRAM_PRIOR);
  });
  return Uint8Array.from(triple, (share) => Math.min(255, Math.round(-Math.log(share) * PER_NAT)));
}

function add(counts: Float64Array, at: number): void {
  counts[at] = (counts[at] ?? 0) + 1;
}

function rows(counts: Float64Array): readonly Float64Array[] {
  return Array.from({ length: counts.length / SYMBOLS }, (_, row) =>
    counts.subarray(row * SYMBOLS, (row + 1) * SYMBOLS),
  );
}

/** Shares of the counts, smoothed towards the prior shares `without`. */
function smooth(counts: Float64Array, without: readonly number[], weight: number): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return Array.from(counts, (count, at) => (count + weight * (without[at] ?? 0)) / (total + weight));
}
