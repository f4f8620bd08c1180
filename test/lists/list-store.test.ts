import { describe, expect, it } from 'vitest';
import { findBefore, rollBackList } from '../../src/lists/list-store.ts';
import { DAY_MS, numbered, setUp, URL } from './a-list.ts';

describe('a rollback', () => {
  const twice = async () => {
    const world = setUp();
    world.serve(numbered(20), '"1"');
    await world.update();
    world.clock.time += DAY_MS;
    world.serve(numbered(21), '"2"');
    await world.update();
    return world;
  };

  it('restores the previous snapshot, with its age', async () => {
    const world = await twice();
    expect(await rollBackList(URL, world.store)).toMatchObject({
      ok: true,
      from: { entries: 21 },
      to: { entries: 20 },
    });
    expect(Object.keys(await world.records())).toHaveLength(20);
    expect(await world.list()).toMatchObject({
      etag: null,
      snapshots: [{ confirmed_at: '2026-11-01T12:00:00.000Z' }],
    });
    expect(world.files().filter((file) => file.endsWith('.txt'))).toHaveLength(1);
  });

  it('is not undone by the same content, unless that is accepted', async () => {
    const world = await twice();
    await rollBackList(URL, world.store);
    expect(await world.update()).toMatchObject({
      result: 'refused',
      reason: 'it is what was rolled back',
      entries: 20,
    });
    expect(await world.list()).toMatchObject({ rolled_back: expect.any(String) });
    expect(await world.update(true)).toMatchObject({ result: 'taken', entries: 21 });
    expect(await world.list()).toMatchObject({ rolled_back: null });
  });

  it('ends when a manual update finds other content, or what is in force', async () => {
    const world = await twice();
    await rollBackList(URL, world.store);
    world.serve(numbered(20));
    expect(await world.update()).toMatchObject({ result: 'unchanged' });
    expect(await world.list()).toMatchObject({ rolled_back: null });
  });

  it('changes nothing where there is no previous snapshot', async () => {
    const world = setUp();
    expect(await rollBackList(URL, world.store)).toEqual({ ok: false, reason: 'it was never downloaded' });
    world.serve(['a.org']);
    await world.update();
    const before = await world.list();
    expect(await rollBackList(URL, world.store)).toEqual({
      ok: false,
      reason: 'there is no snapshot before the one in force',
    });
    expect(await world.list()).toEqual(before);
  });

  it('goes from the snapshot that was shown to the one that was shown, and from no other', async () => {
    const world = await twice();
    const found = await findBefore(await world.list(), world.store);
    const pin = found.ok ? found.pin : '';
    world.serve(numbered(22));
    await world.update();
    const before = await world.list();
    const refusal = { code: 'list_changed' };
    await expect(rollBackList(URL, world.store, pin)).rejects.toMatchObject(refusal);
    expect(await world.list()).toEqual(before);
    const again = await findBefore(before, world.store);
    expect(await rollBackList(URL, world.store, again.ok ? again.pin : '')).toMatchObject({
      ok: true,
      to: { entries: 21 },
    });
    await rollBackList(URL, world.store);
    await expect(rollBackList(URL, world.store, pin)).rejects.toMatchObject(refusal);
  });

  it('activates no damaged snapshot', async () => {
    const world = await twice();
    const [, earlier] = (await world.list())?.snapshots ?? [];
    world.damage(earlier, 'x.org\t1\n');
    expect(await rollBackList(URL, world.store)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/is damaged$/),
    });
  });
});
