import { describe, expect, it } from 'vitest';
import { withDefaults } from '../../test/support/check-with.ts';
import { readDomains } from './established.ts';
import { type Grounds, judge } from './evidence.ts';
import { Operator } from './operator.ts';
import { readSnapshot } from './snapshot.ts';
import { readTellingNames } from './telling-name.ts';
import { readWeights, THRESHOLDS_SCHEMA, type Weights } from './thresholds.ts';
import { weighSnapshot } from './weigh-snapshot.ts';
import { type ListEdition, nextSnapshot } from './write-snapshot.ts';

const edition = (id: string, date: string, ...domains: readonly string[]): ListEdition => ({
  source: { id, version: `${id}@1`, licence: 'MIT', date },
  domains,
});
const EARLIER = [
  edition('sure', '2024-01-01', 'gone.com'),
  edition('old', '2022-01-01', 'stale.com', 'both.com'),
];
const LISTS = [
  edition(
    'sure',
    '2026-01-01',
    ...['bad.com', 'eu.org', 'throw.qzz.io', 'worse.good.org', 'free.com', 'relay.org', 'jane.relay.org'],
    ...['a.qzz.io', 'b.qzz.io', 'c.qzz.io', 'd.qzz.io', 'x.de5.net', 'y.de5.net'],
    ...['one.owner.com', 'two.owner.com', 'only.single.com', 'p.it.com', 'q.it.com', 'r.it.com'],
    ...['s.it.com', 't.it.com', 'u.it.com', 'university.edu.pl', 'v.com.pl', 'w.com.pl'],
  ),
  edition(
    'weak',
    '2026-01-01',
    'weak.com',
    'both.com',
    'm.cc.cd',
    'n.cc.cd',
    'o.cc.cd',
    'p.cc.cd',
    'q.cc.cd',
  ),
];
const DEFAULTS = readWeights(withDefaults(THRESHOLDS_SCHEMA));
const VOTES = { sure: 100, weak: 25, old: 40 };

function grounds(change: Partial<Grounds> = {}, weights: Partial<Weights> = {}): Grounds {
  const all = { ...DEFAULTS, votes: VOTES, ...weights };
  const earlier = readSnapshot(nextSnapshot(null, EARLIER));
  return {
    operator: new Operator({ allow: [], deny: [] }),
    exemptions: new Map(
      (['good.org', 'relay.org'] as const).map((domain) => [
        domain,
        { domain, kind: domain === 'good.org' ? 'company' : 'relay', reason: 'x', source: 'x' },
      ]),
    ),
    registries: new Map([
      ['it.com', 'sold'],
      ['dyn.example', 'dynamic'],
    ]),
    names: readTellingNames({
      certain: ['temp|yop mail', 'temp email'],
      numbered: ['minute mail'],
      ambiguous: ['tempo mail'],
      beside: ['my'],
      beside_ambiguous: ['api'],
    }),
    established: {
      ...readDomains(Buffer.from('#from nobody MIT\nfirm.com\nuni.de\n')),
      suffixes: new Set(['edu', 'edu.au']),
      labels: new Set(['ac', 'gov']),
    },
    freeProviders: new Set(['free.com', 'weak.com']),
    lists: [weighSnapshot(readSnapshot(nextSnapshot(earlier, LISTS)), all)],
    weights: all,
    ...change,
  };
}
const pointsOf = (domain: string, given = grounds(), sharesBackend: boolean = false) =>
  judge(domain, sharesBackend, given).points;

it('the registered parts of established domains are not accepted in place of the whole domain', () => {
  for (const text of ['', 'firm.com\nuni.d'])
    expect(() => readDomains(Buffer.from(text))).toThrow('is cut off');
});

describe('lists', () => {
  it.each(['bad.com', 'a.b.bad.com', 'throw.qzz.io', 'x.throw.qzz.io', 'worse.good.org', 'x.worse.good.org'])(
    'match %s, itself or by its registered part',
    (domain) => {
      expect(judge(domain, false, grounds())).toMatchObject({ basis: 'lists' });
      expect(pointsOf(domain)).toBeGreaterThanOrEqual(100);
    },
  );

  it.each([
    ...['notbad.com', 'com', 'bad.com.example.org', 'localhost', '', '.', 'owner.com.example'],
    ...['eu.org', 'stranger.eu.org', 'edu.pl', 'stranger.edu.pl', 'stranger.com.pl', 'pl', 'qzz.io'],
  ])('do not match %j', (domain) => expect(pointsOf(domain)).toBe(0));

  it('are reported with the domain that matched, the lists that name it, and the first and last day', () => {
    expect(judge('x.both.com', false, grounds()).evidence).toEqual({
      matched: 'both.com',
      lists: 45,
      votes: ['old 2022-01-01 to 2022-01-01', 'weak 2026-01-01 to 2026-01-01'],
    });
  });

  it('lose half of their vote after each half-life without a new edition', () => {
    // Four years before the newest list.
    expect(pointsOf('stale.com')).toBe(20);
    expect(pointsOf('stale.com', grounds({}, { halfLifeDays: 730 }))).toBe(10);
  });

  it('keep a share of a vote that they have withdrawn, and almost nothing after some months', () => {
    const withdrawn = (months: number) => {
      const day = new Date(Date.UTC(2026, -months, 1)).toISOString().slice(0, 10);
      const earlier = readSnapshot(nextSnapshot(null, [edition('sure', day, 'gone.com')]));
      const now = readSnapshot(nextSnapshot(earlier, [edition('sure', '2026-01-01', 'bad.com')]));
      const { weights } = grounds();
      return pointsOf('gone.com', { ...grounds(), lists: [weighSnapshot(now, weights)] });
    };
    expect([withdrawn(0), withdrawn(3), withdrawn(12), withdrawn(36)]).toEqual([100, 64, 34, 30]);
    expect(pointsOf('gone.com', grounds({}, { withdrawnKeeps: 0 }))).toBe(0);
  });

  it('without points of their own get the default points', () => {
    const given = grounds({}, { votes: { sure: 100 }, otherVote: 7 });
    expect(pointsOf('weak.com', given)).toBe(0);
    expect(pointsOf('both.com', given)).toBe(7 + 3);
  });

  it('of several snapshots add up, and the largest gives the neighbours', () => {
    const one = grounds();
    const more = edition('more', '2026-01-01', 'bad.com', 'a.qzz.io', 'b.qzz.io');
    const other = weighSnapshot(readSnapshot(nextSnapshot(null, [more])), one.weights);
    const both = { ...one, lists: [...one.lists, other] };
    expect(pointsOf('bad.com', both)).toBe(155);
    expect(pointsOf('new.qzz.io', both)).toBe(pointsOf('new.qzz.io', one));
    expect(pointsOf('new.qzz.io', { ...one, lists: [other] })).toBe(20);
  });
});

describe('neighbours', () => {
  it('count in steps of ten under a host where anyone can get a subdomain, up to a maximum', () => {
    expect(pointsOf('new.de5.net')).toBe(20);
    expect(judge('new.qzz.io', false, grounds())).toEqual({
      points: 50,
      basis: 'neighbours',
      listedSiblings: 5,
      evidence: { parent: 'qzz.io', neighbours: 50, children_known: 5, children_listed: 5 },
    });
    expect(pointsOf('new.qzz.io', grounds({}, { parentAtMost: 30 }))).toBe(30);
  });

  it("count more under one owner's domain, which then is as suspect itself; a single one does not count", () => {
    expect([pointsOf('new.owner.com'), pointsOf('deep.new.owner.com')]).toEqual([50, 50]);
    expect(pointsOf('new.single.com')).toBe(0);
  });

  it('count only when they are known disposable domains themselves', () => {
    expect(judge('new.cc.cd', false, grounds())).toMatchObject({ points: 0, listedSiblings: 5 });
    expect(judge('new.cc.cd', false, grounds({}, { votes: { weak: 50 } })).points).toBe(50);
  });

  it('count little at a host of dynamic DNS, and never make a domain known', () => {
    const given = (dynamicChild: number) =>
      grounds({ registries: new Map([['cc.cd', 'dynamic']]) }, { votes: { weak: 50 }, dynamicChild });
    expect(pointsOf('new.cc.cd', given(1))).toBe(5);
    expect(pointsOf('new.cc.cd', given(10))).toBe(49);
  });

  it('do not count under a registry, private or not', () => {
    for (const domain of ['new.it.com', 'new.com.pl', 'new.edu.pl', 'new.pl'])
      expect(judge(domain, false, grounds()), domain).toMatchObject({ points: 0, listedSiblings: 0 });
  });
});

describe('under a registry that the Public Suffix List does not have', () => {
  it('a list that names the host says nothing about its names, and a list that names some says it of them alone', () => {
    const listed = edition('sure', '2026-01-01', 'dyn.example', 'bad.dyn.example');
    const one = grounds();
    const given = { ...one, lists: [weighSnapshot(readSnapshot(nextSnapshot(null, [listed])), one.weights)] };
    expect([pointsOf('home.dyn.example', given), pointsOf('mail.home.dyn.example', given)]).toEqual([0, 0]);
    expect([pointsOf('bad.dyn.example', given), pointsOf('mail.bad.dyn.example', given)]).toEqual([100, 100]);
    expect(pointsOf('dyn.example', given)).toBe(0);
  });

  it('a telling name counts only where it is the registered part', () => {
    expect(pointsOf('my-temp-mail.dyn.example')).toBe(50);
    expect(pointsOf('my-temp-mail.home.dyn.example')).toBe(0);
  });
});

describe('the mail host', () => {
  it('adds its points when it is the backend of disposable services', () => {
    expect(judge('new.com', true, grounds())).toEqual({
      points: 80,
      basis: 'mail_host',
      listedSiblings: 0,
      evidence: { mail_host: 80 },
    });
    expect(pointsOf('new.com')).toBe(0);
  });

  it('never lowers what is known without it', () => {
    for (const domain of [
      'bad.com',
      'new.qzz.io',
      'weak.com',
      'gone.com',
      'good.org',
      'free.com',
      'new.com',
    ]) {
      expect(pointsOf(domain, grounds(), true)).toBeGreaterThanOrEqual(pointsOf(domain));
    }
  });
});

describe('the name', () => {
  it.each(['tempmail.example', 'my-temp-mail.info', 'x.tempmail24.com', 'temp-mail.qzz.io'])(
    'that only disposable services use makes %s known',
    (domain) => expect(pointsOf(domain)).toBeGreaterThanOrEqual(50),
  );

  it('is reported, with the configured points', () => {
    expect(judge('my-temp-mail.info', false, grounds())).toEqual({
      points: 50,
      basis: 'name',
      listedSiblings: 0,
      evidence: { name: 'tempmail', named: 50 },
    });
    expect(pointsOf('my-temp-mail.info', grounds({}, { name: 0 }))).toBe(0);
  });

  it('that ordinary domains use too only makes a domain suspect', () => {
    for (const domain of ['tempomail.de', 'minutemail.de', 'my-tempmail-api.com']) {
      expect(judge(domain, false, grounds()), domain).toMatchObject({ points: 30, basis: 'name' });
      expect(pointsOf(domain, grounds({}, { ambiguousName: 0 }))).toBe(0);
    }
    expect(pointsOf('20minutemail.de')).toBe(50);
  });

  it('that ordinary domains use too makes a domain known together with a list, also an unreviewed one', () => {
    const one = grounds();
    const lists = (date: string) => [
      weighSnapshot(
        readSnapshot(nextSnapshot(null, [edition('weak', date, 'tempomail.de', 'other.de')])),
        one.weights,
        Date.parse('2026-01-01'),
      ),
    ];
    expect(pointsOf('tempomail.de', { ...one, lists: lists('2025-10-01') })).toBeGreaterThanOrEqual(50);
    expect(pointsOf('other.de', { ...one, lists: lists('2025-10-01') })).toBeLessThan(50);
    expect(pointsOf('tempomail.de', { ...one, lists: lists('2021-01-01') })).toBeLessThan(50);
  });

  it.each([
    '1.d.f.6.a.2.8.f.0.7.4.0.1.0.0.2.ip6.arpa',
    'foxmail.e.b.6.b.0.2.ip6.arpa',
    '2.0.192.in-addr.arpa',
  ])('that comes from reverse DNS is not a mail domain of a person: %s', (domain) => {
    expect(judge(domain, false, grounds())).toMatchObject({
      points: 50,
      basis: 'name',
      evidence: { name: 'arpa' },
    });
    expect(pointsOf(domain.replace(/arpa$/, 'org'))).toBe(0);
    expect(pointsOf(domain.replace(/\.arpa$/, '-arpa.org'))).toBe(0);
  });

  it('may end with the suffix .email as its last word', () => {
    expect([pointsOf('temp.email'), pointsOf('x.my-temp.email'), pointsOf('acme.email')]).toEqual([
      50, 50, 0,
    ]);
  });

  it('counts only in the registered part', () => {
    for (const domain of ['tempmail.firm.com', 'temp.mail.com', 'templemailer.com', 'tempmail'])
      expect(pointsOf(domain), domain).toBe(0);
  });

  it.each([
    'lasttempmail.com',
    'tempmailing.com',
    'tempmail-block.com',
    'contempmail.com',
    'yopmailmerge.com',
  ])('does not count beside any other word: %s', (domain) => expect(pointsOf(domain)).toBe(0));
});

describe('the verdict "not disposable"', () => {
  it('covers an exempt domain and its subdomains, whatever the mail host is, but not a subdomain that is listed itself', () => {
    expect(judge('mail.good.org', true, grounds())).toEqual({
      points: 0,
      basis: 'none',
      listedSiblings: 0,
      evidence: { exempt: 'good.org', because: 'company' },
    });
    expect(judge('relay.org', false, grounds())).toMatchObject({ evidence: { because: 'relay' } });
    expect(pointsOf('worse.good.org')).toBe(100);
  });

  it('covers the domain that a relay gives to a user, also where a list names that subdomain', () => {
    for (const domain of ['jane.relay.org', 'x.jane.relay.org']) {
      expect(judge(domain, true, grounds())).toMatchObject({ points: 0, evidence: { exempt: 'relay.org' } });
    }
  });

  it.each(['firm.com', 'mail.firm.com', 'uni.de', 'some.edu', 'cs.some.edu.au', 'some.ac.uk', 'town.gov.in'])(
    'covers %s, of a firm, a school or an authority, that one list names',
    (domain) => {
      const named = edition('sure', '2026-01-01', domain);
      const one = grounds();
      const given = {
        ...one,
        lists: [weighSnapshot(readSnapshot(nextSnapshot(null, [named])), one.weights)],
      };
      expect(judge(domain, false, given)).toMatchObject({
        points: 0,
        basis: 'none',
        evidence: { lists: 100, established: -100 },
      });
      expect(pointsOf(domain, given, true)).toBe(80);
    },
  );

  it.each(['notfirm.com', 'some.edu.pl', 'gov.example', 'x.ac', 'edu.firm.example'])(
    'does not cover %s, which is none of these',
    (domain) => {
      const named = edition('sure', '2026-01-01', domain);
      const one = grounds();
      const given = {
        ...one,
        lists: [weighSnapshot(readSnapshot(nextSnapshot(null, [named])), one.weights)],
      };
      expect(pointsOf(domain, given)).toBe(100);
    },
  );

  it('covers a big free provider that one list names', () => {
    expect(judge('free.com', false, grounds())).toMatchObject({ points: 0, basis: 'none' });
    expect(judge('free.com', false, grounds()).evidence).toMatchObject({ lists: 100, free_provider: -100 });
    expect(pointsOf('weak.com')).toBe(0);
  });
});

describe("the operator's entries", () => {
  const entry = (value: string) => ({ value, reason: 'known to us', owner: 'risk' });
  const having = (allow: readonly string[], deny: readonly string[] = []) =>
    grounds({ operator: new Operator({ allow: allow.map(entry), deny: deny.map(entry) }) });

  it('override lists, neighbours, exemptions and the mail host', () => {
    expect(judge('bad.com', true, having(['bad.com']))).toEqual({
      points: 0,
      basis: 'none',
      listedSiblings: 0,
      evidence: { operator: 'allow', value: 'bad.com', reason: 'known to us' },
    });
    expect(pointsOf('new.qzz.io', having(['.qzz.io']))).toBe(0);
    expect(judge('good.org', false, having([], ['good.org']))).toMatchObject({
      points: 50,
      basis: 'operator',
    });
  });

  it('of a domain cover no subdomain, those of a suffix do; the closest entry decides, and allow wins a tie', () => {
    expect(pointsOf('x.bad.com', having(['bad.com']))).toBeGreaterThan(0);
    expect(pointsOf('x.bad.com', having(['.bad.com']))).toBe(0);
    expect(pointsOf('x.bad.com', having(['.bad.com'], ['x.bad.com']))).toBe(50);
    expect(pointsOf('a.x.bad.com', having(['.bad.com'], ['.x.bad.com']))).toBe(50);
    expect(pointsOf('new.com', having(['new.com'], ['new.com']))).toBe(0);
  });

  it('that are addresses do not apply to the domain, and a Unicode domain is found by its A-label', () => {
    expect(pointsOf('bad.com', having(['jane@bad.com']))).toBe(100);
    expect(pointsOf('xn--bcher-kva.example', having([], ['Bücher.example']))).toBe(50);
  });
});
