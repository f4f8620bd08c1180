import { expect, it } from 'vitest';
import { anAddress } from '../../test/support/addresses.ts';
import { prepareCheck } from '../../test/support/check-with.ts';
import { hasMeasuringData, measuringRows } from '../../test/support/measuring-data.ts';
import disposable from '../disposable/index.ts';
import freeProvider from './index.ts';
import { loadFreeDomains } from './load.ts';

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
])('knows %s as free', async (domain) => expect(await isFree(domain)).toBe(true));

it.each([
  ...['example.com', 'sub.gmail.com', 'notgmail.com', 'mailinator.com', 'yopmail.com', 'mail-tester.com'],
  ...['privaterelay.appleid.com', 'mozmail.com', 'duck.com', 'spamgourmet.com', '[192.0.2.1]'],
])('does not know %s as free', async (domain) => expect(await isFree(domain)).toBe(false));

it('calls no domain free that is called disposable', async () => {
  const other = await prepareCheck(disposable);
  const both = [];
  for (const domain of loadFreeDomains()) {
    const { facts } = await other.find(anAddress('x', domain));
    if (facts['domain.is_known_disposable']) both.push(domain);
  }
  expect(both).toEqual([]);
});

it('tells the version of its data', () => expect(source).toMatch(/^email-providers@\d/));

it.skipIf(!hasMeasuringData)('knows the big free providers', async () => {
  const missing = [];
  for (const [domain = ''] of measuringRows('free-top.txt'))
    if (!(await isFree(domain))) missing.push(domain);
  // A testing tool and two universities, which some public lists name.
  expect(missing).toEqual(['mail-tester.com', 'nus.edu.sg', 'unican.es']);
});
