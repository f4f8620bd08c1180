import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DomainSet } from './domain-set.ts';

const aDomain = fc.stringMatching(/^[ab.]{1,6}$/);

describe('a set of domains', () => {
  it('holds what a Set of them would hold, each once', () => {
    fc.assert(
      fc.property(fc.array(aDomain), fc.array(aDomain), (domains, others) => {
        const [ours, plain] = [new DomainSet(domains), new Set(domains)];
        expect(ours.size).toBe(plain.size);
        expect([...ours].sort()).toEqual([...plain].sort());
        for (const domain of [...domains, ...others]) expect(ours.has(domain)).toBe(plain.has(domain));
      }),
    );
  });

  it('takes no beginning, end or neighbourhood of a domain for the domain', () => {
    const set = new DomainSet(['one.com', 'two.net']);
    for (const part of ['', 'one', 'one.co', 'ne.com', 'com', 'one.comtwo.net', 'one.com.', 'two.netx'])
      expect(set.has(part), part).toBe(false);
  });

  it('may be empty', () => expect(new DomainSet([]).has('one.com')).toBe(false));
});
