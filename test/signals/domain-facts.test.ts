import { describe, expect, it } from 'vitest';
import address from '../../providers/address/index.ts';
import { readAddress } from '../../src/email/read-address.ts';
import { isUnknown } from '../../src/provider-kit/index.ts';
import { factsReader } from '../../src/rule-lab/backtest/case.ts';
import { domainFacts } from '../../src/signals/domain-facts.ts';
import { prepareCheck } from '../support/check-with.ts';

const catalogue = {
  facts: new Map(address.facts.map((fact) => [fact.id, { ...fact, provider: 'address' }])),
  thresholds: new Map(),
};

describe('the facts of a domain that a record has in addition', () => {
  it.each([
    'example.org',
    'a.b.example.co.uk',
    'x.github.io',
    'github.io',
    'co.uk',
    'localhost',
    '[192.0.2.1]',
  ])('are the facts of the provider for %s', async (domain) => {
    const reading = readAddress(`jane@${domain}`);
    if (!reading.ok) throw new Error(reading.refusal.message);
    const { facts } = await (await prepareCheck(address)).find(reading.address);
    const told = Object.entries(facts).map(([id, fact]) => [id, isUnknown(fact) ? null : fact]);
    expect(domainFacts(reading.address.canonical.domain, catalogue)).toEqual(Object.fromEntries(told));
  });

  it('are empty without a domain, and where no provider has such facts', () => {
    expect(domainFacts(null, catalogue)).toEqual({});
    expect(domainFacts('example.org', { facts: new Map() })).toEqual({});
  });

  it('are added in a replay of an older record, and not changed in others', () => {
    const read = factsReader(catalogue);
    const check = { id: 'chk_1', withheld: null, address_hmac: null, domain: 'mail.example.org' };
    expect(read(check, '{"x":1}')).toMatchObject({ x: 1, 'address.registrable_domain': 'example.org' });
    expect(read(check, '{"address.domain":"kept.example"}')).toEqual({ 'address.domain': 'kept.example' });
    expect(read({ ...check, domain: null }, '{"x":1}')).toEqual({ x: 1 });
  });
});
