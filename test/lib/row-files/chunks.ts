import fc from 'fast-check';
import { type Line, readLines } from '../../../src/lib/row-files/read-lines.ts';

/** The text in UTF-8, cut wherever `size` falls, also within a character. */
export async function* chunksOf(text: string, size = 65_536): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

export const anySize = fc.integer({ min: 1, max: 40 });

export function linesOf(text: string, size?: number): AsyncGenerator<Line> {
  return readLines(chunksOf(text, size));
}

/** All that it yields. */
export async function allOf<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}
