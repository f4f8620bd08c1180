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
  ...{ points: '15', percent: '', salt: '', starts: '2027-02-01', expires: '2027-06-30' },
  ...{ match: 'any', count: '' },
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
      ...{ points: '20', percent: '', salt: '', starts: '', expires: '', match: 'all', count: '' },
      comparisons: [
        { fact: 'a.count', operator: 'greaterThan', value: 'threshold.many' },
        { fact: 'a.word', operator: 'in', value: ['x', 'y'] },
      ],
    });
    expect(readRule(FILES, 'a.yaml', 'second')).toMatchObject({ match: 'any', comparisons: null });
    expect(readRule(FILES, 'a.yaml', 'gone')).toBeNull();
  });

  it('is written back unchanged where nothing is edited, for every shipped rule too', () => {
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
        // Other rules and comments are not changed.
        const others = (all: string) => namesIn({ [file]: all }).rules.filter((one) => one.id !== id);
        expect(others(again).map(({ at, ...rest }) => rest)).toEqual(
          others(text).map(({ at, ...rest }) => rest),
        );
        expect(again.match(/#.*/g)).toEqual(text.match(/#.*/g));
      }
    }
    expect(read).toBeGreaterThan(10);
  });

  it('writes only what was edited', () => {
    const changed = { ...first, mode: 'live', points: '25', expires: '2027-06-30' };
    expect(writeRule(TEXT, first, changed, isText)).toBe(
      TEXT.replace('mode: shadow', 'mode: live')
        .replace('points: 20', 'points: 25')
        .replace('[x, y]', '[ x, y ]')
        .replace('points: 25 } }\n', 'points: 25 } }\n    expires: 2027-06-30\n'),
    );
  });

  it('is added at the end of its file, with values by the type of the fact, and read back as it was entered', () => {
    const text = writeRule(TEXT, null, NEW, isText);
    expect(text).toBe(`${TEXT}
  - id: third
    description: "Is new: the first."
    owner: risk
    mode: shadow
    starts: 2027-02-01
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

  it('keeps a condition that it names, and can name another', () => {
    const use = '        - { condition: unread }\n';
    const named = TEXT.replace('        # Since June.\n', `${use}        # Since June.\n`);
    const form = readRule({ 'a.yaml': named }, 'a.yaml', 'first') as RuleForm;
    expect(form.comparisons?.[0]).toEqual({ condition: 'unread' });
    expect(writeRule(named, form, { ...form, points: '25' }, isText)).toBe(
      named.replace('points: 20', 'points: 25').replace('[x, y]', '[ x, y ]'),
    );
    const other = { ...form, comparisons: [{ condition: 'odd' }, ...(form.comparisons?.slice(1) ?? [])] };
    const text = writeRule(named, form, other, isText);
    expect(text).toContain('- { condition: odd }\n');
    expect(readRule({ 'a.yaml': text }, 'a.yaml', 'first')).toEqual(other);
    const empty = { ...form, comparisons: [{ condition: '' }] };
    expect(faultsOf(empty, form, { 'a.yaml': named }, isText)).toEqual({
      'comparison 0': 'Choose a condition by its name.',
    });
    expect(faultsOf(other, form, { 'a.yaml': named }, isText)).toEqual({});
  });

  it('does not edit a condition that is a name with other members', () => {
    const named = TEXT.replace(
      '{ fact: a.word, operator: in, value: [x, y] }',
      '{ not: { condition: unread } }',
    );
    expect(readRule({ 'a.yaml': named }, 'a.yaml', 'first')).toMatchObject({ comparisons: null });
  });

  it('has a number of required comparisons, which is read back as it was entered', () => {
    const counting: RuleForm = { ...NEW, match: 'at_least', count: '2' };
    const text = writeRule(TEXT, null, counting, isText);
    expect(text).toContain(
      '    conditions:\n      at_least:\n        count: 2\n        of:\n          - { fact: a.flag, operator: equal, value: true }\n',
    );
    expect(readRule({ 'a.yaml': text }, 'a.yaml', 'third')).toEqual(counting);
    for (const count of ['', '0', '4', 'two'])
      expect(Object.keys(faultsOf({ ...counting, count }, null, FILES, isText))).toEqual(['count']);
    expect(faultsOf(counting, null, FILES, isText)).toEqual({});
    const all = writeRule(text, counting, { ...counting, match: 'all', count: '' }, isText);
    expect(readRule({ 'a.yaml': all }, 'a.yaml', 'third')).toEqual({ ...counting, match: 'all', count: '' });
  });

  describe('that is rolled out', () => {
    const line = '    # Since July.\n    rollout:\n      percent: 5 # as agreed\n';
    const rolled = TEXT.replace('mode: shadow\n', `mode: live\n${line}`);
    const form = readRule({ 'a.yaml': rolled }, 'a.yaml', 'first') as RuleForm;
    const written = (part: Partial<RuleForm>, text = rolled) => {
      const before = readRule({ 'a.yaml': text }, 'a.yaml', 'first') as RuleForm;
      const after = { ...before, ...part };
      const again = writeRule(text, before, after, isText).replace('[ x, y ]', '[x, y]');
      expect(readRule({ 'a.yaml': again }, 'a.yaml', 'first')).toEqual(after);
      return again;
    };

    it('is read, and written back with its comments where the percentage or the salt is changed', () => {
      expect(form).toMatchObject({ mode: 'live', percent: '5', salt: '' });
      expect(written({ percent: '25' })).toBe(rolled.replace('percent: 5', 'percent: 25'));
      const salted = written({ salt: 'may' });
      expect(salted).toBe(rolled.replace('# as agreed\n', '# as agreed\n      salt: may\n'));
      expect(written({ salt: '' }, salted)).toBe(rolled);
      expect(written({ salt: '2026' }, salted)).toContain('salt: "2026"');
      expect(written({ points: '25' })).toBe(rolled.replace('points: 20', 'points: 25'));
    });

    it('counts for everyone once the percentage is removed, and for a part again once there is one', () => {
      const live = TEXT.replace('mode: shadow', 'mode: live');
      expect(written({ percent: '', salt: '' })).toBe(live);
      expect(written({ percent: '10' }, live)).toBe(
        live.replace('mode: live\n', 'mode: live\n    rollout: { percent: 10 }\n'),
      );
      expect(written({ percent: '10', salt: 'may' }, live)).toContain(
        '    rollout: { percent: 10, salt: may }\n',
      );
      const broken = live.replace('mode: live\n', 'mode: live\n    rollout: 5\n');
      expect(written({ percent: '10' }, broken)).toBe(
        live.replace('mode: live\n', 'mode: live\n    rollout: { percent: 10 }\n'),
      );
      const fresh = { ...NEW, mode: 'live', percent: '1', salt: 'may' };
      const text = writeRule(TEXT, null, fresh, isText);
      expect(text).toContain('    mode: live\n    rollout: { percent: 1, salt: may }\n    starts:');
      expect(readRule({ 'a.yaml': text }, 'a.yaml', 'third')).toEqual(fresh);
    });
  });

  it.each(['group: b\nrules:\n', 'group: b\nrules: []\n', 'group: b\nrules: null\n', 'group: b\n'])(
    'is the first of a file without rules: %j',
    (text) => {
      expect(readRule({ 'a.yaml': writeRule(text, null, NEW, isText) }, 'a.yaml', 'third')).toEqual(NEW);
    },
  );

  it('shows missing input at its field, in plain words', () => {
    expect(faultsOf(NEW, null, FILES, isText)).toEqual({});
    const empty = {
      ...NEW,
      id: 'First one',
      description: ' ',
      owner: '',
      points: '0',
      starts: '1 Feb',
      expires: 'soon',
    };
    expect(Object.keys(faultsOf({ ...empty, comparisons: [] }, null, FILES, isText))).toEqual([
      ...['id', 'description', 'owner', 'points', 'starts', 'expires', 'comparisons'],
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
