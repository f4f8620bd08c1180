import { IconKey } from '@tabler/icons-react';
import { describe, expect, it } from 'vitest';
import { type Places, paletteGroups } from '../../dashboard/src/shell/palette/palette-entries.ts';

const PLACES: Places = {
  pages: [
    { path: '/checks', title: 'Checks', icon: IconKey },
    { path: '/checks/:id', title: 'A check', icon: IconKey },
    { path: '/rules/history', title: 'Rule history', icon: IconKey },
  ],
  accounts: [{ id: 'acc_2', name: 'Second shop' }],
  rules: [
    { id: 'role_address', description: 'Nobody in particular reads it.', file: 'local.yaml' },
    { id: 'disposable', description: 'A throw-away service.', file: 'domain.yaml' },
    { id: 'not_disposable', description: 'Another one.', file: 'domain.yaml' },
  ],
  sections: [
    { href: '/docs/api#keys', title: 'Keys', within: 'The API', words: 'rotat key secret' },
    { href: '/docs/errors', title: 'Errors', within: '', words: 'cod' },
  ],
};

const offered = (typed: string, places = PLACES) =>
  paletteGroups(typed, places).map(({ name, entries }) => [name, ...entries.map(({ title }) => title)]);
const targetOfChecks = (typed: string) =>
  paletteGroups(typed, PLACES)
    .find(({ name }) => name === 'Checks')
    ?.entries.at(-1)?.to;

describe('the command palette', () => {
  it('offers pages and accounts before any input, and no page that needs an id', () => {
    expect(offered('')).toEqual([
      ['Pages', 'Checks', 'Rule history'],
      ['Accounts', 'Second shop'],
    ]);
  });

  it('finds all words in any order and in descriptions, with titles that begin with the text first', () => {
    expect(offered(' disposable ')[0]).toEqual(['Rules', 'disposable', 'not_disposable']);
    expect(offered('history rule')[0]).toEqual(['Pages', 'Rule history']);
    expect(offered('THROW service')[0]).toEqual(['Rules', 'disposable']);
    expect(offered('acc_2')[0]).toEqual(['Accounts', 'Second shop']);
  });

  it.each([
    ['chk_01M807', { href: '/checks/chk_01M807' }],
    ['chk_/../keys', { href: '/checks/chk_%2F..%2Fkeys' }],
    ['Example.org', { href: '/checks?domain=example.org' }],
    ['key_1', { href: '/checks?key_id=key_1' }],
    ['a b&c', { href: '/checks?rule=a+b%26c' }],
    // Personal data is kept out of the address.
    ['jane@example.org', { email: 'jane@example.org' }],
  ])('opens the checks for %j', (typed, target) => {
    expect(targetOfChecks(typed)).toEqual(target);
  });

  it('offers no checks to a person without access to them', () => {
    expect(offered('example.org', { ...PLACES, pages: [] })).toEqual([]);
  });

  it('shows at most eight rules', () => {
    const rules = Array.from({ length: 20 }, (_, n) => ({
      id: `rule_${n}`,
      description: '',
      file: 'a.yaml',
    }));
    expect(offered('rule_', { ...PLACES, rules })[0]).toHaveLength(9);
  });

  it('puts documents first for several words, and checks first for one word', () => {
    expect(offered('how do I rotate a key')).toEqual([
      ['Docs', 'Keys'],
      ['Checks', 'Search checks for “how do I rotate a key”'],
    ]);
    expect(offered('rotate').at(-1)).toEqual(['Docs', 'Keys']);
  });
});
