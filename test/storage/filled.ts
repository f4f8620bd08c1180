import { Kysely } from 'kysely';
import type { Storage } from '../../src/storage/ports.ts';
import { addPerson, entryOf } from '../support/people.ts';
import { ofCheck, ofPerson } from './label-contract.ts';
import { accountOf, checkOf, hashOf, keyOf } from './rows.ts';

const AT = '2026-11-20T10:00:00.000Z';
const DIGEST = 'd1';

/** Puts rows into every table, by the ports: texts of every kind, nulls, octets, references forth and back. */
export async function fill(storage: Storage, { checks = 30 } = {}): Promise<void> {
  const { accounts, keys, labels, state, providerValues, ruleVersions, ruleDrafts, peopleStorage } = storage;
  for (const id of ['acc_1', 'acc_2'])
    await accounts.create(accountOf(id, { name: `Grün & „Söhne“ 𝔾 ${id}` }));
  await keys.create(keyOf(5, { name: '' }));
  await keys.create(keyOf(1, { accountId: 'acc_2', environment: 'test', hash: hashOf(255) }));
  // The first of a family has the greatest id: what it refers to is copied before it, and what refers to it too.
  await keys.rotate('key_5', '2026-11-21T10:00:00.000Z', keyOf(3));
  await keys.rotate('key_3', '2026-11-22T10:00:00.000Z', keyOf(4));
  await keys.revoke('key_4', AT);
  const appended = Array.from({ length: checks }, (_, n) =>
    storage.checks.append(
      checkOf(`chk_${String(n).padStart(6, '0')}`, {
        created_at: new Date(Date.parse(AT) + (n % 30) * 72_000_000 + n).toISOString(),
        account_id: n % 3 === 0 ? 'acc_2' : 'acc_1',
        domain: n % 2 === 0 ? null : 'bücher.example',
        address_hmac: `${n % 7}a`,
        evidence: '{"text":"\\\\ \\" \u2028 \\u0001 é"}',
        duration_us: n % 4 === 0 ? null : 2 ** 40 + n,
      }),
    ),
  );
  await Promise.all(appended);
  await labels.put('acc_1', [ofCheck('chk_000001', 'bad'), ofPerson('1a', 'good', { author: null })], AT);
  await labels.put('acc_2', [ofCheck('chk_000000', 'good'), ofPerson('1a', 'bad')], AT);
  await storage.checkHours.keep([{ accountId: 'acc_2', hour: AT.slice(0, 13), checks: 1, tally: '{"a":1}' }]);
  await state.keep('retention_ran_at', AT);
  await state.keep('hmac_key', 'a fingerprint');
  await providerValues.keep('mx', 'k', '{}', 1_800_000_000_000, 0);
  const version = {
    hash: null,
    digest: DIGEST,
    reason: 'change',
    at: AT,
    author: null,
    restores: null,
  } as const;
  await ruleVersions.add(version, { 'a.yaml': 'group: a\n', 'b.yaml': '' });
  await ruleVersions.add({ ...version, author: 'Ann', restores: 1 }, { 'a.yaml': 'group: ß\n' });
  await ruleVersions.announce({ digest: DIGEST, author: 'Ann', restores: null });
  await ruleVersions.complain({ kind: 'refused', at: AT, digest: null, faults: ['one', 'two'] });
  const ann = { id: 'per_ann', name: 'Ann' };
  await ruleDrafts.create({
    ...{ id: 'drf_1', name: 'stricter', author: ann, createdAt: AT, savedBy: ann, savedAt: AT, revision: 1 },
    ...{ base: { hash: 'h', digest: DIGEST, files: {} }, files: { 'a.yaml': 'x' }, backtest: null },
  });
  await addPerson(storage, 'ann', 'owner');
  await addPerson(storage, 'bob', null);
  const roles = { operatorRole: null, memberships: [{ accountId: 'acc_1', role: 'viewer' as const }] };
  await peopleStorage.people.setRoles('per_bob', roles, entryOf('act_z', 'person.roles_changed'));
  const sessions = new Kysely<{ sessions: Record<string, string> }>({
    dialect: await peopleStorage.sessionDialect(),
  });
  await sessions
    .insertInto('sessions')
    .values({
      ...{ id: 'ses_1', person_id: 'per_ann', token: 't', expires_at: AT, created_at: AT, updated_at: AT },
    })
    .execute();
}
