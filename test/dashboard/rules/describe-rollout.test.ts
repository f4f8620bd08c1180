import { describe, expect, it } from 'vitest';
import { describeRollout } from '../../../dashboard/src/pages/rules/effect/describe-rollout.ts';
import { namesIn } from '../../../dashboard/src/pages/rules/language/names.ts';

const counts = (unlabelled: number) => ({ good: 0, bad: 0, unlabelled });
const live = (percent: number | null, outside = 0) => ({
  mode: 'live' as const,
  rollout: percent === null ? null : { percent, outside: counts(outside) },
});

describe('a rollout in the list of rules', () => {
  it('is read from the text, only of rules with points', () => {
    const rule = '{ id: a, mode: live, rollout: { percent: 10 } }';
    const { rules } = namesIn({
      'a.yaml': `rules:\n  - ${rule}\n  - { id: b, rollout: { percent: half } }\n  - { id: c }\n`,
      'decision.yaml': `actions:\n  - ${rule}\n`,
    });
    expect(rules.map(({ percent }) => percent)).toEqual([10, null, null, null]);
  });

  it.each([
    [{ mode: 'live', percent: 10 }, null, null, '10 %', 'of people'],
    [{ mode: 'shadow', percent: 10 }, null, null, '10 %', 'of people once it is live'],
    [
      { mode: 'live', percent: 25 },
      live(10),
      live(25, 1),
      '25 %',
      'of people, was 10 %, fired outside in 1 check',
    ],
    [
      { mode: 'live', percent: 10 },
      live(10, 7),
      live(10, 1_234),
      '10 %',
      'of people, fired outside in 1,234 checks',
    ],
    [{ mode: 'live', percent: 10 }, live(null), live(10), '10 %', 'of people, was 100 %'],
    [{ mode: 'live', percent: null }, live(10, 3), live(null), '100 %', 'of people, was 10 %'],
  ] as const)(
    'says for whom the rule counts, and for whom it did before: %j',
    (named, base, candidate, share, told) => {
      expect(describeRollout({ named, base, candidate })).toMatchObject({ share, told });
    },
  );

  it('is explained in a sentence', () => {
    const meansOf = (named: { readonly mode: string; readonly percent: number | null }) =>
      describeRollout({ named, base: live(10), candidate: null })?.means;
    expect(meansOf({ mode: 'live', percent: 10 })).toMatch(/^It counts for 10 % of people, the same ones/);
    expect(meansOf({ mode: 'shadow', percent: 10 })).toBe('Its rollout does nothing until it is live.');
    expect(meansOf({ mode: 'live', percent: null })).toBe('It counts for everyone.');
  });

  it.each([
    [{ mode: 'live', percent: null }, null],
    [{ mode: 'live', percent: null }, live(null)],
    [
      { mode: 'live', percent: null },
      { mode: 'shadow' as const, rollout: null },
    ],
    [null, live(10)],
  ] as const)(
    'is not shown where the rule counts for everyone, now and before, or was removed: %j, %j',
    (named, base) => {
      expect(describeRollout({ named, base, candidate: null })).toBeNull();
    },
  );
});
