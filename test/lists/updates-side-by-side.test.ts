import { describe, expect, it } from 'vitest';
import { rollBackList } from '../../src/lists/list-store.ts';
import { updateList } from '../../src/lists/update-list.ts';
import type { Download } from '../../src/net/http-download.ts';
import { numbered, setUp, URL } from './a-list.ts';

describe('two concurrent updates', () => {
  it('of one list run one after the other, whatever the order of the downloads', async () => {
    const world = setUp();
    world.serve(numbered(20));
    const results = await Promise.all([world.update(), world.update(), world.update()]);
    expect(results.map(({ result }) => result).sort()).toEqual(['taken', 'unchanged', 'unchanged']);
    expect((await world.list())?.snapshots).toHaveLength(1);
  });

  it('of which one is a rollback do not undo it, whatever the other downloads', async () => {
    for (const later of ['not_modified', 'fetched'] as const) {
      const world = setUp();
      world.serve(numbered(20), '"1"');
      await world.update();
      world.serve(numbered(21), '"2"');
      await world.update();
      const tools = {
        ...world.tools,
        async download(): Promise<Download> {
          await rollBackList(URL, world.store);
          world.serve(numbered(22));
          return later === 'fetched' ? world.source.answer : { outcome: later };
        },
      };
      expect(await updateList(URL, tools)).toMatchObject({
        ...{ result: 'failed', reason: 'another process changed the list during the download', entries: 20 },
      });
      expect(await world.list()).toMatchObject({
        rolled_back: expect.any(String),
        snapshots: [{ entries: 20 }],
      });
    }
  });

  it('of two lists are both recorded', async () => {
    const world = setUp();
    world.serve(['a.org']);
    const other = 'https://other.example/b.txt';
    await Promise.all([world.update(), updateList(other, world.tools)]);
    expect(Object.keys((await world.store.read()).lists).sort()).toEqual([URL, other]);
  });
});
