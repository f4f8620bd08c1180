import fc from 'fast-check';

/** The text in UTF-8, in chunks of `size` octets; a cut may fall within a character. */
export async function* chunksOf(text: string, size = 65_536): AsyncGenerator<Uint8Array> {
  yield* cut(Buffer.from(text), size);
}

export async function* cut(octets: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < octets.length; from += size) yield octets.subarray(from, from + size);
}

export const anySize = fc.integer({ min: 1, max: 40 });

/** Collects all items of `source`. */
export async function allOf<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}
