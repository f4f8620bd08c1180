import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { DownloadedLists } from '../../src/lists/downloaded-lists.ts';
import { idOf } from '../../src/lists/list-store.ts';
import { DAY_MS, numbered, setUp as setUpList, URL } from './a-list.ts';

function setUp(urls = [URL]) {
  const world = setUpList();
  const logged: Record<string, unknown>[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => logged.push(JSON.parse(line)) });
  return { ...world, log, logged, downloads: new DownloadedLists(world.store, urls, log) };
}

describe('downloaded lists', () => {
  it('have their dates: first seen, and last seen or the day of the last download', async () => {
    const { serve, update, clock, downloads } = setUp();
    serve(['a.org', 'b.org']);
    await update();
    clock.time += 2 * DAY_MS;
    serve(['b.org', 'c.org']);
    await update();
    clock.time += DAY_MS;
    serve(['b.org', 'c.org']);
    await update();
    const [list, ...others] = await downloads.load();
    expect(others).toEqual([]);
    expect(list).toMatchObject({ name: idOf(URL), date: '2026-11-04', entries: 2, size: 3 });
    expect(Object.fromEntries(list?.records() ?? [])).toEqual({
      'a.org': { firstSeen: '2026-11-01', lastSeen: '2026-11-01' },
      'b.org': { firstSeen: '2026-11-01', lastSeen: '2026-11-04' },
      'c.org': { firstSeen: '2026-11-03', lastSeen: '2026-11-04' },
    });
  });

  it('are the configured ones, and none before the first download', async () => {
    const { serve, update, downloads, logged } = setUp(['https://other.example/']);
    expect(await downloads.load()).toEqual([]);
    serve(['a.org']);
    await update();
    expect(await downloads.load()).toEqual([]);
    expect(logged).toEqual([]);
  });

  it('have changed when another snapshot is in force, not when one was confirmed', async () => {
    const { serve, update, store, downloads } = setUp();
    serve(['a.org']);
    await update();
    expect(downloads.isNews(await store.read())).toBe(true);
    await downloads.load();
    expect(downloads.isNews(await store.read())).toBe(false);
    await update();
    expect(downloads.isNews(await store.read())).toBe(false);
    serve(['a.org', 'b.org']);
    await update();
    expect(downloads.isNews(await store.read())).toBe(true);
  });

  it('are still news after they could not be read, so that they are loaded again', async () => {
    const { serve, update, store, log } = setUp();
    serve(['a.org']);
    await update();
    let isAway = true;
    const readSnapshot: typeof store.readSnapshot = (list, kept) =>
      isAway ? Promise.reject(new Error('the database is away')) : store.readSnapshot(list, kept);
    const shaky = { read: () => store.read(), readSnapshot };
    const downloads = new DownloadedLists(shaky, [URL], log);
    expect(await downloads.load()).toEqual([]);
    expect(downloads.isNews(await store.read())).toBe(true);
    isAway = false;
    expect(await downloads.load()).toMatchObject([{ entries: 1 }]);
    expect(downloads.isNews(await store.read())).toBe(false);
  });

  it('fall back to the previous snapshot when the disk has damaged one, and report it', async () => {
    const { damage, serve, update, list, downloads, logged } = setUp();
    serve(numbered(1));
    await update();
    serve(numbered(2));
    await update();
    const [newest] = (await list())?.snapshots ?? [];
    damage(newest, 'd0.org\t1\nevil.org\t1\n');
    expect(await downloads.load()).toMatchObject([{ entries: 1 }]);
    expect(logged).toMatchObject([{ level: 50, list: idOf(URL), instead: '2026-11-01T12:00:00.000Z' }]);
  });

  it('do not stop a start when they cannot be read', async () => {
    const { dataDir, serve, update, downloads, logged } = setUp();
    serve(['a.org']);
    await update();
    writeFileSync(join(dataDir, 'lists/state.json'), '{');
    expect(await downloads.load()).toEqual([]);
    expect(logged).toMatchObject([{ msg: 'downloaded lists cannot be read: checks go without them' }]);
  });
});
