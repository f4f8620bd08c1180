import { describe, expect, it } from 'vitest';
import {
  type NewNamedList,
  newFileOf,
  openEditable,
  writeNamedList,
} from '../../src/lists/named-list-file.ts';

const ABOUT = { description: 'Whom we invite: all of them.', owner: 'risk' };
const YAML = { kind: 'yaml' as const, name: 'partners', ...ABOUT };
const TXT = { kind: 'txt' as const, name: 'rented' };

/** The reasons why a list is refused, each with its place. */
function refusal(list: NewNamedList): readonly object[] {
  try {
    writeNamedList(list);
    return [];
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_request' });
    return (error as { details: readonly object[] }).details;
  }
}

describe('a new named list', () => {
  it('is written in a form that lint accepts, with one entry on each line', () => {
    const text = writeNamedList({ ...YAML, entries: ['a.example', '.b.example', 'BÜCHER.example'] });
    expect(text).toBe(
      'description: "Whom we invite: all of them."\nowner: risk\nentries:\n  - a.example\n  - .b.example\n  - BÜCHER.example\n',
    );
    const list = openEditable(text, newFileOf(YAML));
    list.add({ value: 'c.example', owner: 'sales' });
    expect(list.entries.map(({ value }) => value)).toEqual([
      ...['a.example', '.b.example', 'BÜCHER.example', 'c.example'],
    ]);
    expect(writeNamedList({ ...TXT, entries: ['a.example', '.b.example'] })).toMatch(
      /^# .*\na\.example\n\.b\.example\n$/,
    );
  });

  it.each([YAML, TXT])('may be empty, and accepts entries later: $kind', (list) => {
    const opened = openEditable(writeNamedList({ ...list, entries: [] }), newFileOf(list));
    expect(opened.entries).toEqual([]);
    opened.add({ value: 'a.example' });
    expect(opened.toString()).toMatch(/\ba\.example\n$/);
  });

  it('keeps a long description on one line, so that the places of entries stay correct', () => {
    const long = { ...YAML, description: 'word '.repeat(90).trim() };
    expect(refusal({ ...long, entries: ['a.example', 'b', 'c.example'] })).toMatchObject([
      { path: 'body/list/entries/1' },
    ]);
  });

  it.each([YAML, TXT])('names each invalid entry, and the intended form: $kind', (list) => {
    expect(refusal({ ...list, entries: ['a.example', '*.b.example', 'jane@c.example'] })).toEqual([
      { path: 'body/list/entries/1', message: expect.stringContaining('.b.example'), meant: '.b.example' },
      { path: 'body/list/entries/2', message: expect.stringContaining('allow.yaml') },
    ]);
  });

  it.each<[string, NewNamedList, string]>([
    [
      'a .yaml list without an owner',
      { kind: 'yaml', name: 'a', description: 'Ours.', entries: [] },
      'owner',
    ],
    [
      'a .yaml list without a description',
      { kind: 'yaml', name: 'a', owner: 'risk', entries: [] },
      'description',
    ],
    ['a .txt list with an owner', { ...TXT, owner: 'risk', entries: [] }, 'owner'],
  ])('is not %s', (_what, list, member) => {
    expect(refusal(list)).toMatchObject([{ path: `body/list/${member}` }]);
  });

  it.each(['Partners', 'my-list', '../x', ''])('cannot have the name "%s"', (name) => {
    expect(refusal({ ...YAML, name, entries: [] })).toEqual([
      { path: 'body/list/name', message: 'a name may hold only a-z, 0-9 and _' },
    ]);
  });
});
