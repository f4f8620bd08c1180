import { beforeEach, expect, it } from 'vitest';
import type { Storage } from '../../src/storage/ports.ts';
import type { DraftBacktest, RuleDraft } from '../../src/storage/rule-ports.ts';
import { describeDrivers } from './drivers.ts';

const ANN = { id: 'per_1', name: 'Ann' };
const BOB = { id: 'per_2', name: 'Bob' };
const BACKTEST: DraftBacktest = {
  ...{ revision: 1, base: '0123456789abcdef', candidate: 'fedcba9876543210', by: 'Ann' },
  ...{ at: '2026-11-20T10:05:00.000Z', checks: 100, toBlock: 2, toAllow: 1 },
};

const aDraft = (more: Partial<RuleDraft> = {}): RuleDraft => ({
  ...{ id: 'drf_1', name: 'stricter', author: ANN, createdAt: '2026-11-20T10:00:00.000Z' },
  ...{ savedBy: ANN, savedAt: '2026-11-20T10:00:00.000Z', revision: 1, backtest: null },
  base: { hash: '0123456789abcdef', digest: 'd1', files: { 'a.yaml': 'group: a\n' } },
  files: { 'a.yaml': 'group: b\n', 'tests/a.yaml': '- name: grün\n' },
  ...more,
});

describeDrivers('drafts of rules', (open) => {
  let storage: Storage;
  beforeEach(async () => {
    storage = await open();
  });

  it('are stored over a restart, latest first', async () => {
    const second = aDraft({ id: 'drf_2', savedAt: '2026-11-20T11:00:00.000Z', backtest: BACKTEST });
    await storage.ruleDrafts.create(aDraft());
    await storage.ruleDrafts.create(second);
    await storage.close();
    const { ruleDrafts } = await open();
    expect(await ruleDrafts.list()).toEqual([second, aDraft()]);
    expect(await ruleDrafts.find('drf_1')).toEqual(aDraft());
    expect(await ruleDrafts.find('drf_9')).toBeUndefined();
  });

  it('accept one save of each revision: of two at once, one is refused', async () => {
    const { ruleDrafts } = storage;
    await ruleDrafts.create(aDraft());
    const mine = aDraft({ revision: 2, files: { 'a.yaml': 'mine' }, savedBy: BOB });
    const theirs = aDraft({ revision: 2, files: { 'a.yaml': 'theirs' } });
    const [isMine, isTheirs] = await Promise.all([ruleDrafts.save(mine), ruleDrafts.save(theirs)]);
    expect(isMine).toBe(!isTheirs);
    expect(await ruleDrafts.find('drf_1')).toEqual(isMine ? mine : theirs);
  });

  it('have the backtest of their own revision, and of no other', async () => {
    const { ruleDrafts } = storage;
    await ruleDrafts.create(aDraft());
    expect(await ruleDrafts.noteBacktest('drf_1', BACKTEST)).toBe(true);
    expect((await ruleDrafts.find('drf_1'))?.backtest).toEqual(BACKTEST);
    expect(await ruleDrafts.noteBacktest('drf_1', { ...BACKTEST, revision: 2 })).toBe(false);
  });

  it('are kept when an earlier revision is discarded', async () => {
    const { ruleDrafts } = storage;
    await ruleDrafts.create(aDraft());
    await ruleDrafts.save(aDraft({ revision: 2 }));
    expect(await ruleDrafts.discard('drf_1', 1)).toBe(false);
    expect(await ruleDrafts.find('drf_1')).toEqual(aDraft({ revision: 2 }));
    expect(await ruleDrafts.discard('drf_1', 2)).toBe(true);
  });

  it('are removed once they are discarded', async () => {
    const { ruleDrafts } = storage;
    await ruleDrafts.create(aDraft());
    expect([await ruleDrafts.discard('drf_1'), await ruleDrafts.discard('drf_1')]).toEqual([true, false]);
    expect(await ruleDrafts.list()).toEqual([]);
  });
});
