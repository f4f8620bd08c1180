import { applyPatch } from 'diff';
import { describe, expect, it } from 'vitest';
import { changesBetween, describeChanges, unifiedDiff } from '../../src/rules/compare-files.ts';

const entries = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `- { value: ${name}${index}.example }\n`).join('');
const told = (before: string, after: string) =>
  describeChanges(changesBetween({ 'a.yaml': before }, { 'a.yaml': after }));

describe('the lines of changed rule files', () => {
  it.each([
    ['a\nb\nc\n', 'a\nx\ny\nc\n', 'a.yaml +2 -1'],
    ['a\na\nb\n', 'a\nb\n', 'a.yaml -1'],
    ['a\nb\n', 'a\nb', 'a.yaml +1 -1'],
    ['a\nb\n', 'b\na\n', 'a.yaml lines moved'],
    ['', 'a\nb', 'a.yaml +2'],
  ])('are compared with their number of occurrences: %j to %j', (before, after, wanted) => {
    expect(told(before, after)).toBe(wanted);
  });

  it('are counted where each of very many is different', () => {
    expect(told(entries('a', 200_000), entries('b', 200_000))).toBe('a.yaml +200000 -200000');
  });

  it.each([
    ['whole', entries('a', 20_000), entries('b', 20_000)],
    ['whole, without a break at the end', `${entries('a', 3_000)}x`, `${entries('b', 3_000)}y`],
    ['in part', entries('a', 20_000), `${entries('a', 19_999)}x\n`],
  ])('make a patch that can be applied, also where a file is replaced %s', (_, before, after) => {
    const patch = unifiedDiff({ 'a.yaml': before }, { 'a.yaml': after });
    expect(patch).toMatch(/^--- a\/a\.yaml\n\+\+\+ b\/a\.yaml\n@@ /);
    expect(applyPatch(before, patch)).toBe(after);
  });

  it('are searched to a smaller depth in each of many files, which are then replaced as a whole', () => {
    const names = Array.from({ length: 8 }, (_, n) => `f${n}.yaml`);
    const all = (text: string) => Object.fromEntries(names.map((name) => [name, text]));
    const before = entries('a', 400);
    const after = before.replaceAll(/value: a(?=[123])/g, 'value: b');
    const patches = unifiedDiff(all(before), all(after)).split(/^(?=--- a)/m);
    expect(patches).toHaveLength(8);
    for (const one of patches) expect(applyPatch(before, one)).toBe(after);
    const isWhole = (one: string) => one.includes('@@ -1,400 +1,400 @@');
    expect(patches.map(isWhole)).toEqual(names.map(() => true));
    expect(isWhole(unifiedDiff({ 'f0.yaml': before }, { 'f0.yaml': after }))).toBe(false);
  });

  it('make a patch of a file with a blank in its name, followed by a tab for `patch`', () => {
    const [one, other] = [{ 'my rules.yaml': 'a\n' }, { 'my rules.yaml': 'b\n' }];
    expect(unifiedDiff(one, other)).toMatch(/^--- a\/my rules\.yaml\t\n\+\+\+ b\/my rules\.yaml\t\n@@ /);
    expect(unifiedDiff({}, one)).toMatch(/^--- \/dev\/null\t\n\+\+\+ b\/my rules\.yaml\t\n@@ /);
    const long = { 'my rules.yaml': entries('a', 3_000) };
    expect(unifiedDiff(long, {})).toMatch(/^--- a\/my rules\.yaml\t\n\+\+\+ \/dev\/null\t\n@@ /);
  });

  it('make a patch of an added or removed file, of any length', () => {
    const text = entries('a', 5_000);
    const added = unifiedDiff({}, { 'a.yaml': text });
    expect(added).toMatch(/^--- \/dev\/null\n\+\+\+ b\/a\.yaml\n@@ -0,0 \+1,5000 @@\n/);
    expect(applyPatch('', added)).toBe(text);
    const gone = unifiedDiff({ 'a.yaml': text }, {});
    expect(gone).toMatch(/^--- a\/a\.yaml\n\+\+\+ \/dev\/null\n@@ -1,5000 \+0,0 @@\n/);
    expect(applyPatch(text, gone)).toBe('');
  });
});
