import { describe, expect, it } from 'vitest';
import { withDefaults } from '../../test/support/check-with.ts';
import { type Grounds, judge } from './evidence.ts';
import { Operator } from './operator.ts';
import { readSnapshot } from './snapshot.ts';
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
    ...['bad.com', 'eu.org', 'throw.qzz.io', 'worse.good.org', 'free.com', 'relay.org'],
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
    registries: new Set(['it.com']),
    names: ['tempmail', 'yopmail'],
    freeProviders: new Set(['free.com', 'weak.com']),
    lists: [weighSnapshot(readSnapshot(nextSnapshot(earlier, LISTS)), all)],
    weights: all,
    ...change,
  };
}
const pointsOf = (domain: string, given = grounds(), sharesBackend: boolean = false) =>
  judge(domain, sharesBackend, given).points;

describe('lists', () => {
  it.each(['bad.com', 'a.b.bad.com', 'throw.qzz.io', 'x.throw.qzz.io', 'worse.good.org', 'x.worse.good.org'])(
    'name %s, itself or by its registered part',
    (domain) => {
      expect(judge(domain, false, grounds())).toMatchObject({ basis: 'lists' });
      expect(pointsOf(domain)).toBeGreaterThanOrEqual(100);
    },
  );

  it.each([
    ...['notbad.com', 'com', 'bad.com.example.org', 'localhost', '', '.', 'owner.com.example'],
    ...['eu.org', 'stranger.eu.org', 'edu.pl', 'stranger.edu.pl', 'stranger.com.pl', 'pl', 'qzz.io'],
  ])('say nothing of %j', (domain) => expect(pointsOf(domain)).toBe(0));

  it('are told with the domain that matched, who named it, and from when to when', () => {
    expect(judge('x.both.com', false, grounds()).evidence).toEqual({
      matched: 'both.com',
      lists: 45,
      votes: ['old 2022-01-01 to 2022-01-01', 'weak 2026-01-01 to 2026-01-01'],
    });
  });

  it('lose half of their vote after each half-life in which they did not name a domain', () => {
    // Two years and four years before the newest list.
    expect([pointsOf('gone.com'), pointsOf('stale.com')]).toEqual([71, 20]);
    expect(pointsOf('gone.com', grounds({}, { halfLifeDays: 365 }))).toBe(25);
  });

  it('without points of their own have those of any other', () => {
    const given = grounds({}, { votes: { sure: 100 }, otherVote: 7 });
    expect(pointsOf('weak.com', given)).toBe(0);
    expect(pointsOf('both.com', given)).toBe(7 + 3);
  });

  it('of several snapshots add up, and the fullest tells the neighbours', () => {
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
  it('count by ten under a host where every person can get a subdomain, up to their most', () => {
    expect(pointsOf('new.de5.net')).toBe(20);
    expect(judge('new.qzz.io', false, grounds())).toEqual({
      points: 50,
      basis: 'neighbours',
      listedSiblings: 5,
      evidence: { parent: 'qzz.io', neighbours: 50, children_known: 5, children_listed: 5 },
    });
    expect(pointsOf('new.qzz.io', grounds({}, { parentAtMost: 30 }))).toBe(30);
  });

  it("count more under one owner's domain, which is then as suspect itself; one of them is none", () => {
    expect([pointsOf('new.owner.com'), pointsOf('deep.new.owner.com')]).toEqual([50, 50]);
    expect(pointsOf('new.single.com')).toBe(0);
  });

  it('count only when they are known themselves', () => {
    expect(judge('new.cc.cd', false, grounds())).toMatchObject({ points: 0, listedSiblings: 5 });
    expect(judge('new.cc.cd', false, grounds({}, { votes: { weak: 50 } })).points).toBe(50);
  });

  it('do not count under a registry, private or not', () => {
    for (const domain of ['new.it.com', 'new.com.pl', 'new.edu.pl', 'new.pl'])
      expect(judge(domain, false, grounds()), domain).toMatchObject({ points: 0, listedSiblings: 0 });
  });
});

describe('the mail host', () => {
  it('adds its points when it is a backend', () => {
    expect(judge('new.com', true, grounds())).toEqual({
      points: 80,
      basis: 'mail_host',
      listedSiblings: 0,
      evidence: { mail_host: 80 },
    });
    expect(pointsOf('new.com')).toBe(0);
  });

  it('never takes from what is known without it', () => {
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
    'that only throw-away services give themselves makes %s known',
    (domain) => expect(pointsOf(domain)).toBeGreaterThanOrEqual(50),
  );

  it('is told, and weighs as it is said', () => {
    expect(judge('my-temp-mail.info', false, grounds())).toEqual({
      points: 50,
      basis: 'name',
      listedSiblings: 0,
      evidence: { name: 'tempmail', named: 50 },
    });
    expect(pointsOf('my-temp-mail.info', grounds({}, { name: 0 }))).toBe(0);
  });

  it('counts only in the registered part', () => {
    for (const domain of ['tempmail.firm.com', 'temp.mail.com', 'templemailer.com', 'tempmail'])
      expect(pointsOf(domain), domain).toBe(0);
  });
});

describe('what is not disposable', () => {
  it('is an exempt domain with its subdomains, whatever the mail host is, but not one that is listed itself', () => {
    expect(judge('mail.good.org', true, grounds())).toEqual({
      points: 0,
      basis: 'none',
      listedSiblings: 0,
      evidence: { exempt: 'good.org', because: 'company' },
    });
    expect(judge('relay.org', false, grounds())).toMatchObject({ evidence: { because: 'relay' } });
    expect(pointsOf('worse.good.org')).toBe(100);
  });

  it('is a big free provider that one list names', () => {
    expect(judge('free.com', false, grounds())).toMatchObject({ points: 0, basis: 'none' });
    expect(judge('free.com', false, grounds()).evidence).toMatchObject({ lists: 100, free_provider: -100 });
    expect(pointsOf('weak.com')).toBe(0);
  });
});

describe("the operator's entries", () => {
  const entry = (value: string) => ({ value, reason: 'known to us', owner: 'risk' });
  const having = (allow: readonly string[], deny: readonly string[] = []) =>
    grounds({ operator: new Operator({ allow: allow.map(entry), deny: deny.map(entry) }) });

  it('come before lists, neighbours, exemptions and the mail host', () => {
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

  it('of a domain cover no subdomain, those of a suffix do; the closest decides, and allow where both are as close', () => {
    expect(pointsOf('x.bad.com', having(['bad.com']))).toBeGreaterThan(0);
    expect(pointsOf('x.bad.com', having(['.bad.com']))).toBe(0);
    expect(pointsOf('x.bad.com', having(['.bad.com'], ['x.bad.com']))).toBe(50);
    expect(pointsOf('a.x.bad.com', having(['.bad.com'], ['.x.bad.com']))).toBe(50);
    expect(pointsOf('new.com', having(['new.com'], ['new.com']))).toBe(0);
  });

  it('that are addresses say nothing of the domain, and a Unicode one is found by its A-label', () => {
    expect(pointsOf('bad.com', having(['jane@bad.com']))).toBe(100);
    expect(pointsOf('xn--bcher-kva.example', having([], ['Bücher.example']))).toBe(50);
  });
});
