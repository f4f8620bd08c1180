import { describe, expect, it } from 'vitest';
import { anAddress } from '../../test/support/addresses.ts';
import { prepareCheck } from '../../test/support/check-with.ts';
import { hasMeasuringData, measuringRows } from '../../test/support/measuring-data.ts';
import disposable from './index.ts';
import { loadExemptions } from './load.ts';
import { matchDomain, upToRegistrable } from './match.ts';
import { hostOf } from './siblings.ts';

const { find, source } = await prepareCheck(disposable);
const isDisposable = async (domain: string) =>
  (await find(anAddress('x', domain))).facts['domain.is_known_disposable'];

const lists = [
  {
    name: 'one',
    version: '1',
    domains: new Set(['bad.com', 'eu.org', 'throw.eu.org', 'both.net', 'worse.good.org']),
  },
  { name: 'two', version: '1', domains: new Set(['both.net']) },
];
const good = { domain: 'good.org', kind: 'company', reason: 'x', source: 'x' } as const;

describe('matching', () => {
  const match = (domain: string) => matchDomain(domain, lists, new Map([['good.org', good]]));

  it.each([
    ['bad.com', 'bad.com'],
    ['a.b.bad.com', 'bad.com'],
    ['throw.eu.org', 'throw.eu.org'],
    ['x.throw.eu.org', 'throw.eu.org'],
    ['worse.good.org', 'worse.good.org'],
  ])('finds %s by %s', (domain, listed) => {
    expect(match(domain)).toMatchObject({ kind: 'listed', domain: listed });
  });

  it.each(['notbad.com', 'com', 'eu.org', 'stranger.eu.org', 'bad.com.example.org', 'localhost', ''])(
    'does not find %j',
    (domain) => expect(match(domain)).toEqual({ kind: 'none' }),
  );

  it('names every list that has the domain', () => {
    expect(match('both.net')).toMatchObject({ lists: ['one', 'two'] });
  });

  it('lets an exemption cover subdomains, but not one that is listed itself', () => {
    expect(match('mail.good.org')).toMatchObject({ kind: 'exempt', domain: 'good.org' });
    expect(match('x.worse.good.org')).toMatchObject({ kind: 'listed' });
  });

  it('never walks to a public suffix', () => {
    expect([...upToRegistrable('a.b.example.co.uk')]).toEqual([
      'a.b.example.co.uk',
      'b.example.co.uk',
      'example.co.uk',
    ]);
    for (const suffix of ['co.uk', 'eu.org', 'ddns.net', 'edu.pl', 'us.kg']) {
      expect([...upToRegistrable(suffix)]).toEqual([]);
    }
  });
});

describe('the shipped lists', () => {
  it.each(['mailinator.com', 'sub.mailinator.com', 'yopmail.com', 'guerrillamail.com'])(
    'name %s',
    async (domain) => {
      expect(await isDisposable(domain)).toBe(true);
    },
  );

  it.each([
    'gmail.com',
    'eu.org',
    'ddns.net',
    'someone.ddns.net',
    'university.edu.pl',
    'someone.us.to',
    'example.com',
  ])('do not name %s', async (domain) => expect(await isDisposable(domain)).toBe(false));

  it('never win over an exemption, each of which has its reason and source', async () => {
    for (const { domain, reason, source: where } of loadExemptions().values()) {
      expect(await isDisposable(domain), domain).toBe(false);
      expect(await isDisposable(`user.${domain}`), domain).toBe(false);
      expect(reason && where, domain).toBeTruthy();
    }
  });

  it('tell which list and which domain matched, and their versions', async () => {
    const { evidence } = await find(anAddress('x', 'sub.mailinator.com'));
    expect(evidence).toMatchObject({
      matched: 'mailinator.com',
      lists: expect.arrayContaining(['disposable-domains']),
    });
    expect(source).toMatch(/^disposable-domains@\d\S+ disposable-email-domains-js@\d\S+$/);
  });

  it('tell that a relay is exempt', async () => {
    const { evidence } = await find(anAddress('x', 'user.mozmail.com'));
    expect(evidence).toEqual({ exempt: 'mozmail.com', because: 'relay' });
  });

  it('must agree when two are asked for', async () => {
    const one = 'disposable-email-domains-js';
    const strict = await prepareCheck(disposable, { thresholds: { min_lists: 2 } });
    const named = [await find(anAddress('x', 'mailinator.com')), await find(anAddress('x', '33mail.com'))];
    expect(named.map(({ evidence }) => JSON.stringify(evidence).includes(one))).toEqual([true, false]);
    expect((await strict.find(anAddress('x', 'mailinator.com'))).facts['domain.is_known_disposable']).toBe(
      true,
    );
    expect((await strict.find(anAddress('x', '33mail.com'))).facts['domain.is_known_disposable']).toBe(false);
  });
});

describe('siblings', () => {
  it.each([
    ['x.eu.org', 'eu.org'],
    ['a.x.eu.org', 'eu.org'],
    ['sub.example.com', 'example.com'],
    ['example.com', null],
    ['example.co.uk', null],
    ['eu.org', null],
  ])('of %s stand under %s', (domain, host) => {
    expect(hostOf(domain)).toBe(host);
  });

  it('are counted under a host that hands out subdomains, and not for a domain of its own', async () => {
    const { facts, evidence } = await find(anAddress('x', 'never-seen-before.eu.org'));
    expect(facts['disposable.listed_siblings']).toBeGreaterThan(2);
    expect(evidence).toEqual({ host: 'eu.org' });
    expect((await find(anAddress('x', 'example.com'))).facts['disposable.listed_siblings']).toBe(0);
  });
});

describe.skipIf(!hasMeasuringData)('measured', () => {
  it('names at least half of the domains that were abused last', async () => {
    const rows = measuringRows('abused-domains.tsv');
    const lastDay = rows
      .map(([, , last = '']) => last)
      .sort()
      .at(-1);
    const domains = rows.filter(([, , last]) => last === lastDay).map(([domain = '']) => domain);
    const found = await Promise.all(domains.map(isDisposable));
    expect(found.filter(Boolean).length / domains.length).toBeGreaterThan(0.5);
  });

  it('names no big free provider', async () => {
    const named = [];
    for (const [domain = ''] of measuringRows('free-top.txt'))
      if (await isDisposable(domain)) named.push(domain);
    expect(named).toEqual([]);
  });

  it('names hardly any domain that list maintainers say is not disposable', async () => {
    const named = [];
    for (const [domain = ''] of measuringRows('not-disposable.tsv'))
      if (await isDisposable(domain)) named.push(domain);
    expect(named.length).toBeLessThan(5);
  });
});
