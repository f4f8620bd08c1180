import { expect, it } from 'vitest';
import {
  daysUpTo,
  firstDayBefore,
  liveByDay,
  liveByDayBefore,
} from '../../dashboard/src/pages/keys/key-usage.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const usage = {
  days: [
    { day: '2026-09-22', live: 1, test: 0, keys: {}, account_id: 'acc_1' },
    { day: '2026-10-21', live: 2, test: 0, keys: {}, account_id: 'acc_1' },
    { day: '2026-10-22', live: 3, test: 0, keys: {}, account_id: 'acc_1' },
    { day: '2026-11-20', live: 4, test: 0, keys: {}, account_id: 'acc_1' },
  ],
};

it('compares each day of the chart with the day one chart length earlier', () => {
  expect([daysUpTo(NOW)[0], daysUpTo(NOW).at(-1)]).toEqual(['2026-10-22', '2026-11-20']);
  expect(liveByDay(usage, NOW)).toEqual([3, ...Array(28).fill(0), 4]);
  expect(liveByDayBefore(usage, NOW)).toEqual([1, ...Array(28).fill(0), 2]);
});

it('requests the days of both periods, and none before', () => {
  expect(firstDayBefore(NOW)).toBe('2026-09-22');
});
