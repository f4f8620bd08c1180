export const LINE_END = '\n'.charCodeAt(0);

/**
 * A hash table of where each domain begins in a text of ASCII, one domain on a line: a quarter of the memory of a Map of
 * strings. Each domain stands in the text once.
 */
export class DomainTable {
  readonly #text: Uint8Array;
  /** Position in the text, plus one; 0 is an empty place. Its length is a power of two. */
  readonly #places: Uint32Array;

  constructor(text: Uint8Array, size: number) {
    this.#text = text;
    // At most half full, so that a search ends after a step or two.
    this.#places = new Uint32Array(2 ** Math.ceil(Math.log2(size * 2 + 1)));
  }

  /** How many places there are. */
  get length(): number {
    return this.#places.length;
  }

  /** Adds the domain that begins at this position of the text; returns its place in the table. */
  add(position: number): number {
    const places = this.#places;
    const mask = places.length - 1;
    let place = hashLine(this.#text, position) & mask;
    while (places[place] !== 0) place = (place + 1) & mask;
    places[place] = position + 1;
    return place;
  }

  /** The place of a domain; -1 where it is not in the table. */
  find(domain: string): number {
    const mask = this.#places.length - 1;
    let place = hash(domain) & mask;
    for (;;) {
      const after = this.#places[place] ?? 0;
      if (after === 0) return -1;
      if (this.#isAt(after - 1, domain)) return place;
      place = (place + 1) & mask;
    }
  }

  /** Where in the text the domain of a place begins. */
  positionAt(place: number): number {
    return (this.#places[place] ?? 0) - 1;
  }

  #isAt(position: number, domain: string): boolean {
    for (let index = 0; index < domain.length; index += 1) {
      if (this.#text[position + index] !== domain.charCodeAt(index)) return false;
    }
    return this.#text[position + domain.length] === LINE_END;
  }
}

/** FNV-1a with 32 bits (draft-eastlake-fnv). The lists are ours: no attacker chooses what lies in the table. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}

/** As `hash`, of the line that begins at the position, without cutting it out. */
function hashLine(text: Uint8Array, position: number): number {
  let value = 0x811c9dc5;
  for (let index = position; ; index += 1) {
    const code = text[index] ?? LINE_END;
    if (code === LINE_END) return value >>> 0;
    value = Math.imul(value ^ code, 0x01000193);
  }
}
