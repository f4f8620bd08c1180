import { expect, it } from 'vitest';
import { nearestIndex } from '../../dashboard/src/ui/charts/nearest.ts';

it.each([
  [-5, 0],
  [0, 0],
  [4, 0],
  [6, 1],
  [10, 1],
  [29, 2],
  [99, 2],
])('nearest to %i in 0, 10, 30 is number %i', (wanted, index) => {
  expect(nearestIndex([0, 10, 30], wanted)).toBe(index);
});

it('an empty list has no nearest value', () => expect(nearestIndex([], 1)).toBeNull());
