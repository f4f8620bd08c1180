import { createSecretKey } from 'node:crypto';
import { expect, it } from 'vitest';
import { type Check, CheckRecorder } from '../../src/checks/check-record.ts';
import { AddressPrivacy, type PrivacyMode } from '../../src/privacy/address-privacy.ts';
import { planCollection } from '../../src/signals/plan-collection.ts';
import type { CheckStore, NewCheck } from '../../src/storage/ports.ts';
import { anAddress } from '../support/addresses.ts';
import { aFact, aLocalProvider } from '../support/providers.ts';

const provider = aLocalProvider('a', {
  facts: [
    aFact('a.open'),
    aFact('a.of_domain', { personal: 'domain' }),
    aFact('a.of_person', { personal: true }),
  ],
});
const { catalogue } = planCollection([provider], [aLocalProvider('off')]);

/** The record of a check in which every fact of the provider was true. */
async function recordOf(mode: PrivacyMode) {
  let recorded: NewCheck | undefined;
  const store = {
    append: async (check: NewCheck) => {
      recorded = check;
    },
  } as Partial<CheckStore> as CheckStore;
  const recorder = new CheckRecorder(
    store,
    new AddressPrivacy(mode, createSecretKey(Buffer.alloc(32))),
    catalogue,
  );
  const facts = { 'a.open': true, 'a.of_domain': true, 'a.of_person': true, 'off.seen': null };
  const signals = {
    facts,
    unknown: { 'off.seen': 'not_run' },
    evidence: {},
    timingsUs: {},
    sources: {},
    degraded: [],
  };
  const decision = { action: 'ALLOW', score: 0, level: 'low', ruleset: '', ledger: [] };
  const check = { address: anAddress(), signals, decision, challenge: null, shadowHashes: {} };
  await recorder.record(check as unknown as Check, { accountId: 'acc_1', id: 'key_1' } as never);
  return { facts: recorded?.facts, unknown: JSON.parse(recorded?.unknown ?? '') };
}

it.each([
  ['plain', {}],
  ['hmac', { 'a.of_person': 'not_stored' }],
  ['none', { 'a.of_person': 'not_stored', 'a.of_domain': 'not_stored' }],
] as const)('under %s keeps each fact that reveals no more than the record itself', async (mode, unknown) => {
  const facts: Record<string, boolean | null> = {
    'a.open': true,
    'a.of_domain': true,
    'a.of_person': true,
  };
  for (const id of Object.keys(unknown)) facts[id] = null;
  expect(await recordOf(mode)).toEqual({ facts, unknown });
});
