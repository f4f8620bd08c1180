import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeRecords, someRecords } from './records.ts';

const RANGE = { since: '2026-11-20T00:00:00.000Z', until: '2026-11-21T00:00:00.000Z' };
const NOW = Date.parse('2026-11-20T12:01:59Z');

describeRecords('counts of hours', (someRecords) => {
  it('are stored for hours that ended two minutes ago or earlier', async () => {
    const records = await someRecords(() => NOW);
    await records.add(
      { id: 'chk_1', created_at: '2026-11-20T08:30:00.000Z' },
      { id: 'chk_2', created_at: '2026-11-20T10:30:00.000Z' },
      { id: 'chk_3', created_at: '2026-11-20T11:30:00.000Z' },
      { id: 'chk_4', created_at: '2026-11-20T12:00:30.000Z' },
    );
    expect(await records.count()).toBe(true);
    expect(await records.hours()).toEqual(['2026-11-20T08', '2026-11-20T10']);
    const since = '2026-11-20T08:00:00.001Z';
    expect((await records.ask('overview', { ...RANGE, since })).checks).toBe(4);
  });

  it('are not computed by a question: the answer reports the counted share', async () => {
    const records = await someRecords(() => NOW);
    await records.add(
      { id: 'chk_1', created_at: '2026-11-20T10:30:00.000Z', key_id: 'key_old' },
      // An hour that has not ended is counted for each question.
      { id: 'chk_2', created_at: '2026-11-20T12:00:30.000Z' },
      { id: 'chk_3', created_at: '2026-11-20T12:00:31.000Z', environment: 'test' },
    );
    for (const _ of [1, 2]) {
      expect(await records.ask('overview', RANGE)).toMatchObject({
        counted_share: 0.6666,
        checks: 1,
        test_checks: 1,
      });
      const { counted_share: share, keys } = await records.ask('usage', RANGE);
      expect([share, keys.map(({ key_id }) => key_id)]).toEqual([0.6666, ['key_1']]);
    }
    expect(await records.hours()).toEqual([]);
    await records.count();
    expect(await records.ask('overview', RANGE)).toMatchObject({ counted_share: 1, checks: 2 });
    expect(await records.ask('usage', RANGE)).toMatchObject({ counted_share: 1, keys: [{}, {}] });
  });

  it('are read in place of the checks, as long as the number of checks is the same', async () => {
    const records = await someRecords();
    await records.add({ id: 'chk_1', created_at: '2026-11-20T08:30:00.000Z' });
    await records.count();
    const hour = { accountId: 'acc_1', hour: '2026-11-20T08', checks: 1 };
    await records.storage.checkHours.keep([{ ...hour, tally: '{"decisions":{"ALLOW low":7}}' }]);
    expect((await records.ask('overview', RANGE)).checks).toBe(7);
    await records.add({ id: 'chk_late', created_at: '2026-11-20T08:40:00.000Z' });
    expect(await records.ask('overview', RANGE)).toMatchObject({ checks: 0, counted_share: 0 });
    await records.count();
    expect(await records.ask('overview', RANGE)).toMatchObject({ checks: 2, counted_share: 1 });
  });

  it('are deleted with the first check that is forgotten, in the same transaction', async () => {
    const records = await someRecords();
    await records.add(
      { id: 'chk_1', address_hmac: 'aa' },
      { id: 'chk_2', created_at: '2026-11-20T08:30:00.000Z' },
    );
    await records.count();
    expect(await records.hours()).toEqual(['2026-11-20T08', '2026-11-20T10']);
    await records.storage.checks.forget({ addressHmac: 'aa' });
    expect(await records.hours()).toEqual(['2026-11-20T08']);
  });

  it('are not stored where the checks have changed meanwhile', async () => {
    const records = await someRecords();
    await records.add({ id: 'chk_1' }, { id: 'chk_2' });
    const hour = { accountId: 'acc_1', hour: '2026-11-20T10', tally: '{}' };
    await records.storage.checkHours.keep([{ ...hour, checks: 3 }]);
    await records.storage.checkHours.keep([{ ...hour, checks: 1 }]);
    expect(await records.hours()).toEqual([]);
    await records.storage.checkHours.keep([{ ...hour, checks: 2 }]);
    expect(await records.hours()).toEqual(['2026-11-20T10']);
  });

  it('are computed one after the other, newest first across accounts, and each answer uses those that exist', async () => {
    const records = await someRecords(() => NOW);
    await records.add(
      { id: 'chk_1', created_at: '2026-11-20T08:30:00.000Z' },
      { id: 'chk_2', created_at: '2026-11-20T09:30:00.000Z', environment: 'test' },
      { id: 'chk_3', created_at: '2026-11-20T10:30:00.000Z', account_id: 'acc_2' },
      { id: 'chk_4', created_at: '2026-11-20T12:00:30.000Z' },
    );
    const seen: (readonly [isDone: boolean, hours: readonly string[], share: number])[] = [];
    for (let isDone = false; !isDone; ) {
      isDone = await records.count(0);
      seen.push([isDone, await records.hours(), (await records.ask('overview', RANGE)).counted_share]);
    }
    expect(seen).toEqual([
      [false, ['2026-11-20T10'], 0.5],
      [false, ['2026-11-20T09', '2026-11-20T10'], 0.75],
      [false, ['2026-11-20T08', '2026-11-20T09', '2026-11-20T10'], 1],
      [true, ['2026-11-20T08', '2026-11-20T09', '2026-11-20T10'], 1],
    ]);
  });

  it('are computed for an hour of many checks in several steps, between which checks may be deleted', async () => {
    const records = await someRecords();
    const many = Array.from({ length: 1_001 }, (_, n) => ({
      id: `chk_${n}`,
      address_hmac: n === 0 ? 'aa' : null,
    }));
    await records.add(...many);
    expect([await records.count(0), await records.hours()]).toEqual([false, []]);
    await records.storage.checks.forget({ addressHmac: 'aa' });
    for (let isDone = false; !isDone; ) isDone = await records.count(0);
    // A check that was already counted was deleted: the hour is counted again.
    expect(await records.hours()).toEqual([]);
    for (let isDone = false; !isDone; ) isDone = await records.count(0);
    expect(await records.ask('overview', RANGE)).toMatchObject({ checks: 1_000, counted_share: 1 });
  });

  it('cannot be stored once the storage is closed', async () => {
    const records = await someRecords();
    await records.storage.close();
    const hour = { accountId: 'acc_1', hour: '2026-11-20T10', checks: 0, tally: '{}' };
    await expect(records.storage.checkHours.keep([hour])).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('counts of hours, in the files of SQLite', () => {
  it('leave no byte on the disk when one of their checks is forgotten', async () => {
    const records = await someRecords();
    await records.add({ id: 'chk_1', domain: 'jane-the-unmistakable.example', address_hmac: 'aa' });
    await records.count();
    const holding = () =>
      [records.url, `${records.url}-wal`].filter((file) =>
        readFileSync(file, 'latin1').includes('unmistakable'),
      );
    expect(holding()).not.toEqual([]);
    await records.storage.checks.forget({ addressHmac: 'aa' });
    expect(holding()).toEqual([]);
  });
});
