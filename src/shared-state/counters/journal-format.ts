import { type CountedCheck, MOST_COUNTS } from './check-counters.ts';

/*
 * A segment of the journal is 32-bit words, little-endian: four of a header, then the checks. A check is its account,
 * the second, (milliseconds | number of counts << 10 | windows << 16), the hash of its retry, and the hash of each count.
 */

/** "PSCJ" and the version of this format. */
const MAGIC = 0x4a435350;
const VERSION = 1;
const HEADER_WORDS = 4;
const FIXED_WORDS = 5;
/** Of a check with every count it can have. */
export const MOST_WORDS = FIXED_WORDS + 2 * MOST_COUNTS;

/** `key` is a hash of the key that the counts were hashed with: under another they mean nothing. */
export function header(key: { readonly low: number; readonly high: number }): Uint32Array {
  return Uint32Array.of(MAGIC, VERSION, key.low, key.high);
}

/** Writes a check from `from` on; returns where the next one begins. */
export function writeCheck(words: Uint32Array, from: number, check: CountedCheck): number {
  const { account, at, retryLow, retryHigh, counts } = check;
  const seconds = Math.floor(at / 1000);
  let windows = 0;
  let to = from + FIXED_WORDS;
  for (let i = 0; i < counts.length; i += 3) {
    windows |= (counts[i] as number) << (i / 3);
    words[to++] = counts[i + 1] as number;
    words[to++] = counts[i + 2] as number;
  }
  words[from] = account;
  words[from + 1] = seconds;
  words[from + 2] = (at - seconds * 1000) | ((counts.length / 3) << 10) | (windows << 16);
  words[from + 3] = retryLow;
  words[from + 4] = retryHigh;
  return to;
}

/** The checks of a segment, up to where it was cut short; null when it was not written under this key by this version. */
export function readSegment(octets: Buffer, key: { readonly low: number; readonly high: number }) {
  // A copy: what was read from a file need not lie at a multiple of four.
  const words = new Uint32Array(new Uint8Array(octets.subarray(0, octets.length & ~3)).buffer);
  const expected = header(key);
  if (expected.some((word, index) => words[index] !== word)) return null;
  return readChecks(words);
}

function* readChecks(words: Uint32Array): Iterable<CountedCheck> {
  for (let from = HEADER_WORDS; from + FIXED_WORDS <= words.length; ) {
    const packed = words[from + 2] as number;
    const counted = (packed >>> 10) & 0x3f;
    const to = from + FIXED_WORDS + 2 * counted;
    // What a power cut left, or another hand: nothing after it can be read.
    if (counted === 0 || counted > MOST_COUNTS || to > words.length) return;
    const counts: number[] = [];
    for (let i = 0; i < counted; i++) {
      const hash = from + FIXED_WORDS + 2 * i;
      counts.push((packed >>> (16 + i)) & 1, words[hash] as number, words[hash + 1] as number);
    }
    yield {
      account: words[from] as number,
      at: (words[from + 1] as number) * 1000 + (packed & 0x3ff),
      retryLow: words[from + 3] as number,
      retryHigh: words[from + 4] as number,
      counts,
    };
    from = to;
  }
}
