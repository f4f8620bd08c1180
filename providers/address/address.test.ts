import { runContract } from 'postern/provider-kit/vitest';
import { expect, it } from 'vitest';
import { readAddress } from '../../src/email/read-address.ts';
import { isUnknown } from '../../src/provider-kit/index.ts';
import { fits } from '../../src/signals/read-answer.ts';
import { prepareCheck } from '../../test/support/check-with.ts';
import address from './index.ts';

async function find(email: string) {
  const reading = readAddress(email);
  if (!reading.ok) throw new Error(`${email}: ${reading.refusal.message}`);
  const { facts } = await (await prepareCheck(address)).find(reading.address);
  return Object.values(facts).map((fact) => (isUnknown(fact) ? fact.unknown : fact));
}

it.each([
  ['jane@example.org', 'example.org', 'org', 'example.org'],
  ['jane@A.B.Example.CO.UK', 'a.b.example.co.uk', 'uk', 'example.co.uk'],
  // The canonical form, as in velocity and the allow and deny lists.
  ['jane@googlemail.com', 'gmail.com', 'com', 'gmail.com'],
  ['jane@bücher.example', 'xn--bcher-kva.example', 'example', 'xn--bcher-kva.example'],
  // Under a suffix of the private section of the Public Suffix List, each name belongs to another person.
  ['jane@mail.stranger.github.io', 'mail.stranger.github.io', 'io', 'stranger.github.io'],
  ['jane@ex_ample.org', 'ex_ample.org', 'org', 'ex_ample.org'],
])('gives the domain of %s, its last label and its registered domain', async (email, ...found) => {
  expect(await find(email)).toEqual(found);
});

it.each([
  ['jane@[192.0.2.1]', '[192.0.2.1]', 'not_run', 'not_run'],
  ['jane@[IPv6:2001:DB8::1]', '[ipv6:2001:db8::1]', 'not_run', 'not_run'],
  ['jane@localhost', 'localhost', 'not_run', 'not_run'],
  ['jane@co.uk', 'co.uk', 'uk', 'not_run'],
  ['jane@github.io', 'github.io', 'io', 'not_run'],
])('gives what %s has: it has no registered domain', async (email, ...found) => {
  expect(await find(email)).toEqual(found);
});

it('always gives a domain of the declared form, for every address that can be read', async () => {
  const emails = [
    'x@a',
    `x@${'a.'.repeat(120)}example`,
    '"x y"@[127.0.0.1]',
    'x@xn--p1ai.xn--p1ai',
    'x@1.2.3',
  ];
  for (const email of emails) {
    const [domain] = await find(email).catch(() => ['refused']);
    expect(fits(domain, { type: 'domain' }), email).toBe(true);
  }
});

runContract(address, {
  cases: [
    {
      email: 'jane@mail.example.co.uk',
      expect: {
        'address.domain': 'mail.example.co.uk',
        'address.tld': 'uk',
        'address.registrable_domain': 'example.co.uk',
      },
    },
  ],
});
