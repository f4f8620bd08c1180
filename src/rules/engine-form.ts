import type { TopLevelCondition } from 'json-rules-engine';
import { neededOf, partsOf } from './conditions.ts';
import type { NormalCondition } from './definitions.ts';

/** For one rule, with `at_least` written out. The engine takes some milliseconds for so many; `at_least` of twelve comes to 176 at most. */
export const MOST_COMPARISONS = 200;

type EngineCondition = Exclude<NormalCondition, { at_least: unknown }>;

/**
 * A condition as json-rules-engine takes it. The engine has no `at_least`, which is written out in `all` and `any`, by halves: at least two
 * of four is two of the first half, or one of each half, or two of the second. 4 of 8 come to 48 comparisons, where all sets of four would
 * be 280. Postern's own evaluator counts the parts; tests hold both to the same answers.
 */
export function engineForm(condition: NormalCondition): TopLevelCondition {
  const written = writtenOut(condition);
  // The engine needs a combiner at the root. Its types want mutable arrays; the cast is safe: the engine clones these frozen plain data.
  return ('fact' in written ? { all: [written] } : written) as TopLevelCondition;
}

function writtenOut(condition: NormalCondition): EngineCondition {
  if ('fact' in condition) return condition;
  const parts = partsOf(condition).map(writtenOut);
  if ('at_least' in condition) return atLeast(condition.at_least.count, parts);
  return 'all' in condition ? { all: parts } : { any: parts };
}

function atLeast(count: number, parts: readonly EngineCondition[]): EngineCondition {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  if (count === parts.length) return { all: parts };
  if (count === 1) return { any: parts };
  const [one, other] = halves(parts);
  return {
    any: splits(count, one.length, other.length).map(([ofOne, ofOther]) => {
      if (ofOne === 0) return atLeast(ofOther, other);
      return ofOther === 0 ? atLeast(ofOne, one) : { all: [atLeast(ofOne, one), atLeast(ofOther, other)] };
    }),
  };
}

function halves<Item>(list: readonly Item[]): readonly [readonly Item[], readonly Item[]] {
  const middle = list.length >> 1;
  return [list.slice(0, middle), list.slice(middle)];
}

/** Every way to split `count` between halves of `one` and `other` parts. */
function splits(count: number, one: number, other: number): readonly (readonly [number, number])[] {
  const least = Math.max(0, count - other);
  const most = Math.min(count, one);
  return Array.from(
    { length: most - least + 1 },
    (_, index) => [least + index, count - least - index] as const,
  );
}

/** How many comparisons the engine is given, without writing them out. */
export function engineSize(condition: NormalCondition): number {
  if ('fact' in condition) return 1;
  return sizeAtLeast(neededOf(condition), partsOf(condition).map(engineSize));
}

/** `known`: sizes computed so far, since the same halves recur. */
function sizeAtLeast(count: number, sizes: readonly number[], known = new Map<string, number>()): number {
  if (count === 0) return 0;
  if (count === 1 || count === sizes.length) return sizes.reduce((sum, size) => sum + size, 0);
  const key = `${count} of ${sizes}`;
  const [one, other] = halves(sizes);
  const size =
    known.get(key) ??
    splits(count, one.length, other.length).reduce(
      (sum, [ofOne, ofOther]) => sum + sizeAtLeast(ofOne, one, known) + sizeAtLeast(ofOther, other, known),
      0,
    );
  known.set(key, size);
  return size;
}
