import { runContract } from 'postern/provider-kit/vitest';
import { describe, expect, it } from 'vitest';
import { anAddress } from '../../test/support/addresses.ts';
import { prepareCheck } from '../../test/support/check-with.ts';
import lists from './index.ts';
import { levelsOf } from './precedence.ts';

const entry = (value: string) => ({ value, reason: 'because', owner: 'risk' });

/** `allow`, `deny` or `neither`; fails when both facts are true. */
async function verdict(
  given: { allow?: string[]; deny?: string[] },
  address = anAddress('jane', 'mail.x.org'),
): Promise<string> {
  const { find } = await prepareCheck(lists, {
    lists: { allow: (given.allow ?? []).map(entry), deny: (given.deny ?? []).map(entry) },
  });
  const { facts } = await find(address);
  expect(facts['lists.allowed'] && facts['lists.denied']).toBe(false);
  if (facts['lists.allowed']) return 'allow';
  return facts['lists.denied'] ? 'deny' : 'neither';
}

describe('an entry covers', () => {
  it.each([
    ['jane@mail.x.org', 'deny'],
    ['Jane@MAIL.x.org', 'deny'],
    ['mail.x.org', 'deny'],
    ['.mail.x.org', 'deny'],
    ['.x.org', 'deny'],
    ['.org', 'deny'],
    ['x.org', 'neither'],
    ['john@mail.x.org', 'neither'],
    ['.ail.x.org', 'neither'],
    ['.other.org', 'neither'],
  ])('jane@mail.x.org when it is %s: %s', async (value, expected) => {
    expect(await verdict({ deny: [value] })).toBe(expected);
    expect(await verdict({ allow: [value] })).toBe(expected === 'deny' ? 'allow' : expected);
  });

  it('the domain itself where the entry is a suffix', async () => {
    expect(await verdict({ deny: ['.x.org'] }, anAddress('jane', 'x.org'))).toBe('deny');
  });

  it('an address by its canonical form and by the submitted form', async () => {
    const address = anAddress('jane', 'gmail.com', { localPart: 'J.ane+x', domain: 'googlemail.com' });
    const submitted = {
      ...address,
      canonical: { ...address.canonical, address: 'jane@gmail.com', domain: 'gmail.com' },
    };
    for (const value of [
      'jane@gmail.com',
      'j.ane+x@googlemail.com',
      'gmail.com',
      'googlemail.com',
      '.googlemail.com',
    ]) {
      expect(await verdict({ deny: [value] }, submitted), value).toBe('deny');
    }
    expect(await verdict({ deny: ['j.ane@gmail.com'] }, submitted)).toBe('neither');
  });

  it('a domain that is written in its own script', async () => {
    expect(await verdict({ deny: ['BÜCHER.example'] }, anAddress('x', 'xn--bcher-kva.example'))).toBe('deny');
  });

  it('an address literal', async () => {
    const literal = anAddress('x', '[192.0.2.1]', { domainKind: 'literal' });
    expect(await verdict({ deny: ['x@[192.0.2.1]'] }, literal)).toBe('deny');
    expect(await verdict({ deny: ['.org'] }, literal)).toBe('neither');
  });
});

describe('levelsOf', () => {
  it('gives the address, the domain, then one level of suffixes for each number of labels', () => {
    const canonical = {
      address: 'user@x.org',
      localPart: 'user',
      domain: 'x.org',
      basis: 'provider',
      changes: ['tag', 'domain'],
    } as const;
    expect(levelsOf(anAddress('tag', 'user.x.org', { canonical }))).toEqual([
      ['user@x.org', 'tag@user.x.org'],
      ['user.x.org', 'x.org'],
      ['.user.x.org'],
      ['.x.org', '.x.org'],
      ['.org', '.org'],
    ]);
  });

  it('gives a domain of a hundred labels a hundred different suffixes', () => {
    const levels = levelsOf(anAddress('x', 'a.'.repeat(99).concat('org')));
    expect(levels.slice(2).map(([suffix]) => suffix?.split('.').length)).toEqual(
      Array.from({ length: 100 }, (_, index) => 101 - index),
    );
  });
});

describe('precedence', () => {
  const ranked = ['jane@mail.x.org', 'mail.x.org', '.mail.x.org', '.x.org', '.org'];
  const pairs = ranked.flatMap((closer, index) =>
    ranked.slice(index + 1).map((wider) => [closer, wider] as const),
  );

  it.each(pairs)('%s beats %s in either list', async (closer, wider) => {
    expect(await verdict({ allow: [closer], deny: [wider] })).toBe('allow');
    expect(await verdict({ allow: [wider], deny: [closer] })).toBe('deny');
  });

  it.each(ranked)('prefers allow to deny where both have %s', async (value) => {
    expect(await verdict({ allow: [value], deny: [value] })).toBe('allow');
  });

  it('ranks the canonical and the submitted form of an address equally', async () => {
    const address = anAddress('jane', 'x.org', { localPart: 'jane+x' });
    expect(await verdict({ allow: ['jane+x@x.org'], deny: ['jane@x.org'] }, address)).toBe('allow');
    expect(await verdict({ allow: ['jane@x.org'], deny: ['jane+x@x.org'] }, address)).toBe('allow');
  });
});

describe('evidence', () => {
  const evidenceOf = async (value: string) => {
    const { find } = await prepareCheck(lists, { lists: { deny: [entry(value)] } });
    return (await find(anAddress('jane', 'mail.x.org'))).evidence;
  };

  it('quotes the entry for a domain and a suffix', async () => {
    expect(await evidenceOf('mail.x.org')).toEqual({
      list: 'deny',
      kind: 'domain',
      value: 'mail.x.org',
      reason: 'because',
      owner: 'risk',
    });
    expect(await evidenceOf('.x.org')).toMatchObject({ kind: 'suffix', value: '.x.org' });
  });

  it('never quotes an address', async () => {
    expect(await evidenceOf('jane@mail.x.org')).toEqual({
      list: 'deny',
      kind: 'address',
      reason: 'because',
      owner: 'risk',
    });
  });

  it('is absent when no entry matches', async () => {
    expect(await evidenceOf('other.org')).toBeUndefined();
  });
});

runContract(lists, {
  given: { lists: { allow: [entry('vip@x.org')], deny: [entry('.x.org')] } },
  cases: [
    { email: 'Vip@x.org', expect: { 'lists.allowed': true, 'lists.denied': false } },
    { email: 'jane@mail.x.org', expect: { 'lists.allowed': false, 'lists.denied': true } },
  ],
});
