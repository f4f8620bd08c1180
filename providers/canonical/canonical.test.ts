import { runContract } from 'postern/provider-kit/vitest';
import { expect, it } from 'vitest';
import { readAddress } from '../../src/email/read-address.ts';
import { prepareCheck } from '../../test/support/check-with.ts';
import canonical from './index.ts';

async function find(email: string) {
  const reading = readAddress(email);
  if (!reading.ok) throw new Error(`${email}: ${reading.refusal.message}`);
  return (await prepareCheck(canonical)).find(reading.address);
}

it('reports no change for an address that is already canonical', async () => {
  expect(await find('jane@example.org')).toEqual({
    facts: {
      'canonical.basis': 'generic',
      'canonical.has_tag': false,
      'canonical.has_dots_removed': false,
      'canonical.has_other_domain': false,
      'canonical.changes': 0,
    },
  });
});

it.each([
  ['Jane@example.org', ['case']],
  ['jane+news@example.org', ['tag']],
  ['jane+@example.org', ['tag']],
  ['j.ane@gmail.com', ['dots']],
  ['j-a_ne@proton.me', ['characters']],
  ['j.a-ne@proton.me', ['dots', 'characters']],
  ['jane.doe@ya.ru', ['dots', 'domain']],
  ['J.Doe+x@googlemail.com', ['case', 'tag', 'dots', 'domain']],
  ['x@jane.fastmail.com', ['tag', 'domain']],
  ['...@gmail.com', []],
  ['jane+news@[192.0.2.1]', []],
])('names and counts the changes that were made to %s', async (email, changes) => {
  const { facts, evidence } = await find(email);
  expect(evidence?.changes ?? []).toEqual(changes);
  expect(facts['canonical.changes']).toBe(changes.length);
  expect(facts['canonical.has_tag']).toBe(changes.includes('tag'));
  expect(facts['canonical.has_dots_removed']).toBe(changes.includes('dots'));
  expect(facts['canonical.has_other_domain']).toBe(changes.includes('domain'));
});

it.each([
  ['jane@gmail.com', 'provider'],
  ['jane@example.org', 'generic'],
  ['jane@[192.0.2.1]', 'none'],
])('gives the basis of the canonical form of %s', async (email, basis) => {
  expect((await find(email)).facts['canonical.basis']).toBe(basis);
});

runContract(canonical, {
  cases: [
    {
      email: 'J.Doe+shop@googlemail.com',
      expect: {
        'canonical.basis': 'provider',
        'canonical.has_tag': true,
        'canonical.has_dots_removed': true,
        'canonical.has_other_domain': true,
        'canonical.changes': 4,
      },
    },
    { email: 'jane@example.com', expect: { 'canonical.basis': 'generic', 'canonical.changes': 0 } },
  ],
});
