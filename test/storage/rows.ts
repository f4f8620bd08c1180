import type { Account, NewApiKey } from '../../src/accounts/key.ts';
import type { CheckRow, NewCheck } from '../../src/storage/ports.ts';

const AT = '2026-11-20T10:00:00.000Z';

export function accountOf(id: string, fields: Partial<Account> = {}): Account {
  return { id, name: `name of ${id}`, createdAt: AT, ...fields };
}

/** A key whose hash is made of its number. */
export function keyOf(number: number, fields: Partial<NewApiKey> = {}): NewApiKey {
  return {
    id: `key_${number}`,
    accountId: 'acc_1',
    environment: 'live',
    name: null,
    prefix: 'pst_live_4f7q',
    createdAt: AT,
    hash: hashOf(number),
    ...fields,
  };
}

export function hashOf(number: number): Uint8Array {
  return new Uint8Array(32).fill(number);
}

export function checkOf(id: string, fields: Partial<NewCheck> = {}): NewCheck {
  return {
    id,
    created_at: AT,
    account_id: 'acc_1',
    key_id: 'key_1',
    environment: 'live',
    action: 'ALLOW',
    risk_score: 12,
    risk_level: 'low',
    ruleset: '0123456789abcdef',
    facts: { 'domain.has_mx': null },
    unknown: '{"domain.has_mx":"timeout"}',
    evidence: '{}',
    ledger: '[]',
    timings: { mx: 300_000 },
    sources: {},
    domain: 'example.org',
    address_hmac: null,
    address: null,
    challenger: null,
    shadow_rules: null,
    duration_us: 900,
    ...fields,
  };
}

/** What a store shows of a check that it was given. */
export function rowOf(check: NewCheck): CheckRow {
  const { facts, timings, sources } = check;
  return {
    ...check,
    facts: JSON.stringify(facts),
    timings: JSON.stringify(timings),
    sources: JSON.stringify(sources),
  };
}
