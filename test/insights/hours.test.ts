import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { someRecords } from './records.ts';

const RANGE = { since: '2026-11-20T00:00:00.000Z', until: '2026-11-21T00:00:00.000Z' };
const NOW = Date.parse('2026-11-20T12:01:59Z');

describe('counts of hours', () => {
  it('are stored of whole hours that are over for two minutes', async () => {
    const records = await someRecords(() => NOW);
    await records.add(
      { id: 'chk_1', created_at: '2026-11-20T08:30:00.000Z' },
      { id: 'chk_2', created_at: '2026-11-20T10:30:00.000Z' },
      { id: 'chk_3', created_at: '2026-11-20T11:30:00.000Z' },
      { id: 'chk_4', created_at: '2026-11-20T12:00:30.000Z' },
    );
    const since = '2026-11-20T08:00:00.001Z';
    expect((await records.ask('overview', { ...RANGE, since })).decisions.ALLOW.low).toBe(4);
    expect(records.hours()).toEqual(['2026-11-20T10']);
  });

  it('are read in place of the checks', async () => {
    const records = await someRecords();
    await records.add({ id: 'chk_1', created_at: '2026-11-20T08:30:00.000Z' });
    await records.ask('overview', RANGE);
    const database = new DatabaseSync(records.file);
    onTestFinished(() => database.close());
    database.exec(`UPDATE check_hours SET tally = json_set(tally, '$.decisions."ALLOW low"', 7)`);
    expect((await records.ask('overview', RANGE)).decisions.ALLOW.low).toBe(7);
    database.exec('UPDATE check_hours SET checks = checks + 1');
    expect((await records.ask('overview', RANGE)).decisions.ALLOW.low).toBe(1);
  });

  it('go with the first check that is forgotten, in the same transaction, and no octet of them stays', async () => {
    const records = await someRecords();
    await records.add(
      { id: 'chk_1', domain: 'jane-the-unmistakable.example', address_hmac: 'aa' },
      { id: 'chk_2', created_at: '2026-11-20T08:30:00.000Z' },
    );
    await records.ask('overview', RANGE);
    expect(records.hours()).toEqual(['2026-11-20T08', '2026-11-20T10']);
    await records.storage.checks.forget({ addressHmac: 'aa' });
    expect(records.hours()).toEqual(['2026-11-20T08']);
    const files = [records.file, `${records.file}-wal`].map((file) => readFileSync(file, 'latin1'));
    expect(files.filter((octets) => octets.includes('unmistakable'))).toEqual([]);
  });

  it('are not stored where the checks are other ones by then', async () => {
    const records = await someRecords();
    await records.add({ id: 'chk_1' }, { id: 'chk_2' });
    const hour = { accountId: 'acc_1', hour: '2026-11-20T10', tally: '{}' };
    await records.storage.checkHours.keep([{ ...hour, checks: 3 }]);
    await records.storage.checkHours.keep([{ ...hour, checks: 1 }]);
    expect(records.hours()).toEqual([]);
    await records.storage.checkHours.keep([{ ...hour, checks: 2 }]);
    expect(records.hours()).toEqual(['2026-11-20T10']);
  });

  it('are made one after the other for what is answered only as a whole, so that others get their turn', async () => {
    const records = await someRecords();
    await records.add(
      { id: 'chk_1', created_at: '2026-11-20T08:30:00.000Z' },
      { id: 'chk_2', created_at: '2026-11-20T09:30:00.000Z' },
    );
    const whole = await records.ask('usage', RANGE, 0);
    expect(records.readings).toBe(3);
    expect(whole).toEqual(await records.ask('usage', RANGE));
    expect(records.readings).toBe(1);
  });

  it('are told of as far as they are made, each answer further than the one before, until all are', async () => {
    const records = await someRecords(() => NOW);
    await records.add(
      { id: 'chk_1', created_at: '2026-11-20T08:30:00.000Z' },
      { id: 'chk_2', created_at: '2026-11-20T09:30:00.000Z', environment: 'test' },
      { id: 'chk_3', created_at: '2026-11-20T10:30:00.000Z', account_id: 'acc_2' },
      // Of an hour that is not over: it is counted each time, and is no progress.
      { id: 'chk_4', created_at: '2026-11-20T12:00:30.000Z' },
    );
    const shares: number[] = [];
    for (const accountId of [undefined, undefined, undefined, undefined, 'acc_1']) {
      const asked = { ...RANGE, accountId };
      const overview = await records.ask('overview', asked, 0);
      const { counted_share: share, decisions, test_checks: tests } = overview;
      shares.push(share);
      if (shares.length < 3) expect((decisions.ALLOW.low + tests) / 4).toBe(share);
    }
    expect(shares).toEqual([0.25, 0.5, 0.9999, 1, 1]);
  });

  it('cannot be stored once the storage is closed', async () => {
    const records = await someRecords();
    await records.storage.close();
    const hour = { accountId: 'acc_1', hour: '2026-11-20T10', checks: 0, tally: '{}' };
    await expect(records.storage.checkHours.keep([hour])).rejects.toMatchObject({ code: 'unavailable' });
  });
});
