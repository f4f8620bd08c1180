import { readFileSync } from 'node:fs';
import { runContract } from 'postern/provider-kit/vitest';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { anAddress } from '../../test/support/addresses.ts';
import { prepareCheck } from '../../test/support/check-with.ts';
import { hasMeasuringData, measuringRows } from '../../test/support/measuring-data.ts';
import disposable from '../disposable/index.ts';
import freeProvider from '../free-provider/index.ts';
import relay from './index.ts';
import { loadServices } from './load.ts';

const { find, source } = await prepareCheck(relay);
const isRelay = async (domain: string) => (await find(anAddress('x', domain))).facts['relay.is_relay'];
const DOMAINS = loadServices().flatMap(({ domains }) => domains);
/** A relay's own domain, and a subdomain that it gives to a user. */
const GIVEN_OUT = [...DOMAINS.flatMap((domain) => [domain, `jane.${domain}`]), 'whtjddn.33mail.com'];

it.each([
  ...['privaterelay.appleid.com', 'mozmail.com', 'jane.mozmail.com', 'duck.com', 'passmail.net'],
  ...['simplelogin.com', 'jane.aleeas.com', 'anonaddy.me', 'jane.anonaddy.com', 'use.startmail.com'],
  ...['x.4wrd.cc', 'mailer.me', 'relay.firefox.com', 'jane.33mail.com', 'jane.erine.email', 'cloak.id'],
  ...['spamgourmet.org', 'sneakemail.com', 'opayq.com', 'whtjddn.33mail.com'],
])('classifies %s as a relay', async (domain) => expect(await isRelay(domain)).toBe(true));

it.each([
  ...['appleid.com', 'notmozmail.com', 'mozmail.com.example', 'startmail.com', 'fastmail.com', 'icloud.com'],
  ...['gmail.com', 'mailinator.com', 'com', '[192.0.2.1]', 'firefox.com', 'forwardmail.me'],
])('does not classify %s as a relay', async (domain) => expect(await isRelay(domain)).toBe(false));

it('names the service, but not the subdomain that its user chose', async () =>
  expect((await find(anAddress('x', 'jane.anonaddy.com'))).evidence).toEqual({
    relay: 'anonaddy.com',
    service: 'addy.io',
  }));

it.each([
  ['disposable', disposable, 'domain.is_known_disposable'],
  ['free', freeProvider, 'domain.is_known_free_provider'],
] as const)('does not classify %s as a relay', async (_word, provider, fact) => {
  const other = await prepareCheck(provider);
  const named = [];
  for (const domain of GIVEN_OUT) {
    if ((await other.find(anAddress('x', domain))).facts[fact]) named.push(domain);
  }
  expect(named).toEqual([]);
});

it('includes every relay that the provider disposable exempts, whatever a later list contains', () => {
  const file = new URL('../disposable/data/exempt.yaml', import.meta.url);
  const exempt: readonly { kind: string; domain: string }[] = parse(readFileSync(file, 'utf8'));
  const relays = exempt.filter(({ kind }) => kind === 'relay').map(({ domain }) => domain);
  expect(relays.sort()).toEqual([...DOMAINS].sort());
});

it('has a source and a date for each service, and no domain twice', () => {
  for (const { service, source: from, date, domains } of loadServices()) {
    expect(service).not.toBe('');
    expect(from).toMatch(/^https:\/\/|^disposable-email-domains, /);
    expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
    for (const domain of domains) expect(domain).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
  }
  expect(new Set(DOMAINS).size).toBe(DOMAINS.length);
});

it('reports the date of its data', () => expect(source).toMatch(/^relays@\d{4}-\d\d-\d\d$/));

it.skipIf(!hasMeasuringData)(
  'finds the relays that list maintainers exempt, and no free provider',
  async () => {
    const apart = measuringRows('not-disposable.tsv').filter(([, kind]) => kind === 'greylist');
    const unknown = [];
    for (const [domain = ''] of apart) if (!(await isRelay(domain))) unknown.push(domain);
    // The domains of two Polish portals with mailboxes of their own.
    expect(unknown.sort()).toEqual([
      ...['amorki.pl', 'autograf.pl', 'onet.pl', 'opoczta.pl', 'poczta.onet.eu', 'spoko.pl'],
    ]);
    for (const [domain = ''] of measuringRows('free-top.txt')) expect(await isRelay(domain)).toBe(false);
  },
);

runContract(relay, {
  cases: [
    { email: 'x@privaterelay.appleid.com', expect: { 'relay.is_relay': true } },
    { email: 'jane@example.com', expect: { 'relay.is_relay': false } },
  ],
});
