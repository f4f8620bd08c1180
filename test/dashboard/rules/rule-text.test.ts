import { describe, expect, it } from 'vitest';
import { namesIn } from '../../../dashboard/src/pages/rules/language/names.ts';
import { placeOfRule, withMode } from '../../../dashboard/src/pages/rules/language/rule-text.ts';
import { triedRules } from '../../../dashboard/src/pages/rules/shadow/tried-rules.ts';

const TEXT = `group: a
rules:
  # Tried since May.
  - id: first
    mode: shadow # for now
    owner: risk
    starts: 2027-02-01
    expires: 2027-06-30
    event: { type: points, params: { points: 20 } }
  - description: Says something.
    id: second
  - { id: third, owner: risk }
`;

describe('a rule in the text', () => {
  it('is found by its id, with what the list of rules shows', () => {
    const files = { 'a.yaml': TEXT, 'tests/a.yaml': '- { name: first }\n' };
    expect(placeOfRule(files, 'second')).toEqual({
      file: 'a.yaml',
      place: { line: 11, column: 9, end_column: 15 },
    });
    expect(placeOfRule(files, 'gone')).toBeNull();
    expect(namesIn(files).rules).toMatchObject([
      {
        id: 'first',
        list: 'rules',
        mode: 'shadow',
        owner: 'risk',
        starts: '2027-02-01',
        expires: '2027-06-30',
        points: 20,
      },
      { id: 'second', mode: 'live', owner: '', starts: null, expires: null, points: null },
      { id: 'third', mode: 'live' },
    ]);
  });

  it('gets another mode, and nothing else in the file changes', () => {
    expect(withMode(TEXT, 'first', 'live')).toBe(TEXT.replace('mode: shadow', 'mode: live'));
    expect(withMode(TEXT, 'second', 'off')).toBe(TEXT.replace('id: second\n', 'id: second\n    mode: off\n'));
    expect(withMode(TEXT, 'third', 'off')).toBe(TEXT.replace('id: third,', 'id: third, mode: off,'));
    expect(withMode(TEXT, 'gone', 'off')).toBeNull();
  });
});

describe('the board of shadow rules', () => {
  const report = (id: string, total: number) => ({ id, checks: { total } }) as never;

  it('uses a replay of the records where a rule has fewer live checks', () => {
    const rows = triedRules({
      rules: [report('new', 0), report('old', 1_000)],
      replayed: [report('new', 900), report('old', 1_000)],
    });
    expect(rows.map(({ basis }) => basis)).toEqual([
      'replay of 900 checks; tried live in 0',
      'tried live in 1,000 checks',
    ]);
    expect(rows.map(({ shown }) => shown.checks.total)).toEqual([900, 1_000]);
  });
});
