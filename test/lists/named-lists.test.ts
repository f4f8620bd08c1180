import { expect, it } from 'vitest';
import { describeNamedLists, NamedListReader } from '../../src/lists/named-lists.ts';
import { MOST_ENTRIES } from '../../src/rules/named-list.ts';
import { catalogue } from '../rules/catalogue.ts';
import { DECISION } from '../rules/rules-directory.ts';

it('a list with as many entries as a text file may have is described as any other', () => {
  const lines = Array.from({ length: MOST_ENTRIES.txt }, (_, number) => `d${number}.example\n`);
  const files = { 'decision.yaml': DECISION, 'lists/long.txt': lines.join('') };
  const [list] = describeNamedLists(files, catalogue, Date.parse('2026-11-20'));
  expect(list).toMatchObject({ name: 'long', entries: MOST_ENTRIES.txt, expired: 0, next_end: null });
});

it.each([
  ['xn--bcher-kva.example', ['bücher.example']],
  ['BÜCHER', ['bücher.example']],
  ['mail.münchen.example', ['.xn--mnchen-3ya.example']],
  ['mail.xn--kln-sna.example', ['.köln.example']],
  ['xn--kln-sna', ['.köln.example']],
  ['mail.xn--bcher-kva.example', []],
])(
  'a search for %s finds the entries by which the domain is in the list, however both are written',
  (search, found) => {
    const text = 'bücher.example\n.xn--mnchen-3ya.example\n.köln.example\n';
    const page = { file: 'lists/x.txt', text, search, offset: 0, limit: 10 };
    const { entries } = new NamedListReader().find(page, Date.parse('2026-11-20'));
    expect(entries.map(({ value }) => value)).toEqual(found);
  },
);
