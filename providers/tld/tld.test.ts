import { readFileSync } from 'node:fs';
import { runContract } from 'postern/provider-kit/vitest';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { anAddress } from '../../test/support/addresses.ts';
import { prepareCheck, withDefaults } from '../../test/support/check-with.ts';
import { hasMeasuringData, measuringRows } from '../../test/support/measuring-data.ts';
import { loadFigures, METRICS } from './figures.ts';
import tld from './index.ts';
import { loadReports, rateOf, writeFigures } from './rates.ts';

const { find, source } = await prepareCheck(tld);
const levelOf = async (domain: string) => (await find(anAddress('x', domain))).facts['domain.tld_risk_level'];

it.each([
  ['example.com', 'low'],
  ['example.org', 'low'],
  ['example.co.uk', 'low'],
  ['example.cn', 'low'],
  ['example.ru', 'low'],
  ['example.museum', 'low'],
  ['example.xyz', 'medium'],
  ['example.online', 'medium'],
  ['example.top', 'high'],
  ['a.b.example.bond', 'high'],
  ['example.cc', 'high'],
])('gives %s the level %s', async (domain, level) => expect(await levelOf(domain)).toBe(level));

it('gives a literal and a dotless domain the level low', async () => {
  const literal = anAddress('x', '[192.0.2.1]', { domainKind: 'literal' });
  const dotless = anAddress('x', 'top', { domainKind: 'dotless' });
  expect((await find(literal)).facts['domain.tld_risk_level']).toBe('low');
  expect((await find(dotless)).facts['domain.tld_risk_level']).toBe('low');
});

it('reports the figure that decided, with its source and date', async () => {
  expect((await find(anAddress('x', 'example.xin'))).evidence).toMatchObject({
    tld: 'xin',
    metric: 'phishing_per_10k',
    value: expect.any(Number),
    source: expect.stringContaining('Cybercrime Information Center'),
    date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  });
  expect((await find(anAddress('x', 'example.com'))).evidence).toEqual({ tld: 'com' });
});

it('follows the thresholds', async () => {
  const strict = await prepareCheck(tld, {
    thresholds: { phishing_per_10k: { medium_at: 10, high_at: 20 } },
  });
  expect((await strict.find(anAddress('x', 'example.com'))).facts['domain.tld_risk_level']).toBe('high');
});

it('refuses cut-offs that do not ascend', () => {
  const cutOffs = (badness: object) => withDefaults(tld.thresholds, { badness });
  expect(tld.checkThresholds?.(cutOffs({ medium_at: 8, high_at: 9 }))).toEqual([]);
  expect(tld.checkThresholds?.(cutOffs({ medium_at: 9, high_at: 9 }))).toEqual([
    { path: ['badness', 'medium_at'], message: 'must be below high_at, which is 9' },
  ]);
  // A default value of one file may conflict with what the operator has in the other.
  expect(tld.checkThresholds?.(cutOffs({ high_at: 5 }))).toHaveLength(1);
});

it('has a known metric, a source and a date for each row, and reports the newest date', () => {
  const { figures, newest } = loadFigures();
  for (const [name, rows] of figures) {
    expect(name).toMatch(/^[a-z0-9-]+$/);
    for (const row of rows) {
      expect(METRICS).toContain(row.metric);
      expect(row.value).toBeGreaterThan(0);
      expect(row.source).not.toBe('');
      expect(row.date).toMatch(/^\d{4}-\d\d-\d\d$/);
    }
  }
  expect(source).toBe(`tld-figures@${newest}`);
});

it('has the same figures as its reports', () => {
  const shipped = readFileSync(new URL('./data/abuse.yaml', import.meta.url), 'utf8');
  expect(writeFigures(loadReports())).toBe(shipped);
});

it('has a source, its address, a date, and more domains than abused ones for each report', () => {
  for (const { source: from, url, date, metric, counts } of loadReports()) {
    expect(from).not.toBe('');
    expect(url).toMatch(/^https:\/\//);
    expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(METRICS).toContain(metric);
    for (const [name, { abused, of }] of Object.entries(counts)) {
      expect(name).toMatch(/^[a-z0-9-]+$/);
      expect(abused).toBeGreaterThan(0);
      // More than all domains: names under .xin were taken down and registered again within the year.
      if (name !== 'xin') expect(of).toBeGreaterThan(abused);
    }
  }
});

// As Spamhaus published them on 2025-06-25: its own counts give its own figure.
it.each([
  ...([
    ['cc', 10.3],
    ['sx', 9.2],
    ['lc', 6.9],
    ['ac', 6.6],
    ['tv', 6],
  ] as const),
  ...([
    ['my', 5.7],
    ['cm', 5.6],
    ['st', 5.4],
    ['ws', 5.4],
    ['gd', 5],
  ] as const),
])('computes the badness of .%s as it was published, %d', (name, published) => {
  const count = loadReports().find(({ metric }) => metric === 'badness')?.counts[name];
  expect(count && rateOf('badness', count)).toBe(published);
});

it('computes a rate for 10,000 domains', () => {
  expect(rateOf('phishing_per_10k', { abused: 5, of: 1_000 })).toBe(50);
  expect(rateOf('spam_per_10k', { abused: 1, of: 30_000 })).toBe(0.3);
});

it('takes the worst level of several figures, and the figure that gave it', async () => {
  const { facts, evidence } = await find(anAddress('x', 'example.world'));
  expect(facts['domain.tld_risk_level']).toBe('high');
  expect(evidence).toMatchObject({ tld: 'world', value: 224.5, date: '2025-04-30' });
});

it('has the default thresholds in the shipped file', () => {
  const shipped = parse(readFileSync(new URL('../../rules/signals.yaml', import.meta.url), 'utf8'));
  expect(shipped.tld).toEqual(withDefaults(tld.thresholds));
});

it.skipIf(!hasMeasuringData)('leaves nearly all big free providers at low', async () => {
  const raised = [];
  for (const [domain = ''] of measuringRows('free-top.txt')) {
    if ((await levelOf(domain)) !== 'low') raised.push(domain);
  }
  expect(raised.length).toBeLessThan(4);
});

runContract(tld, { cases: [{ email: 'jane@example.de', expect: { 'domain.tld_risk_level': 'low' } }] });
