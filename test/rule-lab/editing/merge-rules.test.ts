import { describe, expect, it } from 'vitest';
import { mergeRules } from '../../../src/rule-lab/editing/merge-rules.ts';

const lines = (...changes: readonly [number, string][]) =>
  Array.from({ length: 30 }, (_, n) => changes.find(([line]) => line === n)?.[1] ?? `line ${n}`)
    .map((line) => `${line}\n`)
    .join('');

describe('a draft that is brought up to date', () => {
  it('keeps what it changed, and takes what changed elsewhere: whole files, and lines of the same file', () => {
    const base = { 'a.yaml': lines(), 'b.yaml': 'b\n', 'c.yaml': 'c\n', 'd.yaml': 'd\n' };
    const mine = { 'a.yaml': lines([2, 'mine']), 'b.yaml': 'B\n', 'c.yaml': 'c\n', 'mine.yaml': 'm\n' };
    const theirs = { 'a.yaml': lines([20, 'theirs']), 'b.yaml': 'b\n', 'd.yaml': 'd\n', 'new.yaml': 'n\n' };
    expect(mergeRules({ base, mine, theirs })).toEqual({
      files: {
        ...{ 'a.yaml': lines([2, 'mine'], [20, 'theirs']), 'b.yaml': 'B\n' },
        ...{ 'mine.yaml': 'm\n', 'new.yaml': 'n\n' },
      },
      conflicts: [],
    });
  });

  it('names the files of which both changed the same lines, until somebody says whose count', () => {
    const base = { 'a.yaml': lines(), 'gone.yaml': 'g\n' };
    const mine = { 'a.yaml': lines([2, 'mine']), 'both.yaml': 'mine\n' };
    const theirs = { 'a.yaml': lines([2, 'theirs']), 'gone.yaml': 'changed\n', 'both.yaml': 'theirs\n' };
    expect(mergeRules({ base, mine, theirs }).conflicts).toEqual(['a.yaml', 'both.yaml', 'gone.yaml']);
    const chosen = { 'a.yaml': 'mine', 'both.yaml': 'theirs', 'gone.yaml': 'mine' } as const;
    expect(mergeRules({ base, mine, theirs, chosen })).toEqual({
      files: { 'a.yaml': mine['a.yaml'], 'both.yaml': 'theirs\n' },
      conflicts: [],
    });
  });

  it('has nothing to choose where both did the same', () => {
    const both = { 'b.yaml': 'b' };
    expect(mergeRules({ base: { 'a.yaml': 'a' }, mine: both, theirs: both })).toEqual({
      files: { 'b.yaml': 'b' },
      conflicts: [],
    });
  });
});
