const SEPARATOR = '\n';

/**
 * Domains in a quarter of the memory of a Set of strings: their text in one piece, and a hash table of where
 * each begins. The lists hold 140,000, for as long as the process lives.
 */
export class DomainSet {
  readonly #text: string;
  /** Position in the text, plus one; 0 is an empty place. Its length is a power of two. */
  readonly #places: Uint32Array;
  readonly size: number;

  constructor(domains: readonly string[]) {
    this.#text = domains.join(SEPARATOR) + SEPARATOR;
    // At most half full, so that a search ends after a step or two.
    this.#places = new Uint32Array(2 ** Math.ceil(Math.log2(domains.length * 2 + 1)));
    let size = 0;
    let position = 0;
    for (const domain of domains) {
      const place = this.#find(domain);
      if (this.#places[place] === 0) {
        this.#places[place] = position + 1;
        size += 1;
      }
      position += domain.length + SEPARATOR.length;
    }
    this.size = size;
  }

  has(domain: string): boolean {
    return this.#places[this.#find(domain)] !== 0;
  }

  /** In no order that means anything. */
  *[Symbol.iterator](): Generator<string> {
    for (const place of this.#places) {
      if (place > 0) yield this.#text.slice(place - 1, this.#text.indexOf(SEPARATOR, place - 1));
    }
  }

  /** The place of the domain, or the empty one where it would be. */
  #find(domain: string): number {
    const mask = this.#places.length - 1;
    let place = hash(domain) & mask;
    for (;;) {
      const position = this.#places[place] ?? 0;
      if (position === 0 || this.#isAt(position - 1, domain)) return place;
      place = (place + 1) & mask;
    }
  }

  #isAt(position: number, domain: string): boolean {
    return this.#text.startsWith(domain, position) && this.#text[position + domain.length] === SEPARATOR;
  }
}

/** FNV-1a with 32 bits (draft-eastlake-fnv). The lists are ours: nobody chooses what lies in the table. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}
