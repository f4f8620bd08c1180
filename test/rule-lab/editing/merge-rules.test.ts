import { describe, expect, it } from 'vitest';
import { mergeRules } from '../../../src/rule-lab/editing/merge-rules.ts';

const lines = (...changes: readonly [number, string][]) =>
  Array.from({ length: 30 }, (_, n) => changes.find(([line]) => line === n)?.[1] ?? `line ${n}`)
    .map((line) => `${line}\n`)
    .join('');

describe('a merged draft', () => {
  it('keeps its own changes, and takes the other changes: whole files, and lines of the same file', () => {
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

  it('is not in conflict where its file was saved with other line ends, and keeps them', () => {
    const [base, theirs] = [{ 'a.yaml': lines() }, { 'a.yaml': lines([20, 'theirs']) }];
    const saved = (text: string) => ({ 'a.yaml': text.replaceAll('\n', '\r\n') });
    const merged = (mine: Readonly<Record<string, string>>) => mergeRules({ base, mine, theirs });
    expect(merged(saved(lines()))).toEqual({ files: saved(theirs['a.yaml']), conflicts: [] });
    expect(merged(saved(lines([2, 'mine'])))).toEqual({
      files: saved(lines([2, 'mine'], [20, 'theirs'])),
      conflicts: [],
    });
    expect(merged(saved(lines([20, 'mine']))).conflicts).toEqual([{ file: 'a.yaml', line: 21 }]);
    const mixed = lines([2, 'mine\r']);
    expect(merged({ 'a.yaml': mixed })).toEqual({
      files: { 'a.yaml': lines([2, 'mine\r'], [20, 'theirs']) },
      conflicts: [],
    });
    expect(merged({ 'a.yaml': 'mine' }).conflicts).toEqual([{ file: 'a.yaml', line: 1 }]);
  });

  it('names the files in which both sides changed the same lines, until a side is chosen', () => {
    const base = { 'a.yaml': lines(), 'gone.yaml': 'g\n' };
    const mine = { 'a.yaml': lines([2, 'mine']), 'both.yaml': 'mine\n' };
    const theirs = { 'a.yaml': lines([2, 'theirs']), 'gone.yaml': 'changed\n', 'both.yaml': 'theirs\n' };
    expect(mergeRules({ base, mine, theirs }).conflicts).toEqual([
      { file: 'a.yaml', line: 3 },
      { file: 'both.yaml', line: 1 },
      { file: 'gone.yaml', line: 1 },
    ]);
    const chosen = { 'a.yaml': 'mine', 'both.yaml': 'theirs', 'gone.yaml': 'mine' } as const;
    expect(mergeRules({ base, mine, theirs, chosen })).toEqual({
      files: { 'a.yaml': mine['a.yaml'], 'both.yaml': 'theirs\n' },
      conflicts: [],
    });
  });

  it('names each conflicting line of its own, neighbours too, where lines were added above it', () => {
    const base = { 'a.yaml': lines() };
    const mine = { 'a.yaml': `new\n${lines([5, 'mine'], [20, 'mine'], [28, 'mine'])}` };
    const theirs = { 'a.yaml': lines([5, 'theirs'], [12, 'theirs'], [21, 'theirs']) };
    expect(mergeRules({ base, mine, theirs }).conflicts).toEqual([
      { file: 'a.yaml', line: 7 },
      { file: 'a.yaml', line: 22 },
    ]);
  });

  it('has both texts of a conflict, marked as git marks them, and the rest merged', () => {
    const base = { 'a.yaml': lines(), 'gone.yaml': 'g\n' };
    const mine = { 'a.yaml': lines([2, 'mine'], [3, 'mine too'], [9, 'mine']) };
    const theirs = { 'a.yaml': lines([2, 'theirs'], [20, 'theirs']), 'gone.yaml': 'changed' };
    const both = '<<<<<<< yours\nmine\nmine too\n=======\ntheirs\nline 3\n>>>>>>> theirs\n';
    expect(mergeRules({ base, mine, theirs }).files).toEqual({
      'a.yaml': lines([9, 'mine'], [20, 'theirs']).replace('line 2\nline 3\n', both),
      'gone.yaml': '<<<<<<< yours\n=======\nchanged\n>>>>>>> theirs\n',
    });
  });

  it('has one conflict where adjacent lines are changed on either side in turn', () => {
    const base = { 'a.yaml': lines() };
    const mine = { 'a.yaml': lines([5, 'm5'], [7, 'm7']) };
    const theirs = { 'a.yaml': lines([6, 't6'], [20, 't20']) };
    const { files, conflicts } = mergeRules({ base, mine, theirs });
    expect(conflicts).toEqual([{ file: 'a.yaml', line: 6 }]);
    expect(files['a.yaml']).toContain(
      '<<<<<<< yours\nm5\nline 6\nm7\n=======\nline 5\nt6\nline 7\n>>>>>>> theirs\n',
    );
  });

  it('takes a change that both sides made once, and lines that one side added or removed', () => {
    const base = { 'a.yaml': lines() };
    const both = lines([3, 'both']);
    const mine = { 'a.yaml': both.replace('line 9\n', '').replace('line 15\n', 'line 15\nmine\n') };
    const theirs = { 'a.yaml': both.replace('line 25\n', '').trimEnd() };
    expect(mergeRules({ base, mine, theirs })).toEqual({
      files: { 'a.yaml': mine['a.yaml'].replace('line 25\n', '').trimEnd() },
      conflicts: [],
    });
  });

  it('never moves a change to another place with the same text', () => {
    const rule = (id: string, points: number) =>
      `- id: ${id}\n  owner: risk\n  mode: live\n\n  points: ${points}\n\n\n\n`;
    const base = { 'a.yaml': rule('one', 10) + rule('two', 10) };
    const mine = { 'a.yaml': rule('one', 10) + rule('two', 90) };
    const theirs = { 'a.yaml': rule('one', 10) };
    expect(mergeRules({ base, mine, theirs }).conflicts).toEqual([{ file: 'a.yaml', line: 13 }]);
  });

  it('leaves a file with too many differences to a person', () => {
    const text = (word: string) => Array.from({ length: 2_000 }, (_, n) => `${word} ${n}\n`).join('');
    const [base, mine, theirs] = ['a', 'b', 'c'].map((word) => ({ 'a.yaml': text(word) }));
    expect(mergeRules({ base: base ?? {}, mine: mine ?? {}, theirs: theirs ?? {} }).conflicts).toEqual([
      { file: 'a.yaml', line: 1 },
    ]);
  });

  it('has no conflict where both sides made the same change', () => {
    const both = { 'b.yaml': 'b' };
    expect(mergeRules({ base: { 'a.yaml': 'a' }, mine: both, theirs: both })).toEqual({
      files: { 'b.yaml': 'b' },
      conflicts: [],
    });
  });
});
