import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyState, type KeptSnapshot, type ListState, type ListStore } from '../../src/lists/list-store.ts';
import { URL } from './a-list.ts';

export interface TestListStore {
  /** The same lists by another opening. */
  open(): ListStore;
  /** As a disk or another program would. */
  damage(list: ListState, kept: KeptSnapshot): Promise<void>;
}

const EMPTY = emptyState(URL);
const AT = '2026-11-20T10:00:00.000Z';

const snapshotOf = (text: string): KeptSnapshot => ({
  ...{ sha256: createHash('sha256').update(text).digest('hex'), download_sha256: 'd' },
  ...{ taken_at: AT, confirmed_at: AT, entries: 1, gone: 0 },
});

/** What every driver promises. */
export function describeListStore(name: string, create: () => Promise<TestListStore>): void {
  describe(`${name} store of downloaded lists`, () => {
    let made: TestListStore;
    let store: ListStore;
    beforeEach(async () => {
      made = await create();
      store = made.open();
    });

    /** Puts a list with these snapshots in place. */
    const put = (texts: readonly string[], fields: Partial<ListState> = {}) =>
      store.exclusively(async (change) => {
        for (const text of texts) await change.writeSnapshot(EMPTY, text);
        await change.save(URL, { ...EMPTY, snapshots: texts.map(snapshotOf), ...fields });
      });

    it('begins with no list and no version', async () => {
      expect(await store.version()).toBeNull();
      expect(await store.read()).toEqual({ format: 1, lists: {} });
    });

    it('shows a list and its snapshots to every other opening as they were written', async () => {
      await put(['a.org\t1\n', 'b.org\t1\t2\n'], { etag: '"1"', left_out: ['grün.example'] });
      const other = made.open();
      const { lists } = await other.read();
      const list = lists[URL] ?? EMPTY;
      const snapshots = [snapshotOf('a.org\t1\n'), snapshotOf('b.org\t1\t2\n')];
      expect(lists).toEqual({ [URL]: { ...EMPTY, snapshots, etag: '"1"', left_out: ['grün.example'] } });
      expect(await Promise.all(list.snapshots.map((kept) => other.readSnapshot(list, kept)))).toEqual([
        'a.org\t1\n',
        'b.org\t1\t2\n',
      ]);
    });

    it('has another version after each change, and the same until then', async () => {
      await put([]);
      const [first, again] = [await store.version(), await made.open().version()];
      await put([], { etag: '"1"' });
      const second = await store.version();
      expect(first).not.toBeNull();
      expect(again).toBe(first);
      expect(second).not.toBe(first);
    });

    it('has no snapshot any more that no list names', async () => {
      await put(['a', 'b']);
      await put(['b']);
      expect(await store.readSnapshot(EMPTY, snapshotOf('a'))).toBeUndefined();
      expect(await store.readSnapshot(EMPTY, snapshotOf('b'))).toBe('b');
      await put([]);
      expect(await store.readSnapshot(EMPTY, snapshotOf('b'))).toBeUndefined();
    });

    it('leaves the snapshots of another list alone', async () => {
      const other = { ...emptyState('https://other.example/'), snapshots: [snapshotOf('x')] };
      await store.exclusively(async (change) => {
        await change.writeSnapshot(other, 'x');
        await change.save('https://other.example/', other);
      });
      await put(['a']);
      await put([]);
      expect(await store.readSnapshot(other, snapshotOf('x'))).toBe('x');
      expect(Object.keys((await store.read()).lists).sort()).toEqual([URL, 'https://other.example/']);
    });

    it('knows a damaged snapshot, which the same download mends', async () => {
      await put(['a']);
      await made.damage(EMPTY, snapshotOf('a'));
      expect(await store.readSnapshot(EMPTY, snapshotOf('a'))).toBeUndefined();
      await put(['a']);
      expect(await store.readSnapshot(EMPTY, snapshotOf('a'))).toBe('a');
    });

    it('stays as it was where the work on it fails, and goes on', async () => {
      await put(['a']);
      const work = store.exclusively(async (change) => {
        await change.writeSnapshot(EMPTY, 'b');
        throw new Error('no list');
      });
      await expect(work).rejects.toThrow('no list');
      expect((await store.read()).lists[URL]?.snapshots).toEqual([snapshotOf('a')]);
      await put(['b']);
      expect((await store.read()).lists[URL]?.snapshots).toEqual([snapshotOf('b')]);
    });

    it('lets one work on it at a time, each with what the other left', async () => {
      const add = (opened: ListStore, etag: string) =>
        opened.exclusively(async (change) => {
          const before = change.state.lists[URL]?.etag ?? '';
          // Both would read the same before either writes, were they not held apart.
          await new Promise((resolve) => setImmediate(resolve));
          await change.save(URL, { ...EMPTY, etag: before + etag });
        });
      await Promise.all([add(store, 'a'), add(made.open(), 'b'), add(store, 'c')]);
      const { etag } = (await store.read()).lists[URL] ?? EMPTY;
      expect([...(etag ?? '')].sort()).toEqual(['a', 'b', 'c']);
    });
  });
}
