import { describe, expect, it } from 'vitest';
import { conflictsIn, conflictsOf } from '../../../dashboard/src/pages/rules/language/conflicts.ts';
import { newerThan } from '../../../dashboard/src/pages/rules/newer.ts';
import type { Rules } from '../../../dashboard/src/pages/rules/queries.ts';
import { mergeRules } from '../../../src/rule-lab/editing/merge-rules.ts';

const marked = (yours: string, theirs: string) => `<<<<<<< yours\n${yours}=======\n${theirs}>>>>>>> theirs\n`;

describe('lines that both sides have changed', () => {
  it('are found by the conflict marks of the service', () => {
    const base = { 'a.yaml': 'one\ntwo\nthree\n', 'b.yaml': 'b\n' };
    const mine = { 'a.yaml': 'one\nmine\nthree\n', 'b.yaml': 'b\n' };
    const theirs = { 'a.yaml': 'one\n\ntheirs\nthree\n', 'b.yaml': 'B\n' };
    const { files } = mergeRules({ base, mine, theirs });
    const text = files['a.yaml'] ?? '';
    const [conflict, ...others] = conflictsIn(text);
    expect(others).toEqual([]);
    expect(conflict).toMatchObject({ yours: 'mine\n', theirs: '\ntheirs\n' });
    const { from = 0, to = 0, yours = '' } = conflict ?? {};
    expect(text.slice(0, from) + yours + text.slice(to)).toBe(mine['a.yaml']);
    expect(conflictsOf(files)).toEqual([['a.yaml', 1]]);
  });

  it('may occur several times in one file, and be empty on one side', () => {
    const text = `a\n${marked('', 'b\n')}c\n${marked('d\n', '')}`;
    expect(conflictsIn(text).map(({ yours, theirs }) => [yours, theirs])).toEqual([
      ['', 'b\n'],
      ['d\n', ''],
    ]);
  });

  it('are not found where a mark is missing', () => {
    expect(conflictsIn(`<<<<<<< yours\na\n${marked('b\n', 'c\n')}`)).toHaveLength(1);
    expect(conflictsIn('<<<<<<< yours\na\n=======\nb\n')).toEqual([]);
  });
});

describe('the reason why a draft is outdated', () => {
  const workspace = { files: {}, version: 1, name: '', base: {}, saved: {} };
  const draft = { ...workspace, draftId: 'drf_1', revision: 2, baseDigest: '' };
  const rules = (is_behind: boolean, revision: number) =>
    ({ in_force: { digest: 'd2' }, drafts: [{ id: 'drf_1', revision, is_behind }] }) as unknown as Rules;

  it('is a set in force that differs from the one the text was based on', () => {
    const text = { ...workspace, draftId: null, revision: 0 };
    expect(newerThan({ ...text, baseDigest: 'd1' }, rules(false, 2))).toBe('in_force');
    expect(newerThan({ ...text, baseDigest: 'd2' }, rules(false, 2))).toBeNull();
  });

  it('is a newer revision of a draft, before any other reason', () => {
    expect(newerThan(draft, rules(true, 3))).toBe('draft');
    expect(newerThan(draft, rules(false, 2))).toBeNull();
  });

  it('is a draft that is behind the rules in force, until these are merged into it', () => {
    expect(newerThan(draft, rules(true, 2))).toBe('in_force');
    expect(newerThan({ ...draft, baseDigest: 'd2' }, rules(true, 2))).toBeNull();
  });
});
