import { readFileSync } from 'node:fs';
import { runContract } from 'postern/provider-kit/vitest';
import { expect, it } from 'vitest';
import { anAddress } from '../../test/support/addresses.ts';
import { prepareCheck } from '../../test/support/check-with.ts';
import { hasMeasuringData, measuringRows } from '../../test/support/measuring-data.ts';
import disposable from '../disposable/index.ts';
import { compileFreeDomains, loadCorrections, tableDomains } from './compile.ts';
import { readFreeDomains } from './free-domains.ts';
import freeProvider from './index.ts';

const shipped = readFileSync(new URL('./data/domains.txt', import.meta.url), 'utf8');
const { find, source } = await prepareCheck(freeProvider);
const isFree = async (domain: string) =>
  (await find(anAddress('x', domain))).facts['domain.is_known_free_provider'];

it.each([
  ...['gmail.com', 'outlook.com', 'yahoo.com', 'gmx.de', 'proton.me', 'mail.ru', 'qq.com'],
  ...[
    'hotmail.at',
    'hotmail.pt',
    'hotmail.sk',
    'outlook.com.ar',
    'yahoo.nl',
    'tuta.com',
    '21cn.com',
    'sify.com',
  ],
  ...[
    'hotmail.se',
    'hotmail.co.za',
    'live.com.ph',
    'yahoo.com.pe',
    'yahoo.sk',
    'gmx.eu',
    'gmx.co.uk',
    'mein.gmx',
  ],
])('classifies %s as free', async (domain) => expect(await isFree(domain)).toBe(true));

it.each([
  ...['sohu.com', 'fastmail.us', 'sent.as', 'f-m.fm', 'imap.cc', 'xs4all.nl', 'qip.ru', 'net-c.fr'],
  ...['btinternet.com', 'docomo.ne.jp', 'socal.rr.com', 'mailbox.org', 'runbox.com'],
  ...['aol.de', 'aol.com.br', 'meta.ua', 'vivaldi.net', 'azet.sk', 'atlas.cz', 'volny.cz', 'interia.eu'],
  ...['telia.com', 'online.no', 'mail.dk', 'kpnplanet.nl', 'au.com', 'tim.it', 'proximus.be', 'lenta.ru'],
])('classifies %s, which public lists miss or classify differently, as free', async (domain) =>
  expect(await isFree(domain)).toBe(true),
);

it.each([
  ...[
    'facebook.com',
    'test.com',
    'brainonfire.net',
    'alibaba.com',
    'space.com',
    'sfgov.net',
    'asana.biz',
    'ancestry.com',
  ],
  ...[
    '1secmail.xyz',
    '10minute-email.com',
    '30minutenmail.eu',
    'gmailssdf.com',
    'mallinator.com',
    'someone.mooo.com',
  ],
])('does not classify %s, of a firm, a person or a disposable service, as free', async (domain) =>
  expect(await isFree(domain)).toBe(false),
);

it.each([
  ...['example.com', 'sub.gmail.com', 'notgmail.com', 'mailinator.com', 'yopmail.com', 'mail-tester.com'],
  ...['privaterelay.appleid.com', 'mozmail.com', 'duck.com', 'spamgourmet.com', '[192.0.2.1]'],
])('does not classify %s as free', async (domain) => expect(await isFree(domain)).toBe(false));

it('classifies no domain as free that is classified as disposable', async () => {
  const other = await prepareCheck(disposable, { needs: { 'disposable_mx.shares_backend': false } });
  const both = [];
  for (const domain of readFreeDomains(shipped).domains) {
    const { facts } = await other.find(anAddress('x', domain));
    if (facts['domain.is_known_disposable']) both.push(domain);
  }
  expect(both).toEqual([]);
});

it.each(['gmial.com', 'gamil.com', 'hotmai.com', 'yaho.com', 'gmail.co'])(
  'does not classify %s, a misspelling that the package contains, as free',
  async (domain) => expect(await isFree(domain)).toBe(false),
);

it('classifies all domains of a listed family as free, except disposable ones', async () => {
  const added = loadCorrections().add.flatMap(({ domains }) => domains);
  const other = await prepareCheck(disposable, { needs: { 'disposable_mx.shares_backend': false } });
  for (const domain of added) {
    const { facts } = await other.find(anAddress('x', domain));
    expect([domain, await isFree(domain)]).toEqual([domain, !facts['domain.is_known_disposable']]);
  }
});

it('agrees with the table of mailbox providers: each of its domains is free, and each free domain of its families is in it', async () => {
  const table = tableDomains();
  expect(table.length).toBeGreaterThan(150);
  for (const domain of table) {
    const isAny = domain.includes('<cc>');
    if (!isAny) expect([domain, await isFree(domain)]).toEqual([domain, true]);
  }
  const ofTable = new Set(table);
  const isInTable = (domain: string) =>
    ofTable.has(domain) || ofTable.has(domain.replace(/\.[a-z][a-z]$/, '.<cc>'));
  const families =
    /^(gmail|googlemail|hotmail|outlook|live|yahoo|gmx|yandex|fastmail|icloud|proton|protonmail|tuta|tutanota|zohomail|runbox)\./;
  const family = [...readFreeDomains(shipped).domains].filter((domain) => families.test(domain));
  expect(family.length).toBeGreaterThan(200);
  expect(family.filter((domain) => !isInTable(domain))).toEqual([]);
});

it('has a source or a reason, and a date, for each correction, and no domain twice', () => {
  const { add, keep, remove } = loadCorrections();
  for (const { source: from } of add) expect(from).toMatch(/https:\/\/|\((MIT|ISC)\)/);
  for (const { reason } of [...keep, ...remove]) expect(reason).toMatch(/./);
  const all = [...add, ...keep, ...remove];
  for (const { date } of all) expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
  const domains = all.flatMap((part) => part.domains);
  expect(domains.filter((domain, index) => domains.indexOf(domain) !== index)).toEqual([]);
});

it('is compiled from the packages and the corrections: `node scripts/free-domains.ts`', () =>
  expect(shipped).toBe(compileFreeDomains(loadCorrections())));

it.each([
  ['', 'does not begin with "#free-domains"'],
  ['gmail.com\n', 'does not begin with "#free-domains"'],
  ['#free-domains 1.0.0 2 2026-11-21\ngmail.com', 'is cut off'],
])('refuses %j as a list', (text, reason) => expect(() => readFreeDomains(text)).toThrow(reason));

it('has a README with the number of its domains and of those that the package alone names', () => {
  const readme = readFileSync(new URL('./README.md', import.meta.url), 'utf8');
  const alone = loadCorrections().remove.find(({ reason }) => reason?.startsWith('In the package alone'));
  expect(readme).toContain(`${readFreeDomains(shipped).domains.size.toLocaleString('en')} domains; a test`);
  expect(readme).toContain(`${alone?.domains.length} that the package alone names`);
});

it('reports the version and the date of its data', () =>
  expect(source).toMatch(/^email-providers@\d\S+ free-domains@\d{4}-\d\d-\d\d$/));

it.skipIf(!hasMeasuringData)('classifies the big free providers as free', async () => {
  const removed = new Set(loadCorrections().remove.flatMap(({ domains }) => domains));
  const missing = [];
  for (const [domain = ''] of measuringRows('free-top.txt'))
    if (!(await isFree(domain))) missing.push(domain);
  // Firms, sites, placeholders, hosts of domains, a testing tool and two universities, which some public lists name.
  expect(missing.filter((domain) => !removed.has(domain))).toEqual([]);
  expect(missing.length).toBeLessThan(35);
});

runContract(freeProvider, {
  cases: [
    { email: 'jane@gmail.com', expect: { 'domain.is_known_free_provider': true } },
    { email: 'jane@example.com', expect: { 'domain.is_known_free_provider': false } },
  ],
});
