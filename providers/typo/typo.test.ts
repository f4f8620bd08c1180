import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runContract } from 'postern/provider-kit/vitest';
import { parse as parseHost } from 'tldts';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { anAddress } from '../../test/support/addresses.ts';
import { prepareCheck } from '../../test/support/check-with.ts';
import { hasMeasuringData, measuringRows } from '../../test/support/measuring-data.ts';
import freeProvider from '../free-provider/index.ts';
import typo from './index.ts';
import { loadTable, splitDomain } from './load.ts';

const { find, source } = await prepareCheck(typo);
const suggestionFor = async (domain: string) => (await find(anAddress('x', domain))).facts['typo.suggestion'];
const table = loadTable();

it.each([
  ['gmial.com', 'gmail.com'],
  ['gmai.com', 'gmail.com'],
  ['gmaill.com', 'gmail.com'],
  ['gnail.com', 'gmail.com'],
  ['gmail.con', 'gmail.com'],
  ['gmail.cmo', 'gmail.com'],
  ['gmial.con', 'gmail.com'],
  ['gmail.co', 'gmail.com'],
  ['hotmial.fr', 'hotmail.fr'],
  ['yaho.co.uk', 'yahoo.co.uk'],
  ['outlok.com', 'outlook.com'],
  ['icoud.com', 'icloud.com'],
  ['aol.con', 'aol.com'],
  ['prtonmaul.com', 'protonmail.com'],
  ['comcats.net', 'comcast.net'],
  ['comcast.nte', 'comcast.net'],
])('suggests for %s %s', async (domain, meant) => expect(await suggestionFor(domain)).toBe(meant));

it.each([
  ...['gmail.com', 'googlemail.com', 'hotmail.dk', 'outlook.com.ar', 'yahoo.nl', 'ymail.com', 'mail.com'],
  ...['email.com', 'cloud.com', 'itcloud.com', 'never.com', 'sol.com', 'love.com', 'man.com', 'libera.it'],
  ...['example.com', 'mail.gmial.com', 'gmial.example', 'xn--gmil-5na.com', 'com', ''],
])('suggests nothing for %j', async (domain) => expect(await suggestionFor(domain)).toBe('none'));

it.each(['pacific.co', 'gmail.company', 'outlook.co', 'hotmail.de', 'live.nl', 'rambler.com', 'yandex.kz'])(
  'does not change an ending that exists: %s',
  async (domain) => expect(await suggestionFor(domain)).toBe('none'),
);

it('suggests nothing for a literal and a dotless domain', async () => {
  const literal = anAddress('x', '[192.0.2.1]', { domainKind: 'literal' });
  const dotless = anAddress('x', 'gmial', { domainKind: 'dotless' });
  for (const address of [literal, dotless]) {
    expect((await find(address)).facts['typo.suggestion']).toBe('none');
  }
});

it('corrects no domain of a mail provider, except the misspellings that the package of providers contains', async () => {
  const providers: readonly string[] = createRequire(import.meta.url)('email-providers/all.json');
  const free = await prepareCheck(freeProvider);
  const corrected = [];
  for (const domain of providers) {
    if ((await suggestionFor(domain)) === 'none') continue;
    corrected.push(domain);
    // A domain is either a free provider or a misspelling of one.
    expect((await free.find(anAddress('x', domain))).facts['domain.is_known_free_provider']).toBe(false);
  }
  expect(corrected.sort()).toEqual([
    ...['gamil.com', 'gmai.com', 'gmail.co', 'gmail.om', 'gmal.com', 'gmial.com', 'homail.com'],
    ...['hotmai.com', 'hotmail.cm', 'hotmail.con', 'hotmial.com', 'yaho.com', 'yahoo.om'],
  ]);
});

it('corrects no domain that is in the table of mailbox providers', async () => {
  const file = new URL('../../tables/mailbox-providers.yaml', import.meta.url);
  const { providers } = parse(readFileSync(file, 'utf8')) as { providers: { domains: string[] }[] };
  const domains = providers.flatMap((provider) => provider.domains);
  expect(domains).toContain('hotmail.<cc>');
  for (const domain of domains.flatMap((name) => ['co', 'de', 'nl'].map((cc) => name.replace('<cc>', cc)))) {
    expect(await suggestionFor(domain)).toBe('none');
  }
});

it('corrects no popular domain to another, and each name only under its own ending', async () => {
  for (const domain of table.popular) expect(await suggestionFor(domain)).toBe('none');
  for (const { name, domain } of [...table.near.values()].flat()) {
    const [, ending] = splitDomain(domain);
    expect(await suggestionFor(`${name}${name.at(-1)}.${ending}`)).toBe(domain);
  }
});

it.each(['cm', 'om'])(
  'corrects the ending %s after every popular name at .com, and after no other name',
  async (ending) => {
    const names = [...table.popular]
      .filter((domain) => domain.endsWith('.com'))
      .map((domain) => domain.slice(0, -4));
    expect(names.length).toBeGreaterThan(12);
    for (const name of names) expect(await suggestionFor(`${name}.${ending}`)).toBe(`${name}.com`);
    for (const name of ['camtel', 'omantel', 'gmai', 'mail', 'orange', 'comcast', 't-online'])
      expect(await suggestionFor(`${name}.${ending}`)).toBe('none');
  },
);

it('sets the fact with each suggestion', async () => {
  for (const domain of ['gmial.com', 'hotmail.cm', 'gmail.com', 'example.com', '']) {
    const { facts } = await find(anAddress('x', domain));
    expect(facts['typo.is_likely']).toBe(facts['typo.suggestion'] !== 'none');
  }
});

it('has no ending that is delegated', () => {
  expect(table.endings.size).toBeGreaterThan(10);
  for (const ending of table.endings.keys()) expect(parseHost(`x.${ending}`).isIcann).toBe(false);
});

it('has a source or a reason, and a date, for every part of its data', () => {
  const file: Record<string, readonly Record<string, unknown>[]> = parse(
    readFileSync(new URL('./data/domains.yaml', import.meta.url), 'utf8'),
  );
  for (const part of Object.values(file).flat()) {
    expect(part.source ?? part.reason).toMatch(/./);
    expect(part.date).toMatch(/^\d{4}-\d\d-\d\d$/);
  }
  expect(source).toBe(`typo-domains@${table.date}`);
});

it('is declared to reveal the domain, so that a record without the domain omits it', () =>
  expect(typo.facts.map(({ id, personal }) => [id, personal])).toEqual([
    ['typo.suggestion', 'domain'],
    ['typo.is_likely', undefined],
  ]));

it.skipIf(!hasMeasuringData)(
  'suggests nothing for big free providers and domains that list maintainers vouch for',
  async () => {
    const rows = [...measuringRows('free-top.txt'), ...measuringRows('not-disposable.tsv')];
    const corrected = [];
    for (const [domain = ''] of rows) if ((await suggestionFor(domain)) !== 'none') corrected.push(domain);
    expect(corrected).toEqual([]);
  },
);

runContract(typo, {
  cases: [
    { email: 'jane@gmial.com', expect: { 'typo.suggestion': 'gmail.com', 'typo.is_likely': true } },
    { email: 'jane@gmail.com', expect: { 'typo.is_likely': false } },
  ],
});
