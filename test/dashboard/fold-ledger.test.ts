import { describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../../dashboard/src/api/checks.ts';
import { foldLedger } from '../../dashboard/src/pages/check/fold-ledger.ts';

const rule = (id: string, points: number, group = 'domain'): LedgerEntry => ({
  ...{ kind: 'rule', points, id, group },
  saw: { 'a.b': true },
});
const absorbed = (id: string, by: string, points: number): LedgerEntry => ({
  ...{ kind: 'absorbed', points, id, by },
});
const cap = (points: number, max_score: number, group = 'domain'): LedgerEntry => ({
  ...{ kind: 'cap', points, group, max_score },
});
const BOUND: LedgerEntry = { kind: 'bound', points: -10, min: 0, max: 100 };
const LEVEL: LedgerEntry = { kind: 'level', points: 0, id: 'high', level: 'high', saw: {} };

const read = (ledger: readonly LedgerEntry[]) =>
  foldLedger(ledger).map(({ entry, points, folded, cap: most }) => [
    'id' in entry ? entry.id : entry.kind,
    points,
    folded.map(({ id }) => id),
    most,
  ]);

describe('a ledger', () => {
  it('of five rows that end at 90 becomes one row that ends at 90', () => {
    expect(
      read([
        rule('disposable', 80),
        rule('disposable_evidence', 20),
        rule('tld_high_risk', 25),
        absorbed('disposable_evidence', 'disposable', -20),
        cap(-15, 90),
        LEVEL,
      ]),
    ).toEqual([['disposable', 90, ['disposable_evidence', 'tld_high_risk'], 90]]);
  });

  it('shows replaced rules under the one that replaces them in the end, and each other rule separately', () => {
    expect(
      read([
        rule('a', 10),
        rule('b', 30),
        rule('c', 60),
        rule('d', 15, 'address'),
        absorbed('a', 'b', -10),
        absorbed('b', 'c', -30),
        BOUND,
      ]),
    ).toEqual([
      ['c', 60, ['a', 'b'], null],
      ['d', 15, [], null],
      ['bound', -10, [], null],
    ]);
  });

  it('keeps entries that name a missing rule as they are', () => {
    expect(read([absorbed('gone', 'other', -5), cap(-5, 50), rule('a', 10, 'address')])).toEqual([
      ['a', 10, [], null],
      ['gone', -5, [], null],
      ['cap', -5, [], null],
    ]);
  });

  it.each([
    [[rule('a', 40), rule('b', 70), rule('c', -5), cap(-15, 90), rule('d', 33, 'address'), BOUND]],
    [[rule('a', 40), absorbed('a', 'gone', -40), rule('b', 5)]],
    [[rule('a', 40), rule('b', 60), absorbed('a', 'b', -40), absorbed('b', 'a', -60)]],
  ])('keeps the sum of the points of its entries: %j', (ledger) => {
    const sum = (all: readonly { readonly points: number }[]) =>
      all.reduce((total, { points }) => total + points, 0);
    expect(sum(foldLedger(ledger))).toBe(sum(ledger));
  });
});
