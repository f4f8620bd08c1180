import { describe, expect, it } from 'vitest';
import { historyOf, marksOf } from '../../dashboard/src/pages/overview/version-marks.ts';
import { groupMarks } from '../../dashboard/src/ui/charts/mark-groups.ts';

const DAY = '2026-11-20T';
const version = (number: number, time: string, more = {}) => ({
  ...{ version: number, at: `${DAY}${time}:00.000Z`, author: 'ana@firm.example', reason: 'change' as const },
  ...more,
});

describe('marks of versions', () => {
  const versions = [
    version(5, '12:00'),
    version(4, '11:00', { reason: 'draft' }),
    version(3, '10:30', { author: null }),
    version(2, '10:00'),
    version(1, '09:59'),
  ];

  it('are the versions that came into force within the time, in that order', () => {
    const marks = marksOf(versions, `${DAY}10:00:00.000Z`, `${DAY}12:00:00.000Z`);
    expect(marks.map(({ name, detail }) => [name, detail])).toEqual([
      ['Version 2', 'by ana@firm.example'],
      ['Version 3', 'author unknown'],
    ]);
  });

  it('that would overlap are one mark, which links to the changes of all of them', () => {
    const marks = marksOf(versions, `${DAY}00:00:00.000Z`, `${DAY}23:00:00.000Z`);
    const minutes = (time: number) => (time - Date.parse(`${DAY}00:00:00.000Z`)) / 60_000;
    const groups = groupMarks(marks, minutes, 24);
    expect(groups.map((group) => [group.left, group.marks.map(({ key }) => key)])).toEqual([
      [600, ['1', '2']],
      [630, ['3']],
      [720, ['5']],
    ]);
    const links = groups.map(
      ({ marks: [first, second = first] }) => first && second && historyOf(first, second),
    );
    expect(links).toEqual([
      '/rules/history?before=1&after=2',
      '/rules/history?before=2&after=3',
      '/rules/history?before=4&after=5',
    ]);
    expect(marks[0] && historyOf(marks[0], marks[0])).toBe('/rules/history');
  });
});
