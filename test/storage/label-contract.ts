import { beforeEach, describe, expect, it } from 'vitest';
import type { Label } from '../../src/labels/label.ts';
import type { LabelSubject, NewLabel, Shown } from '../../src/storage/label-ports.ts';
import type { Storage } from '../../src/storage/ports.ts';
import { accountOf, checkOf } from './rows.ts';

const AT = '2026-11-20T12:00:00.000Z';
const LATER = '2026-11-21T12:00:00.000Z';
const NONE = { added: 0, changed: 0, same: 0, older: 0, absent: 0 };

export function ofCheck(checkId: string, label: Label, fields: Partial<NewLabel> = {}): NewLabel {
  return { subject: { checkId }, label, source: 'a.csv', author: 'ann', labelledAt: AT, ...fields };
}

export function ofPerson(addressHmac: string, label: Label, fields: Partial<NewLabel> = {}): NewLabel {
  return { ...ofCheck('', label, fields), subject: { addressHmac } };
}

/** What every driver promises of labels. `storageOf` is the storage of the test that runs; `open` opens its database again. */
export function describeLabels(storageOf: () => Storage, open: () => Promise<Storage>): void {
  describe('labels', () => {
    let storage: Storage;
    beforeEach(async () => {
      storage = storageOf();
      await storage.accounts.create(accountOf('acc_1'));
      await storage.accounts.create(accountOf('acc_2'));
      await storage.checks.append(checkOf('chk_1', { address_hmac: 'aa' }));
      await storage.checks.append(checkOf('chk_2', { address_hmac: 'aa' }));
      await storage.checks.append(checkOf('chk_3', { address_hmac: 'bb' }));
      await storage.checks.append(checkOf('chk_4'));
      await storage.checks.append(checkOf('chk_of_2', { address_hmac: 'aa', account_id: 'acc_2' }));
      await storage.checks.append(checkOf('chk_test', { address_hmac: 'aa', environment: 'test' }));
    });

    const put = (...labels: readonly (NewLabel & Shown)[]) => storage.labels.put('acc_1', labels, AT);
    const labelled = async (accountId?: string) => {
      const found: [string, Label | null][] = [];
      for await (const page of storage.checks.pages({ accountId }))
        for (const { id, label } of page) found.push([id, label]);
      return Object.fromEntries(found.filter(([, label]) => label !== null));
    };

    it('of a person are of all their recorded checks in the account, those that come later included', async () => {
      expect(await put(ofPerson('aa', 'bad'), ofPerson('cc', 'good'))).toEqual({ ...NONE, added: 2 });
      await storage.checks.append(checkOf('chk_5', { address_hmac: 'cc' }));
      expect(await labelled()).toEqual({ chk_1: 'bad', chk_2: 'bad', chk_5: 'good' });
    });

    it('that come at the same time are all stored, each told what became of it', async () => {
      const others = [ofCheck('chk_of_2', 'bad')];
      const told = await Promise.all([
        put(ofCheck('chk_1', 'bad')),
        put(ofCheck('chk_2', 'good')),
        storage.labels.put('acc_2', others, AT),
        storage.labels.weigh('acc_1', [ofCheck('chk_of_2', 'bad')]),
        put(ofCheck('chk_3', 'bad')),
      ]);
      const added = { ...NONE, added: 1 };
      expect(told).toEqual([added, added, added, { ...NONE, absent: 1 }, added]);
      expect(await labelled()).toEqual({ chk_1: 'bad', chk_2: 'good', chk_3: 'bad', chk_of_2: 'bad' });
    });

    it('of a check win over those of its person', async () => {
      await put(ofPerson('aa', 'bad'), ofCheck('chk_2', 'good'));
      expect(await labelled()).toEqual({ chk_1: 'bad', chk_2: 'good' });
    });

    it('of one account show nothing of another, and never become its own', async () => {
      await put(ofPerson('aa', 'bad'));
      await storage.labels.put('acc_2', [ofPerson('aa', 'good')], AT);
      expect(await labelled('acc_1')).toEqual({ chk_1: 'bad', chk_2: 'bad' });
      expect(await labelled('acc_2')).toEqual({ chk_of_2: 'good' });
      expect(await put(ofCheck('chk_of_2', 'bad'))).toEqual({ ...NONE, absent: 1 });
      expect(await labelled('acc_2')).toEqual({ chk_of_2: 'good' });
      expect(await storage.labels.remove('acc_2', [{ addressHmac: 'cc' }])).toEqual({ removed: 0, left: 0 });
      expect(await storage.labels.list('acc_2', 10)).toHaveLength(1);
    });

    it('of checks that are not on record, or are of a test key, are not stored', async () => {
      expect(await put(ofCheck('chk_none', 'bad'), ofCheck('chk_test', 'bad'))).toEqual({
        ...NONE,
        absent: 2,
      });
      expect(await storage.labels.list(undefined, 10)).toEqual([]);
    });

    it('that are told again for the same time or an earlier one change nothing', async () => {
      await put(ofPerson('aa', 'bad'), ofCheck('chk_3', 'good', { labelledAt: LATER }));
      const before = await storage.labels.list('acc_1', 10);
      const again = { labelledAt: AT, author: 'bob', source: 'b.csv' };
      expect(await put(ofPerson('aa', 'bad', again), ofCheck('chk_3', 'good', again))).toEqual({
        ...NONE,
        same: 2,
      });
      expect(await storage.labels.list('acc_1', 10)).toEqual(before);
    });

    it('that are told again for a later time are the same, and outlast what was told between', async () => {
      await put(ofPerson('aa', 'bad'), ofCheck('chk_3', 'bad'));
      const latest = { labelledAt: '2026-11-22T12:00:00.000Z', author: 'bob', source: 'b.csv' };
      const again = [ofPerson('aa', 'bad', latest), ofCheck('chk_3', 'bad', latest)];
      expect(await storage.labels.weigh('acc_1', again)).toEqual({ ...NONE, same: 2 });
      expect(await put(...again)).toEqual({ ...NONE, same: 2 });
      const between = { labelledAt: LATER };
      expect(await put(ofPerson('aa', 'good', between), ofCheck('chk_3', 'good', between))).toEqual({
        ...NONE,
        older: 2,
      });
      expect(await storage.labels.list('acc_1', 10)).toEqual(
        expect.arrayContaining(again.map((label) => expect.objectContaining(label))),
      );
    });

    it('replace those that were told before or at the same time, and no later one', async () => {
      await put(ofPerson('aa', 'bad'), ofCheck('chk_3', 'bad', { labelledAt: LATER }));
      expect(
        await put(
          ofPerson('aa', 'good', { author: null, source: 'b.csv' }),
          ofCheck('chk_3', 'good', { labelledAt: AT }),
        ),
      ).toEqual({ ...NONE, changed: 1, older: 1 });
      expect(await labelled()).toEqual({ chk_1: 'good', chk_2: 'good', chk_3: 'bad' });
      expect(await storage.labels.list('acc_1', 10)).toEqual([
        { ...ofCheck('chk_3', 'bad', { labelledAt: LATER }), accountId: 'acc_1', checks: 1 },
        { ...ofPerson('aa', 'good', { author: null, source: 'b.csv' }), accountId: 'acc_1', checks: 2 },
      ]);
    });

    it('are weighed without being stored', async () => {
      await put(ofPerson('aa', 'bad'));
      const labels = [ofPerson('aa', 'good'), ofPerson('bb', 'good'), ofCheck('chk_none', 'bad')];
      expect(await storage.labels.weigh('acc_1', labels)).toEqual({
        ...NONE,
        changed: 1,
        added: 1,
        absent: 1,
      });
      expect(await labelled()).toEqual({ chk_1: 'bad', chk_2: 'bad' });
    });

    it('are stored all or none, up to ten thousand', async () => {
      const wrong = { ...ofPerson('bb', 'bad'), label: 'ugly' as Label };
      await expect(put(ofPerson('aa', 'bad'), wrong)).rejects.toThrow(/constraint/i);
      expect(await labelled()).toEqual({});
      // The connection is not stuck in the transaction that failed.
      expect(await put(ofPerson('aa', 'bad'))).toEqual({ ...NONE, added: 1 });
    });

    it('are stored by the ten thousand, and listed by the time they were told', async () => {
      const many = Array.from({ length: 25_000 }, (_, index) =>
        ofPerson(`p${index}`, index % 2 === 0 ? 'good' : 'bad', {
          labelledAt: new Date(Date.UTC(2026, 0, 1) + ((index * 7_919) % 25_000)).toISOString(),
        }),
      );
      const steps: number[] = [];
      expect(await storage.labels.put('acc_1', many, AT, (more) => steps.push(more))).toEqual({
        ...NONE,
        added: 25_000,
      });
      expect(steps).toEqual([10_000, 10_000, 5_000]);
      const listed = await storage.labels.list('acc_1', 3);
      expect(listed.map(({ labelledAt }) => labelledAt.slice(-7))).toEqual(['24.999Z', '24.998Z', '24.997Z']);
      expect(await storage.labels.summarize()).toEqual({ good: 12_500, bad: 12_500, checks: 0 });
    });

    it('are stored while another opening records checks', async () => {
      const other = await open();
      const many = Array.from({ length: 15_000 }, (_, index) => ofPerson(`p${index}`, 'bad'));
      const storing = put(...many);
      let isStored = false;
      const stored = storing.finally(() => {
        isStored = true;
      });
      let recorded = 0;
      for (; !isStored; recorded++) await other.checks.append(checkOf(`chk_meanwhile_${recorded}`));
      expect(await stored).toEqual({ ...NONE, added: 15_000 });
      expect(recorded).toBeGreaterThan(0);
    });

    it('twice of one subject are refused', async () => {
      await expect(put(ofPerson('aa', 'bad'), ofPerson('aa', 'good'))).rejects.toThrow(/constraint/i);
      expect(await labelled()).toEqual({});
    });

    it('say how many recorded checks they reach', async () => {
      const subjects: LabelSubject[] = [
        { addressHmac: 'aa' },
        { addressHmac: 'cc' },
        { checkId: 'chk_4' },
        { checkId: 'chk_of_2' },
        { checkId: 'chk_test' },
      ];
      expect(await storage.labels.reach('acc_1', subjects)).toEqual([2, 0, 1, 0, 0]);
    });

    it('are summed up by account or for all, each check counted once', async () => {
      await put(ofPerson('aa', 'bad'), ofCheck('chk_2', 'good'), ofPerson('zz', 'bad'));
      await storage.labels.put('acc_2', [ofPerson('aa', 'good')], AT);
      expect(await storage.labels.summarize('acc_1')).toEqual({ good: 1, bad: 2, checks: 2 });
      expect(await storage.labels.summarize('acc_2')).toEqual({ good: 1, bad: 0, checks: 1 });
      expect(await storage.labels.summarize()).toEqual({ good: 2, bad: 2, checks: 3 });
    });

    it('are removed together, and it is told how many there were', async () => {
      await put(ofPerson('aa', 'bad'), ofCheck('chk_2', 'good'));
      const remove = (...subjects: LabelSubject[]) => storage.labels.remove('acc_1', subjects);
      const none = { removed: 0, left: 0 };
      expect(await remove({ checkId: 'chk_2' }, { checkId: 'chk_none' })).toEqual({ ...none, removed: 1 });
      expect(await labelled()).toEqual({ chk_1: 'bad', chk_2: 'bad' });
      await put(ofCheck('chk_2', 'good'));
      const others = Array.from({ length: 1_200 }, (_, number) => ({ checkId: `chk_other_${number}` }));
      expect(await remove(...others, { addressHmac: 'aa' }, { checkId: 'chk_2' })).toEqual({
        ...none,
        removed: 2,
      });
      expect(await remove({ addressHmac: 'aa' })).toEqual(none);
      expect(await remove()).toEqual(none);
      expect(await labelled()).toEqual({});
    });

    it('that are another by now than was shown stay, and it is told how many', async () => {
      await put(ofCheck('chk_1', 'bad'), ofCheck('chk_2', 'good'), ofPerson('bb', 'good'));
      const later = { labelledAt: LATER };
      expect(
        await put(
          { ...ofCheck('chk_1', 'good', later), was: 'none' },
          { ...ofCheck('chk_2', 'bad', later), was: 'good' },
          { ...ofCheck('chk_3', 'bad', later), was: 'good' },
        ),
      ).toEqual({ ...NONE, older: 1, changed: 1, added: 1 });
      expect(await labelled()).toEqual({ chk_1: 'bad', chk_2: 'bad', chk_3: 'bad' });
      // It is as the person wants it, by whomever.
      expect(await put({ ...ofCheck('chk_1', 'bad', later), was: 'none' })).toEqual({ ...NONE, same: 1 });
      const shown = [
        { checkId: 'chk_1', was: 'none' },
        { checkId: 'chk_2', was: 'bad' },
        { checkId: 'chk_4', was: 'good' },
      ] as const;
      expect(await storage.labels.remove('acc_1', shown)).toEqual({ removed: 1, left: 1 });
      expect(await labelled()).toEqual({ chk_1: 'bad', chk_3: 'bad' });
    });

    it('are forgotten with their person, in every account, and nobody else’s', async () => {
      await put(
        ofPerson('aa', 'bad'),
        ofCheck('chk_2', 'good'),
        ofPerson('bb', 'good'),
        ofPerson('cc', 'bad'),
      );
      await storage.labels.put('acc_2', [ofPerson('aa', 'good')], AT);
      expect(await storage.checks.forget({ addressHmac: 'aa' })).toEqual({ checks: 4, labels: 3 });
      expect(await storage.checks.forget({ addressHmac: 'cc' })).toEqual({ checks: 0, labels: 1 });
      expect((await storage.labels.list(undefined, 10)).map(({ subject }) => subject)).toEqual([
        { addressHmac: 'bb' },
      ]);
    });

    it('go with their check when retention deletes it; those of its person stay', async () => {
      await put(ofCheck('chk_3', 'good'), ofPerson('aa', 'bad'));
      await storage.checks.deleteBefore('2027-01-01T00:00:00.000Z');
      expect(
        (await storage.labels.list(undefined, 10)).map(({ subject, checks }) => [subject, checks]),
      ).toEqual([[{ addressHmac: 'aa' }, 0]]);
    });

    it('of people without a check go once they are old enough', async () => {
      await storage.labels.put('acc_1', [ofPerson('aa', 'bad'), ofPerson('cc', 'bad')], AT);
      await storage.labels.put('acc_1', [ofPerson('dd', 'bad'), ofCheck('chk_3', 'good')], LATER);
      // Of another account's check only.
      await storage.checks.append(checkOf('chk_5', { address_hmac: 'ee', account_id: 'acc_2' }));
      await storage.labels.put('acc_1', [ofPerson('ee', 'bad')], AT);
      expect(await storage.labels.deleteIdle(LATER)).toBe(2);
      const left = await storage.labels.list('acc_1', 10);
      expect(left.map(({ subject }) => Object.values(subject)[0]).toSorted()).toEqual(['aa', 'chk_3', 'dd']);
    });

    it('of people without a check stay when whoever has them deleted has given up', async () => {
      await storage.labels.put('acc_1', [ofPerson('cc', 'bad')], AT);
      expect(await storage.labels.deleteIdle(LATER, AbortSignal.abort())).toBe(0);
      expect(await storage.labels.deleteIdle(LATER)).toBe(1);
    });

    it('belong to an account that exists', async () => {
      await expect(storage.labels.put('acc_none', [ofPerson('aa', 'bad')], AT)).rejects.toThrow();
    });

    it('cannot be stored once the storage is closed', async () => {
      await storage.close();
      await expect(put(ofPerson('aa', 'bad'))).rejects.toMatchObject({ code: 'unavailable' });
      await expect(storage.labels.remove('acc_1', [{ checkId: 'chk_1' }])).rejects.toMatchObject({
        code: 'unavailable',
      });
    });
  });
}
