import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { loadServices } from '../../providers/relay/load.ts';
import { Canaries, type Candidate, judgeDownload } from '../../src/lists/judge-download.ts';
import type { Snapshot } from '../../src/lists/snapshot.ts';

const numbered = (count: number, from = 0) => Array.from({ length: count }, (_, i) => `d${from + i}.org`);
const snapshotOf = (domains: readonly string[]): Snapshot =>
  new Map(domains.map((domain) => [domain, { firstSeen: 1, lastSeen: null }]));

const bounds = { canaries: new Canaries([{ value: 'shop.example' }]), maxChangePercent: 10 };
const judge = (domains: readonly string[], given: Partial<Candidate> = {}) =>
  judgeDownload({
    domains: new Set(domains),
    previous: new Map(),
    ...{ confirmed: 1, today: 2, leftOut: [], accepted: false },
    ...bounds,
    ...given,
  });

describe('the limit on change', () => {
  const previous = snapshotOf(numbered(1_000));

  it('allows ten per cent of additions and ten per cent of removals', () => {
    const verdict = judge(numbered(1_000, 100), { previous });
    expect(verdict).toMatchObject({
      ok: true,
      merge: { listed: 1_000, added: 100, removed: 100, gone: 100 },
    });
  });

  it.each([
    ['comes', numbered(1_101), '101 domains are new and 0 gone of 1000: over the limit of 10 %'],
    ['goes', numbered(899), '0 domains are new and 101 gone of 1000: over the limit of 10 %'],
  ])('refuses when more %s', (_, domains, reason) => {
    expect(judge(domains, { previous })).toEqual({ ok: false, reason });
    expect(judge(domains, { previous, accepted: true })).toMatchObject({ ok: true });
  });

  it('counts returning entries as new, and entries that were removed earlier not at all', () => {
    const withGone = new Map([
      ...previous,
      ...numbered(500, 2_000).map((d) => [d, { firstSeen: 1, lastSeen: 1 }] as const),
    ]);
    expect(judge(numbered(1_000), { previous: withGone })).toMatchObject({ ok: true });
    const all = [...numbered(1_000), ...numbered(101, 2_000)];
    expect(judge(all, { previous: withGone })).toMatchObject({ ok: false });
  });

  it('does not apply to the first download, nor to ten domains of a short list', () => {
    expect(judge(numbered(1_000))).toMatchObject({ ok: true });
    expect(judge(numbered(15), { previous: snapshotOf(numbered(5)) })).toMatchObject({ ok: true });
    expect(judge(numbered(16), { previous: snapshotOf(numbered(5)) })).toMatchObject({ ok: false });
  });
});

describe('a canary', () => {
  it('refuses the list that contains it, and is named', () => {
    expect(judge(['a.org', 'gmail.com', 'duck.com', 'shop.example'])).toEqual({
      ok: false,
      reason:
        'it names what must never be listed: gmail.com (free provider), duck.com (relay), shop.example (your allow list)',
    });
  });

  it('is named five times at most', () => {
    const verdict = judge(['gmail.com', 'qq.com', 'gmx.de', 'aol.com', 'web.de', 'mail.ru', 'live.com']);
    expect(verdict).toMatchObject({ reason: expect.stringMatching(/web\.de \(free provider\) and 2 more$/) });
  });

  it('that is accepted is left out, then and in later downloads, and nothing else with it', () => {
    const first = judge(['a.org', 'duck.com'], { accepted: true });
    expect(first).toMatchObject({ ok: true, leftOut: ['duck.com'] });
    expect(first.ok && [...first.merge.snapshot.keys()]).toEqual(['a.org']);
    const again = judge(['a.org', 'duck.com'], { leftOut: ['duck.com'] });
    expect(again).toMatchObject({ ok: true, leftOut: ['duck.com'], merge: { listed: 1 } });
    expect(judge(['a.org', 'duck.com', 'qq.com'], { leftOut: ['duck.com'] })).toMatchObject({
      ok: false,
    });
  });

  it('refuses no list that contained it before it became one, and keeps its snapshot', () => {
    const verdict = judge(['a.org', 'shop.example'], {
      previous: snapshotOf(['a.org', 'shop.example']),
    });
    expect(verdict).toMatchObject({ ok: true, leftOut: ['shop.example'], merge: { listed: 1, removed: 1 } });
  });

  it('leaves at least one entry, or the list is refused although it is accepted', () => {
    expect(judge(['gmail.com'], { accepted: true })).toEqual({
      ok: false,
      reason: 'nothing is left without what must never be listed',
    });
  });
});

const require = createRequire(import.meta.url);
const canaries = new Canaries([]);

describe('the canaries', () => {
  it.each([
    'gmail.com',
    'outlook.com',
    'yahoo.com',
    'icloud.com',
    'qq.com',
    'mail.ru',
    'web.de',
    'proton.me',
  ])('include the big free providers: %s', (domain) => expect(canaries.kindOf(domain)).toBe('free provider'));

  it('include the relays, with the registered domains above them', () => {
    expect(
      ['mozmail.com', 'duck.com', 'privaterelay.appleid.com', 'appleid.com'].map((d) => canaries.kindOf(d)),
    ).toEqual(new Array(4).fill('relay'));
    expect(canaries.kindOf('com')).toBeUndefined();
    const missing = loadServices()
      .filter(({ service }) => !/^(?:spamgourmet|Sneakemail|33mail|IronVest)/.test(service))
      .flatMap(({ domains }) => domains)
      .filter((domain) => canaries.kindOf(domain) !== 'relay');
    expect(missing).toEqual([]);
  });

  it('include the entries of the allow list however they are written, as they are compared with addresses', () => {
    const own = new Canaries([{ value: 'b\u00fccher.example' }, { value: ' .m\u00fcnchen.example\u2800' }]);
    expect(
      ['xn--bcher-kva.example', 'xn--mnchen-3ya.example', 'x.xn--mnchen-3ya.example'].map((domain) =>
        own.kindOf(domain),
      ),
    ).toEqual(['your allow list', 'your allow list', 'your allow list']);
  });

  it('include what the operator allows, but not the domain of a single allowed person', () => {
    const own = new Canaries([
      { value: 'Shop.example' },
      { value: '.corp.example' },
      { value: 'jane@throw.example' },
    ]);
    expect(
      [
        'shop.example',
        'x.shop.example',
        'corp.example',
        'x.corp.example',
        'notcorp.example',
        'throw.example',
      ].map((d) => own.kindOf(d)),
    ).toEqual(['your allow list', undefined, 'your allow list', 'your allow list', undefined, undefined]);
  });

  it.each([
    'disposable-domains/index.json',
    'disposable-email-domains-js/dist/dict/disposable_email_blocklist.json',
  ])('are not in a real list: %s', (file) => {
    const list: readonly string[] = JSON.parse(readFileSync(require.resolve(file), 'utf8'));
    expect(list.length).toBeGreaterThan(5_000);
    expect(list.filter((domain) => canaries.kindOf(domain))).toEqual([]);
  });
});
