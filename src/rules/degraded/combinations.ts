import type { Facts } from '../decision.ts';

/** A fact and what it is to be set to in turn. */
export interface Column {
  readonly id: string;
  readonly settings: readonly Facts[string][];
}

/** Numerical Recipes' linear congruential generator: a sample must be the same on every machine, not unguessable. */
const MULTIPLIER = 1_664_525;
const INCREMENT = 1_013_904_223;

/** Every combination of the columns' settings; where there are more than `most`, so many drawn at random. */
export function combinations(
  columns: readonly Column[],
  most: number,
): { readonly each: Iterable<Facts>; readonly isComplete: boolean } {
  const total = columns.reduce((product, { settings }) => product * settings.length, 1);
  if (total <= most) return { each: inOrder(columns, total), isComplete: true };
  return { each: drawn(columns, most), isComplete: false };
}

/** Counts from 0, each column a digit. */
function* inOrder(columns: readonly Column[], total: number): Iterable<Facts> {
  for (let number = 0; number < total; number += 1) {
    let rest = number;
    const facts: Record<string, Facts[string]> = {};
    for (const { id, settings } of columns) {
      facts[id] = settings[rest % settings.length] ?? null;
      rest = Math.floor(rest / settings.length);
    }
    yield facts;
  }
}

function* drawn(columns: readonly Column[], count: number): Iterable<Facts> {
  let state = 1;
  // The upper bits: the lower ones of such a generator repeat soon.
  const draw = (below: number) => {
    state = (Math.imul(state, MULTIPLIER) + INCREMENT) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let number = 0; number < count; number += 1) {
    yield Object.fromEntries(
      columns.map(({ id, settings }) => [id, settings[draw(settings.length)] ?? null]),
    );
  }
}
