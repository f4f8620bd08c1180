import { expect, it } from 'vitest';
import { accountOf, checkOf, rowOf } from '../storage/rows.ts';
import { describeRecords } from './records.ts';

describeRecords('one check', (someRecords) => {
  it('is returned in full, with its labels and the version of its rule set', async () => {
    const records = await someRecords();
    const { accounts, labels, ruleVersions } = records.storage;
    await accounts.create(accountOf('acc_1'));
    const check = checkOf('chk_1', { address_hmac: 'aa', challenger: null });
    await records.storage.checks.append(check);
    const version = { reason: 'start', author: null, restores: null } as const;
    const set = { ...version, hash: check.ruleset };
    await ruleVersions.add({ ...version, hash: 'feed', digest: 'd0', at: '2026-11-20T08:00:00.000Z' }, {});
    await ruleVersions.add({ ...set, digest: 'd1', at: '2026-11-20T09:00:00.000Z' }, {});
    await ruleVersions.add({ ...set, digest: 'd2', at: '2026-11-20T10:00:00.001Z' }, {});
    const told = { source: 'chargebacks', labelledAt: '2026-11-21T00:00:00.000Z' };
    await labels.put(
      'acc_1',
      [
        { subject: { addressHmac: 'aa' }, label: 'bad', author: null, ...told },
        { subject: { checkId: 'chk_1' }, label: 'good', author: 'jane', ...told },
      ],
      told.labelledAt,
    );
    expect(await records.ask('check', { id: 'chk_1' })).toEqual({
      row: rowOf(check),
      version: 2,
      labels: [
        { of: 'check', label: 'good', author: 'jane', source: told.source, labelled_at: told.labelledAt },
        { of: 'person', label: 'bad', author: null, source: told.source, labelled_at: told.labelledAt },
      ],
    });
  });

  it('is not found for another account, or where it does not exist', async () => {
    const records = await someRecords();
    await records.add({ id: 'chk_1' });
    const ask = (id: string, accountId?: string) => records.ask('check', { id, accountId });
    expect(await ask('chk_1', 'acc_1')).toMatchObject({ version: null, labels: [] });
    expect([await ask('chk_1', 'acc_2'), await ask('chk_2', 'acc_1')]).toEqual([null, null]);
  });
});
