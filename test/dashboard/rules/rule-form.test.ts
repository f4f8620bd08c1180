import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { namesIn } from '../../../dashboard/src/pages/rules/language/names.ts';
import {
  faultsOf,
  type RuleForm,
  readRule,
  writeRule,
} from '../../../dashboard/src/pages/rules/language/rule-form.ts';
import { packageRoot } from '../../../src/lib/paths.ts';

const TEXT = `# The file.
group: a
rules:
  # Tried since May.
  - id: first
    description: Says something.
    owner: risk # ask twice
    mode: shadow
    conditions:
      all:
        # Since June.
        - { fact: a.count, operator: greaterThan, value: { fact: threshold.many } }
        - { fact: a.word, operator: in, value: [x, y] }
    event: { type: points, params: { points: 20 } }

  # The other.
  - id: second
    description: Is nested.
    owner: risk
    mode: live
    conditions:
      any:
        - all:
            - { fact: a.flag, operator: equal, value: true }
    event: { type: points, params: { points: -5 } }
`;
const FILES = { 'a.yaml': TEXT };
const isText = (fact: string) => fact === 'a.word';
const first = readRule(FILES, 'a.yaml', 'first') as RuleForm;
const NEW: RuleForm = {
  ...{ file: 'a.yaml', id: 'third', description: 'Is new: the first.', owner: 'risk', mode: 'shadow' },
  ...{ points: '15', expires: '2027-06-30', match: 'any' },
  comparisons: [
    { fact: 'a.flag', operator: 'equal', value: 'true' },
    { fact: 'a.word', operator: 'equal', value: 'true' },
    { fact: 'a.count', operator: 'lessThan', value: '3' },
  ],
};

describe('a rule as a form', () => {
  it('is read from the text', () => {
    expect(first).toEqual({
      ...{ file: 'a.yaml', id: 'first', description: 'Says something.', owner: 'risk', mode: 'shadow' },
      ...{ points: '20', expires: '', match: 'all' },
      comparisons: [
        { fact: 'a.count', operator: 'greaterThan', value: 'threshold.many' },
        { fact: 'a.word', operator: 'in', value: ['x', 'y'] },
      ],
    });
    expect(readRule(FILES, 'a.yaml', 'second')).toMatchObject({ match: 'any', comparisons: null });
    expect(readRule(FILES, 'a.yaml', 'gone')).toBeNull();
  });

  it('is written back as it was where nothing is changed, every shipped rule too', () => {
    const dir = join(packageRoot, 'rules');
    const shipped = readdirSync(dir)
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => [name, readFileSync(join(dir, name), 'utf8')] as const);
    let read = 0;
    for (const [file, text] of [['a.yaml', TEXT] as const, ...shipped]) {
      for (const { id } of namesIn({ [file]: text }).rules) {
        const form = readRule({ [file]: text }, file, id);
        if (form === null) continue;
        read += 1;
        const again = writeRule(text, form, { ...form, points: '99' }, isText);
        expect(readRule({ [file]: again }, file, id)).toEqual({ ...form, points: '99' });
        // Nothing of another rule or a comment is touched.
        const others = (all: string) => namesIn({ [file]: all }).rules.filter((one) => one.id !== id);
        expect(others(again).map(({ at, ...rest }) => rest)).toEqual(
          others(text).map(({ at, ...rest }) => rest),
        );
        expect(again.match(/#.*/g)).toEqual(text.match(/#.*/g));
      }
    }
    expect(read).toBeGreaterThan(10);
  });

  it('writes what was changed alone', () => {
    const changed = { ...first, mode: 'live', points: '25', expires: '2027-06-30' };
    expect(writeRule(TEXT, first, changed, isText)).toBe(
      TEXT.replace('mode: shadow', 'mode: live')
        .replace('points: 20', 'points: 25')
        .replace('[x, y]', '[ x, y ]')
        .replace('points: 25 } }\n', 'points: 25 } }\n    expires: 2027-06-30\n'),
    );
  });

  it('is written at the end of its file, values by the type of the fact, and read as it was entered', () => {
    const text = writeRule(TEXT, null, NEW, isText);
    expect(text).toBe(`${TEXT}
  - id: third
    description: "Is new: the first."
    owner: risk
    mode: shadow
    expires: 2027-06-30
    conditions:
      any:
        - { fact: a.flag, operator: equal, value: true }
        - { fact: a.word, operator: equal, value: "true" }
        - { fact: a.count, operator: lessThan, value: 3 }
    event: { type: points, params: { points: 15 } }
`);
    expect(readRule({ 'a.yaml': text }, 'a.yaml', 'third')).toEqual(NEW);
  });

  it.each(['group: b\nrules:\n', 'group: b\nrules: []\n', 'group: b\nrules: null\n', 'group: b\n'])(
    'is the first of a file without rules: %j',
    (text) => {
      expect(readRule({ 'a.yaml': writeRule(text, null, NEW, isText) }, 'a.yaml', 'third')).toEqual(NEW);
    },
  );

  it('says at its field what is missing, in plain words', () => {
    expect(faultsOf(NEW, null, FILES, isText)).toEqual({});
    const empty = { ...NEW, id: 'First one', description: ' ', owner: '', points: '0', expires: 'soon' };
    expect(Object.keys(faultsOf({ ...empty, comparisons: [] }, null, FILES, isText))).toEqual([
      ...['id', 'description', 'owner', 'points', 'expires', 'comparisons'],
    ]);
    expect(faultsOf({ ...NEW, id: 'first' }, null, FILES, isText)).toEqual({
      id: 'Another rule has this name.',
    });
    expect(faultsOf(first, first, FILES, isText)).toEqual({});
    const comparisons = [{ fact: 'a.word', operator: 'in', value: [] }];
    const many = [{ fact: 'a.count', operator: 'equal', value: 'many' }];
    expect(faultsOf({ ...NEW, comparisons: many }, null, FILES, isText)).toEqual({
      'comparison 0': 'Compare it with a number, or with a threshold by its name.',
    });
    expect(Object.keys(faultsOf({ ...NEW, comparisons }, null, FILES, isText))).toEqual(['comparison 0']);
  });
});
