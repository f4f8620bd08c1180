import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  AddressPrivacy,
  ledgerWithoutPersonal,
  personalFacts,
  withoutPersonal,
} from '../../src/privacy/address-privacy.ts';
import type { Address } from '../../src/provider-kit/index.ts';
import type { LedgerEntry } from '../../src/rules/decision.ts';

const KEY = createSecretKey(Buffer.alloc(32, 1));

const ADDRESS: Address = {
  raw: ' X.Y+shop@nick.fastmail.com ',
  localPart: 'X.Y+shop',
  domain: 'nick.fastmail.com',
  domainKind: 'name',
  canonical: {
    address: 'nick@fastmail.com',
    localPart: 'nick',
    domain: 'fastmail.com',
    basis: 'provider',
    changes: ['case', 'tag', 'domain'],
  },
  subaddress: 'shop',
  hasDotsRemoved: false,
  faults: [],
};

describe('AddressPrivacy', () => {
  it('plain records the submitted address, its HMAC and its domain', () => {
    const privacy = new AddressPrivacy('plain', KEY);
    expect(privacy.columns(ADDRESS)).toEqual({
      domain: 'fastmail.com',
      address_hmac: privacy.hmac('nick@fastmail.com'),
      address: ADDRESS.raw,
    });
  });

  it('hmac records no local part, and none that is part of the domain', () => {
    const columns = new AddressPrivacy('hmac', KEY).columns(ADDRESS);
    expect(columns).toMatchObject({ domain: 'fastmail.com', address: null });
    expect(JSON.stringify(columns)).not.toMatch(/nick|X\.Y|shop/);
  });

  it('none records nothing', () => {
    const columns = new AddressPrivacy('none', KEY).columns(ADDRESS);
    expect(columns).toEqual({ domain: null, address_hmac: null, address: null });
  });

  it('hashes by HMAC-SHA-256 with its key', () => {
    // RFC 4231, test case 2.
    const privacy = new AddressPrivacy('hmac', createSecretKey(Buffer.from('Jefe')));
    expect(privacy.hmac('what do ya want for nothing?')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });
});

const SIGNALS = {
  facts: {
    'typo.suggestion': 'nick@gmail.com',
    'typo.local': null,
    'domain.has_mx': true,
    'mx.outcome': null,
  },
  unknown: { 'typo.local': 'not_run', 'mx.outcome': 'timeout' },
  evidence: { typo: { suggestion: 'nick@gmail.com', distance: 1 }, mx: { hosts: ['mx.example.org'] } },
} as const;
const PERSONAL = new Set(['typo.suggestion', 'typo.local']);

describe('withoutPersonal', () => {
  it.each(['hmac', 'none'] as const)(
    'under %s leaves personal facts and evidence out, with the reason',
    (mode) => {
      const kept = withoutPersonal(SIGNALS, PERSONAL, mode, 'example.com');
      expect(kept).toEqual({
        facts: { 'typo.suggestion': null, 'typo.local': null, 'domain.has_mx': true, 'mx.outcome': null },
        unknown: { 'typo.suggestion': 'not_stored', 'typo.local': 'not_run', 'mx.outcome': 'timeout' },
        evidence: { typo: { distance: 1 }, mx: { hosts: mode === 'none' ? [] : ['mx.example.org'] } },
      });
      expect(JSON.stringify(kept)).not.toContain('nick');
    },
  );

  it('under none leaves hosts and domains out of evidence, at any depth, also where parts spell the domain', () => {
    const evidence = {
      disposable: { matched: 'shop.example', lists: ['one', 'two'], name: 'tempmail', named: 50 },
      tld: { tld: 'example', metric: 'badness' },
      mx: { exchanges: [{ exchange: 'mx.shop.example', preference: 10 }], known: false },
      lists: { owner: 'risk', entry: { value: '.shop.example', reason: null } },
      own: { by_host: { 'mx.shop.example': 1, other: 2 }, brand: 'TempMail', note: 'an EXAMPLE of many' },
    };
    expect(
      withoutPersonal({ ...SIGNALS, evidence }, new Set(), 'none', 'temp-mail.example').evidence,
    ).toEqual({
      own: { by_host: { other: 2 } },
      disposable: { lists: ['one', 'two'], named: 50 },
      tld: { metric: 'badness' },
      mx: { exchanges: [{ preference: 10 }], known: false },
      lists: { owner: 'risk', entry: { reason: null } },
    });
    expect(withoutPersonal({ ...SIGNALS, evidence }, new Set(), 'hmac', 'example.com').evidence).toEqual(
      evidence,
    );
  });

  it('under plain keeps everything', () => {
    expect(withoutPersonal(SIGNALS, PERSONAL, 'plain', 'example.com')).toEqual(SIGNALS);
  });

  it('keeps everything where nothing is declared personal', () => {
    expect(withoutPersonal(SIGNALS, new Set(), 'hmac', 'example.com')).toEqual(SIGNALS);
  });
});

describe('ledgerWithoutPersonal', () => {
  const saw = { 'typo.suggestion': 'nick@gmail.com', 'domain.has_mx': true };
  const ledger: readonly LedgerEntry[] = [
    { kind: 'rule', points: 10, id: 'typo', group: 'address', saw },
    { kind: 'cap', points: -2, group: 'address', max_score: 8 },
    { kind: 'level', points: 0, id: null, level: 'low', saw: {} },
  ];

  it('removes the values of personal facts that rules read, and no points', () => {
    expect(ledgerWithoutPersonal(ledger, PERSONAL)).toEqual([
      { ...ledger[0], saw: { 'typo.suggestion': null, 'domain.has_mx': true } },
      ledger[1],
      ledger[2],
    ]);
  });

  it('under plain keeps everything', () => {
    const declared = { type: 'boolean', description: '', example: true, personal: true } as const;
    const facts = [...PERSONAL].map((id) => ({ id, ...declared }));
    expect([...personalFacts('hmac', facts)]).toEqual([...PERSONAL]);
    expect(ledgerWithoutPersonal(ledger, personalFacts('plain', facts))).toEqual(ledger);
  });
});
