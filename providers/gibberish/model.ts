import { readFileSync } from 'node:fs';

/** Beginning and end of a local part. */
export const EDGE = 0;
/** 1 to 26 are the letters; which digit it is does not matter. */
export const DIGIT = 27;
/** Whatever is neither letter nor digit. */
export const SEPARATOR = 28;
export const SYMBOLS = 29;
/** Bits that a symbol takes: contexts are put together by shifting, which is faster than to multiply and divide. */
export const SYMBOL_BITS = 5;

/** Costs are counted in sixteenths of a nat, so that one of a trigram fits into a byte. */
export const PER_NAT = 16;

/** By ASCII code, upper case as lower. */
export const SYMBOL_OF: Uint8Array = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const lower = code | 0x20;
  if (lower >= 0x61 && lower <= 0x7a && code >= 0x41) return lower - 0x60;
  return code >= 0x30 && code <= 0x39 ? DIGIT : SEPARATOR;
});

export interface Model {
  /** What the third symbol of a trigram costs after the first two in a local part of a person. The index is the bits of the three in order. */
  readonly costs: Uint8Array;
  /** The day on which it was trained. */
  readonly date: string;
}

/** `data/trigrams.json`. */
export interface ModelFile {
  readonly description: string;
  readonly date: string;
  readonly trained_on: readonly {
    readonly package: string;
    readonly version: string;
    readonly licence: string;
  }[];
  /** By first symbol, the costs of all pairs that follow, a byte each, in base64. */
  readonly costs: readonly string[];
}

const FILE = new URL('./data/trigrams.json', import.meta.url);

/** Throws when the file does not hold a cost of every trigram. */
export function loadModel(file: ModelFile = JSON.parse(readFileSync(FILE, 'utf8'))): Model {
  const rows = file.costs.map((row) => Buffer.from(row, 'base64'));
  if (rows.length !== SYMBOLS || rows.some(({ length }) => length !== SYMBOLS ** 2)) {
    throw new Error(`trigrams.json must hold ${SYMBOLS} rows of ${SYMBOLS ** 2} costs`);
  }
  const costs = new Uint8Array(1 << (3 * SYMBOL_BITS));
  for (const [first, row] of rows.entries()) {
    for (let second = 0; second < SYMBOLS; second++) {
      const thirds = row.subarray(second * SYMBOLS, (second + 1) * SYMBOLS);
      costs.set(thirds, ((first << SYMBOL_BITS) | second) << SYMBOL_BITS);
    }
  }
  return { costs, date: file.date };
}
