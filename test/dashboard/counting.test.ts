import { expect, it } from 'vitest';
import { askAgainMs, type Counting, countingAfter } from '../../dashboard/src/api/counting.ts';

/** For each answer, the pause until the next request. */
function pausesOf(shares: readonly number[]): (number | undefined)[] {
  let counting: Counting | undefined;
  return shares.map((share) => {
    counting = countingAfter(counting, share);
    return askAgainMs(counting, false);
  });
}

it('asks again after a second while each answer has a higher share, and stops when all is counted', () => {
  expect(pausesOf([0.2, 0.4, 0.6, 0.9999, 1])).toEqual([1_000, 1_000, 1_000, 1_000, undefined]);
});

it('waits longer each time while the share does not rise, and a second again once it does', () => {
  expect(pausesOf([0.2, 0.2, 0.2, 0.2, 0.4, 0.6])).toEqual([1_000, 5_000, 30_000, 30_000, 1_000, 1_000]);
});

it('does not count a share as risen that only returned to its value, or that new checks raise slightly', () => {
  expect(pausesOf([0.2, 0.19, 0.2, 0.2005])).toEqual([1_000, 5_000, 30_000, 30_000]);
});

it('counts several small steps together as a rise', () => {
  expect(pausesOf([0.2, 0.2006, 0.2012])).toEqual([1_000, 5_000, 1_000]);
});

it('waits longer after a failed answer', () => {
  expect(askAgainMs(countingAfter(undefined, 0.2), true)).toBe(5_000);
});
