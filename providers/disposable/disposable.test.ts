import { readFileSync } from 'node:fs';
import { unknown } from 'postern/provider-kit';
import { runContract } from 'postern/provider-kit/vitest';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { anAddress } from '../../test/support/addresses.ts';
import { prepareCheck, withDefaults } from '../../test/support/check-with.ts';
import { hasMeasuringData, measuringRows } from '../../test/support/measuring-data.ts';
import { loadServices } from '../relay/load.ts';
import { snapshotOf } from './download.ts';
import disposable from './index.ts';
import {
  loadExemptions,
  loadFreeProviders,
  loadRegistries,
  loadRegistryGroups,
  loadShipped,
} from './load.ts';
import { loadSources, nameOf } from './sources.ts';
import { readWeights } from './thresholds.ts';
import { weighSnapshot } from './weigh-snapshot.ts';

const BACKEND = 'disposable_mx.shares_backend';
const { find, source } = await prepareCheck(disposable, { needs: { [BACKEND]: false } });
const factsOf = async (domain: string) => (await find(anAddress('x', domain))).facts;
const isDisposable = async (domain: string) => (await factsOf(domain))['domain.is_known_disposable'];

describe('the shipped lists', () => {
  it.each([
    ...['mailinator.com', 'sub.mailinator.com', 'yopmail.com', 'guerrillamail.com', 'sharklasers.com'],
    ...['x.anonbox.net', 'new-one.eu.cc', 'new-one.dpdns.org', 'my-temp-mail.example'],
  ])('make %s a known disposable domain', async (domain) => expect(await isDisposable(domain)).toBe(true));

  it.each([
    ...['gmail.com', 'example.com', 'eu.org', 'someone.eu.org', 'ddns.net', 'someone.ddns.net', 'us.to'],
    ...[
      'someone.us.to',
      'university.edu.pl',
      'edu.pl',
      'my.id',
      'someone.my.id',
      'shop.it.com',
      'shop.uk.com',
    ],
  ])('do not make %s a known disposable domain', async (domain) =>
    expect(await isDisposable(domain)).toBe(false),
  );

  it.each([
    'coza.ro',
    'e.coza.ro',
    'jane.ezfill.com',
    'meinserver.hecat.es',
    'mail.betr.co',
    'irc.so',
    'home.lain.ch',
    'x.jmail.ro',
  ])(
    'do not make %s known: its parent domain was shared with strangers, and only one of them ran a disposable service',
    async (domain) => expect(await isDisposable(domain)).toBe(false),
  );

  it('make no arbitrary name known under a host of dynamic DNS or under a registry', async () => {
    const hosts = loadRegistryGroups().flatMap((group) => group.hosts);
    const known = [];
    for (const host of hosts) {
      for (const name of [`meinserver.${host}`, `mail.smith-family.${host}`])
        if (await isDisposable(name)) known.push(name);
    }
    expect(hosts.length).toBeGreaterThan(1_150);
    expect(known).toEqual([]);
  });

  it.each([
    ...[
      'viewdns.net',
      'myfritz.link',
      'ts.net',
      'rf.gd',
      '42web.io',
      'ws.gy',
      'z86.ru',
      'pe.hu',
      'in-ulm.de',
      'infos.st',
    ],
    ...['nip.io', 'byethost7.com', 'mydns.jp', 'sn.mynetname.net', 'suroot.com', 'wicp.vip', 'loca.lt'],
  ])('include %s among the hosts of dynamic DNS and registries', async (host) => {
    expect(loadRegistries().has(host)).toBe(true);
    expect(await factsOf(`x.${host}`)).toMatchObject({ 'domain.is_known_disposable': false });
  });

  it.each(['meinserver.dynv6.net', 'someone.else.dynv6.net'])(
    'make %s suspect: its host of dynamic DNS is abused often',
    async (domain) =>
      expect(await factsOf(domain)).toMatchObject({
        'domain.is_known_disposable': false,
        'disposable.basis': 'neighbours',
      }),
  );

  it.each(['throwaway.dynv6.net.example', 'temp-mail.mooo.com', 'my-temp-mail.ddns.net'])(
    'judge %s under a host of dynamic DNS by its own name',
    async (domain) => expect(await isDisposable(domain)).toBe(!domain.endsWith('.example')),
  );

  it('make no relay and no exempt domain known, whatever its mail host is', async () => {
    const strict = await prepareCheck(disposable, { needs: { [BACKEND]: true } });
    const relays = loadServices().flatMap(({ domains }) => domains);
    for (const domain of [...relays, ...loadExemptions().keys()]) {
      for (const name of [domain, `user.${domain}`]) {
        const { facts } = await strict.find(anAddress('x', name));
        expect(facts, name).toMatchObject({ 'domain.is_known_disposable': false, 'disposable.points': 0 });
      }
    }
  });

  it('make no big free provider known even without its exemption, except the disposable services among them', async () => {
    const named = [];
    for (const domain of loadFreeProviders()) if (await isDisposable(domain)) named.push(domain);
    expect(named.sort()).toEqual(
      expect.arrayContaining(['guerrillamail.com', 'mailinator.com', 'yopmail.com']),
    );
    expect(named.length).toBeLessThan(12);
  });

  it('report their versions, and the votes behind each verdict', async () => {
    const { evidence } = await find(anAddress('x', 'sub.mailinator.com'));
    expect(evidence).toMatchObject({
      matched: 'mailinator.com',
      votes: expect.arrayContaining([expect.stringMatching(/^fakefilter \d{4}-\d\d-01 to \d{4}-\d\d-\d\d$/)]),
    });
    expect(source).toMatch(/(^| )disposable-domains@\d\S+ .*fakefilter@\d\S+/);
    for (const list of loadSources()) expect(source).toContain(`${nameOf(list)}@`);
  });

  it('make nothing known by one unreviewed list alone, nor by a list that has withdrawn the domain', () => {
    const weights = readWeights(withDefaults(disposable.thresholds));
    const snapshot = loadShipped();
    const { points } = weighSnapshot(snapshot, weights);
    const curated = ['disposable_email_domains_js', 'disposable_domains', 'is_burner_email'];
    const dates = new Map(snapshot.sources.map(({ id, date }) => [id, date]));
    let seen = 0;
    for (const [ballot, votes] of snapshot.ballots.entries()) {
      const standing = votes.filter(({ source: id, lastSeen }) => lastSeen === dates.get(id));
      const isAlone =
        votes.length === 1 && (standing.length === 0 || !curated.includes(votes[0]?.source ?? ''));
      if (!isAlone) continue;
      seen += snapshot.sizes[ballot] ?? 0;
      expect(points[ballot], JSON.stringify(votes)).toBeLessThan(weights.knownAt);
    }
    expect(seen).toBeGreaterThan(100_000);
  });

  it.each([
    ...[
      'samsung.com',
      'whitehouse.gov',
      'nytimes.com',
      'support.facebook.com',
      'atomicmail.io',
      'facebookmail.com',
    ],
    ...['afternic.com', 'tum.de', 'student.ethz.ch'],
    ...[
      'mail.by',
      'secure-mail.biz',
      'gawab.com',
      'hotpop.com',
      'punkass.com',
      'techemail.com',
      'nokiamail.com',
    ],
  ])('do not make %s a known disposable domain', async (domain) =>
    expect(await isDisposable(domain)).toBe(false),
  );

  it('make no domain of a firm, a school or an authority known', async () => {
    const text = readFileSync(new URL('./data/established.txt', import.meta.url), 'utf8');
    const domains = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const known = [];
    for (const domain of domains) if (await isDisposable(domain)) known.push(domain);
    expect(domains.length).toBeGreaterThan(25_000);
    expect(known).toEqual([]);
  });

  it('keep a domain that only an old list names below the threshold, and a lower threshold makes it known', async () => {
    const domain = 'zzz.com';
    const stock = [...loadShipped().domains()].length;
    expect(stock).toBeGreaterThan(100_000);
    const lax = await prepareCheck(disposable, { thresholds: { known_at: 5 }, needs: { [BACKEND]: false } });
    const old = loadShipped();
    const onlyOld = [...old.domains()].find((name) => {
      const votes = old.ballots[old.ballotOf(name)] ?? [];
      return (
        votes.length === 1 && votes[0]?.source === 'disposable_email_domains' && name.split('.').length === 2
      );
    });
    expect(await isDisposable(onlyOld ?? domain)).toBe(false);
    const { facts } = await lax.find(anAddress('x', onlyOld));
    // A known domain has a basis, although its points are below the threshold of a suspicion.
    expect(facts).toMatchObject({ 'domain.is_known_disposable': true, 'disposable.basis': 'lists' });
  });
});

describe('the provider', () => {
  it('takes the mail host as evidence for a domain that no list names', async () => {
    const told = await prepareCheck(disposable, { needs: { [BACKEND]: true } });
    expect(await isDisposable('never-listed.example')).toBe(false);
    expect((await told.find(anAddress('x', 'never-listed.example'))).facts).toMatchObject({
      'domain.is_known_disposable': true,
      'disposable.basis': 'mail_host',
    });
  });

  describe('without the answer about the mail host', () => {
    const without = prepareCheck(disposable, { needs: { [BACKEND]: null } });
    const known = async (domain: string) => (await (await without).find(anAddress('x', domain))).facts;
    const unknown = { unknown: 'not_run' };

    it('answers what the lists alone decide', async () => {
      expect(await known('mailinator.com')).toMatchObject({
        'domain.is_known_disposable': true,
        'disposable.points': unknown,
        'disposable.basis': 'lists',
      });
    });

    it('answers unknown where the mail host could change the result, so that no rule scores for missing evidence', async () => {
      expect(await known('never-listed.example')).toEqual({
        'domain.is_known_disposable': unknown,
        'disposable.points': unknown,
        'disposable.basis': unknown,
        'disposable.listed_siblings': 0,
      });
    });

    it.each(['gmail.com', 'mozmail.com'])(
      'answers that %s is not disposable, whatever the mail host is',
      async (domain) => {
        expect(await known(domain)).toMatchObject({
          'domain.is_known_disposable': false,
          'disposable.points': 0,
          'disposable.basis': 'none',
        });
      },
    );
  });

  it('gives no points to literals and dotless domains', async () => {
    for (const [domain, domainKind] of [
      ['[192.0.2.1]', 'literal'],
      ['com', 'dotless'],
    ] as const) {
      expect((await find(anAddress('x', domain, { domainKind }))).facts).toMatchObject({
        'disposable.points': 0,
      });
    }
  });

  it('applies the lists of the operator', async () => {
    const entry = { value: 'mailinator.com', reason: 'our own tests', owner: 'qa' };
    const own = await prepareCheck(disposable, {
      lists: { allow: [entry], deny: [] },
      needs: { [BACKEND]: true },
    });
    const { facts, evidence } = await own.find(anAddress('x', 'mailinator.com'));
    expect(facts['domain.is_known_disposable']).toBe(false);
    expect(evidence).toEqual({ operator: 'allow', value: 'mailinator.com', reason: 'our own tests' });
  });

  it('uses downloaded lists, with their dates', async () => {
    const records = [
      ['fresh.example', { firstSeen: '2026-10-01', lastSeen: '2026-11-20' }],
      ['gone.example', { firstSeen: '2024-10-01', lastSeen: '2024-11-20' }],
    ] as const;
    const list = {
      name: 'ours',
      version: 'abc',
      date: '2026-11-20',
      entries: 1,
      size: 2,
      records: () => records,
    };
    const fed = await prepareCheck(disposable, { downloads: [list], needs: { [BACKEND]: false } });
    expect((await fed.find(anAddress('x', 'fresh.example'))).facts['disposable.points']).toBe(55);
    expect((await fed.find(anAddress('x', 'gone.example'))).facts['disposable.points']).toBe(44);
    expect(fed.source).toContain('ours@abc');
    expect((await snapshotOf(list)).size).toBe(2);
  });

  it('has the default thresholds in the shipped file', () => {
    const shipped = parse(readFileSync(new URL('../../rules/signals.yaml', import.meta.url), 'utf8'));
    expect(shipped.disposable).toEqual(withDefaults(disposable.thresholds));
  });
});

describe('the data', () => {
  it('is what the sources contain, each with its version, licence and date', () => {
    const { sources } = loadShipped();
    expect(sources.map(({ id }) => id).sort()).toEqual(
      loadSources()
        .map(({ id }) => id)
        .sort(),
    );
    for (const list of loadSources()) {
      const { id, licence, editions } = list;
      const newest = editions.at(-1);
      const expected = { id, licence, version: `${nameOf(list)}@${newest?.version}`, date: newest?.date };
      expect(sources).toContainEqual(expected);
      expect(editions.map(({ date }) => date)).toEqual(editions.map(({ date }) => date).toSorted());
    }
  });

  it('has a reason and a reference for each exemption and registry', () => {
    for (const { domain, reason, source: where } of loadExemptions().values())
      expect(reason && where, domain).toBeTruthy();
    for (const { hosts, reason, source: where } of loadRegistryGroups())
      expect(hosts.length > 0 && reason && where).toBeTruthy();
  });
});

describe.skipIf(!hasMeasuringData)('measured', () => {
  const share = async (domains: readonly string[]) => {
    let known = 0;
    for (const domain of domains) if (await isDisposable(domain)) known += 1;
    return known / domains.length;
  };
  const named = async (file: string) => {
    const found = [];
    for (const [domain = ''] of measuringRows(file)) if (await isDisposable(domain)) found.push(domain);
    return found;
  };

  it('makes known seven in ten of the domains that were abused most recently, and half of all', async () => {
    const rows = measuringRows('abused-domains.tsv');
    const lastDay = rows
      .map(([, , last = '']) => last)
      .sort()
      .at(-1);
    const current = rows.filter(([, , last]) => last === lastDay).map(([domain = '']) => domain);
    expect(await share(current)).toBeGreaterThan(0.7);
    expect(await share(rows.map(([domain = '']) => domain))).toBeGreaterThan(0.55);
  });

  it('makes no big free provider and no relay known', async () => {
    expect(await named('free-top.txt')).toEqual([]);
    const relays = measuringRows('not-disposable.tsv').filter(([, kind]) => kind === 'greylist');
    expect(await share(relays.map(([domain = '']) => domain))).toBe(0);
  });

  it('makes hardly any domain known that list maintainers say is not disposable', async () => {
    expect((await named('not-disposable.tsv')).length).toBeLessThan(3);
  });
});

runContract(disposable, {
  given: { needs: { [BACKEND]: false } },
  cases: [
    {
      email: 'x@mailinator.com',
      expect: { 'domain.is_known_disposable': true, 'disposable.basis': 'lists' },
    },
    {
      email: 'jane@gmail.com',
      expect: {
        'domain.is_known_disposable': false,
        'disposable.points': 0,
        'disposable.basis': 'none',
        'disposable.listed_siblings': 0,
      },
    },
    {
      name: 'whose mail host is unknown',
      email: 'jane@firm.example',
      given: { needs: { [BACKEND]: null } },
      expect: { 'disposable.points': unknown('not_run') },
    },
  ],
});
