import { describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../../dashboard/src/api/checks.ts';
import { describeEntry, sideOf, thresholdsOf } from '../../dashboard/src/pages/check/describe-entry.ts';

describe('an entry of a ledger', () => {
  it.each<[LedgerEntry, string]>([
    [
      { kind: 'rule', points: 20, id: 'mail', group: 'g', saw: { 'mx.outcome': null, 'a.b': false } },
      'mx.outcome = unknown, a.b = false',
    ],
    [{ kind: 'absorbed', points: -20, id: 'mail', by: 'no_mail' }, 'replaced by no_mail'],
    [{ kind: 'cap', points: -5, group: 'g', max_score: 50 }, 'the group counts up to 50'],
    [{ kind: 'bound', points: -5, min: 0, max: 100 }, 'a score is from 0 to 100'],
    [{ kind: 'stood_aside', points: 0, id: 'mail', unknown: ['a.b', 'c.d'] }, 'unknown: a.b, c.d'],
    [
      { kind: 'stood_aside', points: 0, id: 'mail', unknown: ['a.b', 'rollout.bucket'] },
      'unknown: a.b, the side of the rollout',
    ],
    [
      { kind: 'shadow', points: 0, id: 'draft', would_add: 7, saw: { 'a.b': true } },
      'would add 7: a.b = true',
    ],
  ])('names the facts behind it: %j', (entry, text) => {
    expect(describeEntry(entry)).toBe(text);
  });

  it('names the side of the rollout, where its rule is rolled out', () => {
    const rollouts = [
      { rule: 'mail', percent: 5, inside: true, told: 'inside the 5 % of its rollout' },
      { rule: 'draft', percent: 9, inside: false, told: 'outside the 9 % of its rollout' },
    ];
    const saw = { 'a.b': true };
    expect(describeEntry({ kind: 'rule', points: 20, id: 'mail', group: 'g', saw }, rollouts)).toBe(
      'inside the 5 % of its rollout; a.b = true',
    );
    expect(describeEntry({ kind: 'rule', points: 20, id: 'other', group: 'g', saw }, rollouts)).toBe(
      'a.b = true',
    );
    expect(describeEntry({ kind: 'stood_aside', points: 0, id: 'draft', unknown: ['a.b'] }, rollouts)).toBe(
      'outside the 9 % of its rollout; unknown: a.b',
    );
    const shadow = { kind: 'shadow', points: 0, id: 'draft', would_add: 7, saw } as const;
    expect(sideOf(shadow, rollouts)).toBe('outside the 9 % of its rollout');
    expect(describeEntry(shadow, rollouts)).toBe('would add 7: a.b = true');
  });

  it('shows the scores from which the outcome changes, equal ones together', () => {
    const ledger: LedgerEntry[] = [
      { kind: 'rule', points: 80, id: 'some', group: 'g', saw: { 'threshold.long': 30 } },
      {
        kind: 'level',
        points: 0,
        id: 'high',
        level: 'high',
        saw: { risk_score: 80, 'threshold.high_score': 70 },
      },
      { kind: 'action', points: 0, id: 'block', action: 'BLOCK', saw: { 'threshold.block_score': 70 } },
      {
        kind: 'action',
        points: 0,
        id: 'more',
        action: 'BLOCK',
        saw: { 'threshold.more': 60, 'threshold.far': 300 },
      },
    ];
    expect(thresholdsOf(ledger)).toEqual([
      { label: 'high, block', value: 70 },
      { label: 'more', value: 60 },
    ]);
  });
});
