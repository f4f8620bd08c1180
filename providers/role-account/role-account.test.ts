import { readFileSync } from 'node:fs';
import { runContract } from 'postern/provider-kit/vitest';
import { expect, it } from 'vitest';
import { readAddress } from '../../src/email/read-address.ts';
import { anAddress } from '../../test/support/addresses.ts';
import { prepareCheck } from '../../test/support/check-with.ts';
import { hasMeasuringData, measuringRows } from '../../test/support/measuring-data.ts';
import roleAccount from './index.ts';
import { loadGroups } from './load.ts';

const { find, source } = await prepareCheck(roleAccount);
const isRole = async (localPart: string) =>
  (await find(anAddress(localPart))).facts['domain.is_role_account'];

// RFC 2142 sections 3 to 5.
const RFC_2142 = [
  ...['info', 'marketing', 'sales', 'support', 'abuse', 'noc', 'security', 'postmaster', 'hostmaster'],
  ...['usenet', 'news', 'webmaster', 'www', 'uucp', 'ftp'],
];

it.each([
  ...RFC_2142,
  ...['admin', 'billing', 'hr', 'jobs', 'office', 'contact', 'helpdesk', 'privacy', 'accounts-payable'],
  ...['kontakt', 'vertrieb', 'comptabilite', 'ventas', 'atendimento', 'amministrazione', 'klantenservice'],
  ...['biuro', 'kundtjanst', 'asiakaspalvelu', 'objednavky', 'muhasebe', 'zakaz', 'beekeepers-request'],
])('classifies %s as a role', async (name) => expect(await isRole(name)).toBe(true));

it.each([
  ...['customer-service', 'customer.service', 'customer_service', 'customerservice'],
  ...['noreply', 'no-reply', 'no.reply', 'no_reply', 'noreply-dmarc', 'jobs-noreply', 'alerts.no-reply'],
])('classifies %s as a role, however its words are joined', async (name) =>
  expect(await isRole(name)).toBe(true),
);

it.each([
  ...[
    'jane.doe',
    'test',
    '123',
    'abc',
    'null',
    'alexa',
    'paris',
    'chef',
    'md',
    '2024',
    'info2',
    'sales.jane',
  ],
  ...['s.ales', 'dev', 'mark', 'bill', 'will', 'rose', 'noreplyjane', 'jane', 'master', 'hi', '', '+info'],
])('does not classify %j as a role', async (name) => expect(await isRole(name)).toBe(false));

it.each(['Info+shop@example.com', 'i.n.f.o+x@gmail.com', 'info+shop@yahoo.com', 'sales+a+b@gmx.de'])(
  'ignores the tag, whether the provider has tags or not: %s',
  async (text) => {
    const reading = readAddress(text);
    if (!reading.ok) throw new Error(`cannot be read: ${text}`);
    expect((await find(reading.address)).facts['domain.is_role_account']).toBe(true);
  },
);

it('has a language, a source and a date for each group, and no name twice', () => {
  const groups = loadGroups();
  for (const { what, language, source: from, date, names } of groups) {
    expect(what).not.toBe('');
    expect(language).toMatch(/^[a-z]{2}$/);
    expect(from).toMatch(/https:\/\/|^By hand: /);
    expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
    for (const name of names) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
  }
  const names = groups.flatMap((group) => group.names.map((name) => name.replaceAll('-', '')));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect(source).toMatch(/^roles@\d{4}-\d\d-\d\d$/);
});

it('has as many names and languages as its README says', () => {
  const groups = loadGroups();
  const names = groups.flatMap((group) => group.names).length;
  const languages = new Set(groups.map(({ language }) => language)).size;
  const readme = readFileSync(new URL('./README.md', import.meta.url), 'utf8');
  expect(readme).toContain(`${names} names in ${languages} languages`);
});

it.skipIf(!hasMeasuringData)(
  'classifies no generated local part and no local part that looks like a name as a role',
  async () => {
    const taken = [];
    for (const [, , text = ''] of measuringRows('generated-local-parts.tsv')) {
      if (await isRole(text.toLowerCase())) taken.push(text);
    }
    expect(taken).toEqual([]);
  },
);

runContract(roleAccount, {
  cases: [
    { email: 'info@example.com', expect: { 'domain.is_role_account': true } },
    { email: 'jane@example.com', expect: { 'domain.is_role_account': false } },
  ],
});
