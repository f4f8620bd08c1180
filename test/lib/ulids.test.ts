import { expect, it } from 'vitest';
import { createUlids } from '../../src/lib/ulids.ts';

it('ids of one generator are distinct and sort by creation, across pools, within a millisecond and after the clock is set back', () => {
  const next = createUlids();
  // 2,000 milliseconds of 16 bytes each empty the pool several times.
  const ids = Array.from({ length: 4_000 }, (_, n) => next(1_700_000_000_000 + Math.floor(n / 2)));
  ids.push(next(1_600_000_000_000));
  expect(ids.every((id) => /^[0-9A-HJKMNP-TV-Z]{26}$/.test(id))).toBe(true);
  expect(ids).toEqual([...new Set(ids)].sort());
});

it('ids of two generators differ, and use every character of the alphabet in every place of their random part', () => {
  const ids = Array.from({ length: 3_000 }, (_, n) => createUlids()(n));
  for (let place = 10; place < 26; place++) {
    expect(new Set(ids.map((id) => id[place])).size).toBe(32);
  }
});
