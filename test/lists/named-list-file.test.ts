import { describe, expect, it } from 'vitest';
import type { EditableList } from '../../src/lists/list-file.ts';
import { NO_MEMBERS, openEditable } from '../../src/lists/named-list-file.ts';
import { editList } from '../../src/lists/own-lists.ts';

const edited = (text: string, edit: (list: EditableList) => void, path = 'lists/x.yaml') => {
  const list = openEditable(text, path, 'rules');
  edit(list);
  return list.toString();
};
const HEAD = '# Head.\ndescription: D.\nowner: o\n';
const YAML = `${HEAD}entries:
  # Plants.
  - a.example # since May
  # Below.
  - { value: .b.example, reason: R., owner: p, expires: 2026-12-01 } # note
  - C.example
`;

describe('a named list in YAML', () => {
  it('adds a domain as a plain item, and one with a reason as a mapping', () => {
    expect(edited(YAML, (list) => list.add({ value: 'd.example' }))).toBe(`${YAML}  - d.example\n`);
    expect(
      edited(YAML, (list) => list.add({ value: 'd.example', reason: 'Why.', expires: '2027-01-01' })),
    ).toBe(`${YAML}  - value: d.example\n    reason: Why.\n    expires: 2027-01-01\n`);
  });

  it('starts a list where there is none, and keeps the indentation of the items', () => {
    expect(edited(`${HEAD}entries: []\n`, (list) => list.add({ value: 'd.example' }))).toBe(
      `${HEAD}entries:\n  - d.example\n`,
    );
    const flat = `${HEAD}entries: # ours\n# First.\n- a.example\n- value: b.example\n  reason: r\n`;
    expect(edited(flat, (list) => list.add({ value: 'd.example' }))).toContain('\n- d.example\n');
    expect(edited(flat, (list) => list.add({ value: 'd.example' }))).toContain(
      '\n- value: b.example\n  reason: r\n',
    );
  });

  it('changes an entry, and keeps the comments beside it', () => {
    expect(edited(YAML, (list) => list.replace('.b.example', { value: '.b.example', reason: 'S.' }))).toBe(
      YAML.replace('reason: R., owner: p, expires: 2026-12-01', 'reason: S.'),
    );
    expect(edited(YAML, (list) => list.replace('a.example', { value: 'a.example', reason: 'S.' }))).toBe(
      YAML.replace('  - a.example # since May\n', '  # since May\n  - value: a.example\n    reason: S.\n'),
    );
    expect(edited(YAML, (list) => list.replace('a.example', { value: 'z.example' }))).toBe(
      YAML.replace('a.example', 'z.example'),
    );
  });

  it('removes an entry in any case, with its comment, and keeps the head of the file', () => {
    expect(edited(YAML, (list) => expect(list.remove('c.EXAMPLE')).toBe(true))).toBe(
      YAML.replace('  - C.example\n', ''),
    );
    expect(edited(YAML, (list) => list.remove('a.example'))).toBe(
      YAML.replace('  - a.example # since May\n', ''),
    );
    expect(openEditable(YAML, 'lists/x.yaml').remove('nowhere.example')).toBe(false);
  });

  it.each([
    [
      'jane@x.example',
      /^this entry cannot be taken\nrules\/lists\/x\.yaml:10:5 error bad_list_value .*addresses stand in/,
    ],
    ['*.x.example', /did you mean "\.x\.example"\?/],
  ])('refuses %s', (value, message) => {
    expect(() => edited(YAML, (list) => list.add({ value }))).toThrow(message);
  });

  it('refuses a text that already has a fault', () => {
    expect(() => openEditable('description: D.\n', 'lists/x.yaml', 'rules')).toThrow(
      /^rules\/lists\/x\.yaml has mistakes; mend them first\nrules\/lists\/x\.yaml:1:1 error missing_key/,
    );
  });
});

describe('a named list of lines', () => {
  const TXT = '# Head.\r\n\r\n  a.example # since May\r\n.B.example\r\n';
  const line = (edit: (list: EditableList) => void, text = TXT) => edited(text, edit, 'lists/x.txt');

  it('takes the comment after # as the reason of a line', () => {
    expect(openEditable(TXT, 'lists/x.txt').entries).toEqual([
      { value: 'a.example', reason: 'since May' },
      { value: '.B.example' },
    ]);
  });

  it('adds, changes and removes a line, keeps the kind of line ends, and all other lines', () => {
    expect(line((list) => list.add({ value: 'd.example', reason: 'two\nlines' }))).toBe(
      `${TXT}d.example # two lines\r\n`,
    );
    expect(line((list) => list.replace('.b.example', { value: '.b.example', reason: 'R.' }))).toBe(
      TXT.replace('.B.example', '.b.example # R.'),
    );
    expect(line((list) => expect(list.remove('A.example')).toBe(true))).toBe(
      TXT.replace('  a.example # since May\r\n', ''),
    );
    expect(line((list) => expect(list.remove('z.example')).toBe(false))).toBe(TXT);
    expect(line((list) => list.add({ value: 'd.example' }), 'a.example')).toBe('a.example\nd.example\n');
  });

  it.each([
    [{ value: 'd.example', owner: 'risk' }, NO_MEMBERS],
    [{ value: 'd.example', expires: '2027-01-01' }, NO_MEMBERS],
    [{ value: 'd.example\ne.example' }, 'is no domain'],
    [{ value: 'd.example # note' }, 'is no domain'],
    [{ value: 'jane@d.example' }, 'addresses stand in allow.yaml and deny.yaml'],
  ])('refuses %j', (entry, message) => {
    expect(() => line((list) => list.add(entry))).toThrow(message);
  });

  it('refuses a text that already has a fault', () => {
    expect(() => openEditable('what is this\n', 'lists/x.txt')).toThrow(
      'lists/x.txt has mistakes; mend them first',
    );
  });
});

it.each([
  ['a b.example', 'a domain has neither blanks nor #'],
  ['a.example#c', 'a domain has neither blanks nor #'],
])('a change that writes %j into a .txt list is refused with the reason', (value, message) => {
  const edit = {
    file: 'lists/x.txt',
    text: 'z.example\n',
    change: { kind: 'add', entry: { value } },
  } as const;
  expect(() => editList(edit, 0)).toThrow(
    expect.objectContaining({ details: [{ path: 'body/change/entry/value', message }] }),
  );
});
