import { isDeepStrictEqual } from 'node:util';
import type { RuleSet } from './compile.ts';

type Parts = Pick<RuleSet, 'signals' | 'lists'>;

/** The files of a rules directory by which providers make facts, where these say something else in the other set. */
export function otherFactMakers(one: Parts, other: Parts): readonly string[] {
  const files: readonly (readonly [file: string, (parts: Parts) => unknown])[] = [
    ['signals.yaml', ({ signals }) => signals],
    ['allow.yaml', ({ lists }) => valuesOf(lists.allow)],
    ['deny.yaml', ({ lists }) => valuesOf(lists.deny)],
  ];
  return files.flatMap(([file, part]) => (isDeepStrictEqual(part(one), part(other)) ? [] : [file]));
}

/** Why an entry stands there, and whose it is, changes no fact; nor does the order. */
function valuesOf(entries: Parts['lists']['allow']): readonly string[] {
  return entries.map(({ value }) => value).toSorted();
}
