import { expect, it } from 'vitest';
import { anAddress } from '../../test/support/addresses.ts';
import { prepareCheck } from '../../test/support/check-with.ts';
import roleAccount from './index.ts';

const { find, source } = await prepareCheck(roleAccount);
const isRole = async (localPart: string) =>
  (await find(anAddress(localPart))).facts['domain.is_role_account'];

// RFC 2142 sections 3 to 5.
const RFC_2142 = [
  ...[
    'info',
    'marketing',
    'sales',
    'support',
    'abuse',
    'noc',
    'security',
    'postmaster',
    'hostmaster',
    'usenet',
  ],
  ...['news', 'webmaster', 'www', 'uucp', 'ftp'],
];

it.each([
  ...RFC_2142,
  'admin',
  'noreply',
  'no-reply',
  'billing',
  'hr',
  'kontakt',
  'ventas',
  'beekeepers-request',
])('takes %s for a role', async (name) => expect(await isRole(name)).toBe(true));

it.each([
  'jane.doe',
  'test',
  '123',
  'abc',
  'alexa',
  'paris',
  'chef',
  'md',
  '2024',
  'info2',
  'sales.jane',
  '',
])('does not take %j for a role', async (name) => expect(await isRole(name)).toBe(false));

it('looks at the canonical local part, whose tag is cut', async () => {
  const tagged = anAddress('info', 'x.org', { localPart: 'Info+shop', subaddress: 'shop' });
  expect((await find(tagged)).facts['domain.is_role_account']).toBe(true);
});

it('tells the version of its data', () => expect(source).toMatch(/^role-based-email-addresses@\d/));
