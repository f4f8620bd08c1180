import { expect, it } from 'vitest';
import { askAgainMs, type Counting, countingAfter } from '../../dashboard/src/api/counting.ts';

/** After each answer, when the next is asked for. */
function pausesOf(shares: readonly number[]): (number | undefined)[] {
  let counting: Counting | undefined;
  return shares.map((share) => {
    counting = countingAfter(counting, share);
    return askAgainMs(counting, false);
  });
}

it('asks again soon while each answer comes further, and no more when all is counted', () => {
  expect(pausesOf([0.2, 0.4, 0.6, 0.9999, 1])).toEqual([1_000, 1_000, 1_000, 1_000, undefined]);
});

it('waits longer and longer while the share does not rise, and no longer once it does', () => {
  expect(pausesOf([0.2, 0.2, 0.2, 0.2, 0.4, 0.6])).toEqual([1_000, 5_000, 30_000, 30_000, 1_000, 1_000]);
});

it('takes no share for risen that only came back, or that new checks lift a little', () => {
  expect(pausesOf([0.2, 0.19, 0.2, 0.2005])).toEqual([1_000, 5_000, 30_000, 30_000]);
});

it('takes several small steps for a rise', () => {
  expect(pausesOf([0.2, 0.2006, 0.2012])).toEqual([1_000, 5_000, 1_000]);
});

it('waits longer after an answer that failed', () => {
  expect(askAgainMs(countingAfter(undefined, 0.2), true)).toBe(5_000);
});
