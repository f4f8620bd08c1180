import { beforeEach, expect, it } from 'vitest';
import type { Storage } from '../../src/storage/ports.ts';
import type { RuleVersion } from '../../src/storage/rule-ports.ts';
import { describeDrivers } from './drivers.ts';

const FILES = { 'a.yaml': 'group: a\n', 'tests/a.yaml': '- name: grün\n' };

const aVersion = (more: Partial<RuleVersion> = {}): Omit<RuleVersion, 'version'> => ({
  ...{ hash: '0123456789abcdef', digest: 'd1', reason: 'change', at: '2026-11-20T10:00:00.000Z' },
  ...{ author: null, restores: null },
  ...more,
});

describeDrivers('rule versions', (open) => {
  let storage: Storage;
  beforeEach(async () => {
    storage = await open();
  });

  it('are numbered from 1 in the order of activation and are kept over a restart, with their texts', async () => {
    expect(await storage.ruleVersions.last()).toBeUndefined();
    const first = await storage.ruleVersions.add(aVersion(), FILES);
    const second = await storage.ruleVersions.add(aVersion({ digest: 'd2' }), { 'a.yaml': 'group: b\n' });
    expect([first.version, second.version]).toEqual([1, 2]);
    await storage.close();
    const { ruleVersions } = await open();
    expect(await ruleVersions.last()).toEqual({ ...aVersion({ digest: 'd2' }), version: 2 });
    expect(await ruleVersions.list()).toEqual([second, first]);
    expect(await ruleVersions.filesOf(1)).toEqual(FILES);
    expect(await ruleVersions.filesOf(2)).toEqual({ 'a.yaml': 'group: b\n' });
    expect(await ruleVersions.filesOf(3)).toBeUndefined();
  });

  it('may have the same files again, and no files at all', async () => {
    await storage.ruleVersions.add(aVersion(), FILES);
    await storage.ruleVersions.add(aVersion({ reason: 'expiry', hash: 'fedcba9876543210' }), FILES);
    await storage.ruleVersions.add(aVersion({ digest: 'none' }), {});
    expect(await storage.ruleVersions.filesOf(2)).toEqual(FILES);
    expect(await storage.ruleVersions.filesOf(3)).toEqual({});
  });

  it('that are drafts are listed, and are never the last in force', async () => {
    await storage.ruleVersions.add(aVersion(), FILES);
    await storage.ruleVersions.add(aVersion({ digest: 'd2', reason: 'draft', hash: null }), {});
    expect((await storage.ruleVersions.last())?.version).toBe(1);
    expect((await storage.ruleVersions.list()).map(({ reason }) => reason)).toEqual(['draft', 'change']);
  });

  it('take author and origin from the announcement of exactly these files, once', async () => {
    await storage.ruleVersions.announce({ digest: 'd2', author: 'somebody else', restores: null });
    await storage.ruleVersions.announce({ digest: 'd1', author: 'jo', restores: null });
    await storage.ruleVersions.announce({ digest: 'd1', author: 'jane', restores: 7 });
    const draft = await storage.ruleVersions.add(aVersion({ reason: 'draft' }), FILES);
    const announced = await storage.ruleVersions.add(aVersion({ author: 'root' }), FILES);
    const again = await storage.ruleVersions.add(aVersion({ author: 'root' }), FILES);
    expect(
      [draft, announced, again].map(({ reason, author, restores }) => [reason, author, restores]),
    ).toEqual([
      ['draft', null, null],
      ['rollback', 'jane', 7],
      ['change', 'root', null],
    ]);
  });

  it('are published only over the published one, and later added versions are not published', async () => {
    const { ruleVersions } = storage;
    await ruleVersions.add(aVersion(), FILES);
    expect(await ruleVersions.published()).toBeUndefined();
    expect(await ruleVersions.publish(aVersion(), FILES, 1)).toBeUndefined();
    const first = await ruleVersions.publish(aVersion({ digest: 'd2' }), FILES, null);
    expect(first).toEqual({ ...aVersion({ digest: 'd2' }), version: 2 });
    await ruleVersions.add(aVersion({ digest: 'd3' }), FILES);
    expect(await ruleVersions.published()).toEqual(first);
    expect(await ruleVersions.publish(aVersion(), FILES, null)).toBeUndefined();
    expect(await ruleVersions.publish(aVersion(), FILES, 3)).toBeUndefined();
    expect((await ruleVersions.publish(aVersion({ digest: 'd4' }), {}, 2))?.version).toBe(4);
    expect((await (await open()).ruleVersions.published())?.digest).toBe('d4');
    expect(await ruleVersions.list()).toHaveLength(4);
  });

  it('are published by one of two concurrent callers', async () => {
    const other = await open();
    const tries = [storage, other].map(({ ruleVersions }) => ruleVersions.publish(aVersion(), FILES, null));
    const published = (await Promise.all(tries)).filter((version) => version !== undefined);
    expect(published).toEqual([await storage.ruleVersions.published()]);
    expect(await storage.ruleVersions.list()).toEqual(published);
  });

  it('are stored completely or not at all', async () => {
    await storage.ruleVersions.announce({ digest: 'd1', author: 'jane', restores: null });
    const broken = aVersion({ at: null as never });
    await expect(storage.ruleVersions.add(broken, FILES)).rejects.toThrow();
    expect(await storage.ruleVersions.list()).toEqual([]);
    // The failed version has not used up the announcement of its author.
    expect((await storage.ruleVersions.add(aVersion(), FILES)).author).toBe('jane');
    await storage.close();
    await expect(storage.ruleVersions.add(aVersion(), FILES)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('a report about the rules directory is kept over a restart until another replaces it, or none', async () => {
    const complaint = {
      kind: 'refused',
      at: '2026-11-20T10:00:00.000Z',
      digest: 'd1',
      faults: ['a', 'b'],
    } as const;
    expect(await storage.ruleVersions.complaint()).toBeUndefined();
    await storage.ruleVersions.complain({ ...complaint, faults: ['earlier'] });
    await storage.ruleVersions.complain(complaint);
    expect(await (await open()).ruleVersions.complaint()).toEqual(complaint);
    await storage.ruleVersions.complain(null);
    expect(await storage.ruleVersions.complaint()).toBeUndefined();
  });
});
