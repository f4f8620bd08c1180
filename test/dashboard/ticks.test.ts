import { scaleLinear } from '@visx/scale';
import { expect, it } from 'vitest';
import { ticksOf } from '../../dashboard/src/ui/charts/ticks.ts';

const upTo = (highest: number) => scaleLinear({ domain: [0, highest], range: [200, 0], nice: 4 });

it.each([
  [1, [0, 1]],
  [2, [0, 1, 2]],
  [3, [0, 1, 2, 3]],
  [300, [0, 100, 200, 300]],
])('labels for counts up to %i are whole numbers, each once', (highest, expected) => {
  expect(ticksOf(upTo(highest), true)).toEqual(expected);
});

it('labels for durations and shares may be fractions', () => {
  expect(ticksOf(upTo(1), false)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
});
