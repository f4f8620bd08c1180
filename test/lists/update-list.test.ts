import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { idOf } from '../../src/lists/list-store.ts';
import { longestWaitMs, previewList, updateList, waitMs } from '../../src/lists/update-list.ts';
import type { Download } from '../../src/net/http-download.ts';
import { DAY_MS, numbered, START, setUp, URL } from './a-list.ts';

describe('an update', () => {
  it('activates a first list, with access for the owner only, and with its checksum', async () => {
    const world = setUp();
    world.serve(['a.org', 'b.org'], '"1"');
    expect(await world.update()).toEqual({
      ...{ url: URL, id: idOf(URL), result: 'taken', reason: null, entries: 2, added: 2, removed: 0 },
    });
    const list = await world.list();
    const [kept] = list?.snapshots ?? [];
    const [file = ''] = world.files();
    const content = readFileSync(join(world.dataDir, 'lists', file));
    expect(kept?.sha256).toBe(createHash('sha256').update(content).digest('hex'));
    expect(list).toMatchObject({
      etag: '"1"',
      last_attempt: { at: '2026-11-01T12:00:00.000Z', result: 'taken', reason: null },
      next_attempt_at: '2026-11-01T18:00:00.000Z',
    });
    const modes = world.files().map((file) => statSync(join(world.dataDir, 'lists', file)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600]);
    expect(statSync(join(world.dataDir, 'lists')).mode & 0o777).toBe(0o700);
    expect(world.files().join()).not.toContain('secret');
  });

  it('requests only a newer list, and an unchanged one counts as confirmed', async () => {
    const world = setUp();
    world.serve(['a.org'], '"1"');
    await world.update();
    world.clock.time += DAY_MS;
    world.source.answer = { outcome: 'not_modified' };
    expect(await world.update()).toMatchObject({ result: 'unchanged', entries: 1 });
    expect(world.asked).toEqual([
      { etag: null, lastModified: null },
      { etag: '"1"', lastModified: null },
    ]);
    const [kept] = (await world.list())?.snapshots ?? [];
    expect(kept).toMatchObject({
      taken_at: '2026-11-01T12:00:00.000Z',
      confirmed_at: '2026-11-02T12:00:00.000Z',
    });
  });

  it('that was shown before applies exactly that download', async () => {
    const world = setUp();
    world.serve(['a.org']);
    await world.update();
    world.serve(['a.org', 'b.org']);
    const { download } = await previewList(URL, world.tools, false);
    world.serve(['a.org', 'b.org', 'c.org']);
    const before = await world.list();
    await expect(world.update(false, download ?? '')).rejects.toMatchObject({ code: 'list_changed' });
    expect(await world.list()).toEqual(before);
    world.serve(['a.org', 'b.org']);
    expect(await world.update(false, download ?? '')).toMatchObject({ result: 'taken', entries: 2 });
    expect(await previewList(URL, world.tools, false)).toMatchObject({
      ...{ result: 'unchanged', entries: 2, download, snapshot: null },
    });
  });

  it('is checked when it is only shown, and applied where it is accepted', async () => {
    const world = setUp();
    world.serve(numbered(20));
    await world.update();
    world.serve(numbered(1, 50));
    const refused = await previewList(URL, world.tools, false);
    expect(refused).toMatchObject({ result: 'refused', entries: 20, snapshot: null, download: null });
    expect(await previewList(URL, world.tools, true)).toMatchObject({
      ...{ result: 'taken', entries: 1, added: 1, removed: 20 },
      snapshot: { url: URL, kept: { entries: 1, gone: 20 } },
    });
    world.source.answer = { outcome: 'failed', reason: 'it does not answer' };
    expect(await previewList(URL, world.tools, true)).toMatchObject({ result: 'failed', snapshot: null });
    expect((await world.list())?.last_attempt).toMatchObject({ result: 'taken' });
  });

  it('counts the same content under a new ETag as unchanged', async () => {
    const world = setUp();
    world.serve(['a.org'], '"1"');
    await world.update();
    world.serve(['a.org'], '"2"');
    expect(await world.update()).toMatchObject({ result: 'unchanged' });
    expect(await world.list()).toMatchObject({ etag: '"2"', snapshots: [{}] });
  });

  it('keeps removed entries with the last day on which the source contained them', async () => {
    const world = setUp();
    world.serve(['a.org', 'b.org']);
    await world.update();
    world.clock.time += 3 * DAY_MS;
    world.serve(['a.org', 'b.org']);
    await world.update();
    world.clock.time += 2 * DAY_MS;
    world.serve(['b.org', 'c.org']);
    expect(await world.update()).toMatchObject({ result: 'taken', added: 1, removed: 1 });
    const first = Math.floor(START / DAY_MS);
    expect(await world.records()).toEqual({
      'a.org': { firstSeen: first, lastSeen: first + 3 },
      'b.org': { firstSeen: first, lastSeen: null },
      'c.org': { firstSeen: first + 5, lastSeen: null },
    });
  });

  it.each<[string, Download, string, string]>([
    [
      'nothing',
      { outcome: 'failed', reason: 'answered with status 500' },
      'failed',
      'answered with status 500',
    ],
    ['too much', { outcome: 'refused', reason: 'more than 5 bytes' }, 'refused', 'more than 5 bytes'],
    ...(
      [
        ['an empty body', '', 'it is empty'],
        ['HTML', '<html>sign in</html>', 'it is HTML or XML, not a list'],
        [
          'a cut-off list',
          numbered(80).join('\n'),
          '0 domains are new and 20 gone of 100: over the limit of 10 %',
        ],
        [
          'a poisoned list',
          [...numbered(100), 'gmail.com'].join('\n'),
          'it names what must never be listed: gmail.com (free provider)',
        ],
        ['JSON that is cut off', '["d1.org", "d2', 'it begins like JSON and is none: cut off, perhaps'],
      ] as const
    ).map(([name, text, reason]): [string, Download, string, string] => [
      name,
      { outcome: 'fetched', bytes: Buffer.from(text), contentType: null, etag: '"2"', lastModified: null },
      'refused',
      reason,
    ]),
  ])('changes only the record of the attempt when %s is received', async (_, answer, result, reason) => {
    const world = setUp();
    world.serve(numbered(100), '"1"');
    await world.update();
    const before = { list: await world.list(), files: world.files() };
    world.clock.time += DAY_MS;
    world.source.answer = answer;
    expect(await world.update()).toMatchObject({ result, reason, entries: 100, added: 0, removed: 0 });
    expect(world.files()).toEqual(before.files);
    expect(await world.list()).toEqual({
      ...before.list,
      last_attempt: { at: '2026-11-02T12:00:00.000Z', result, reason },
      next_attempt_at: `2026-11-02T${result === 'failed' ? '12:30' : '18:00'}:00.000Z`,
    });
  });

  it('applies a large change that the operator accepts, and requests the whole list then', async () => {
    const world = setUp();
    world.serve(numbered(100), '"1"');
    await world.update();
    world.serve(numbered(50));
    expect(await world.update()).toMatchObject({ result: 'refused' });
    expect(await world.update(true)).toMatchObject({ result: 'taken', entries: 50, removed: 50 });
    expect(world.asked.at(-1)).toEqual({ etag: null, lastModified: null });
  });

  it('stores which canaries were accepted, for as long as the list contains them', async () => {
    const world = setUp();
    world.serve(['a.org', 'duck.com']);
    expect(await world.update(true)).toMatchObject({ result: 'taken', entries: 1 });
    world.serve(['a.org', 'b.org', 'duck.com']);
    expect(await world.update()).toMatchObject({ result: 'taken', entries: 2 });
    expect(await world.list()).toMatchObject({ left_out: ['duck.com'] });
    world.serve(['a.org', 'b.org', 'c.org']);
    await world.update();
    world.serve(['a.org', 'b.org', 'duck.com']);
    expect(await world.update()).toMatchObject({ result: 'refused' });
  });

  it('stores no snapshot twice when it is accepted again', async () => {
    const world = setUp();
    world.serve(numbered(20));
    await world.update();
    expect(await world.update(true)).toMatchObject({ result: 'taken', added: 0, removed: 0 });
    expect((await world.list())?.snapshots).toHaveLength(1);
  });

  it('keeps three snapshots, and no temporary files of a killed process', async () => {
    const world = setUp();
    for (let i = 1; i <= 4; i++) {
      world.serve(numbered(i));
      await world.update();
    }
    writeFileSync(join(world.dataDir, 'lists/.state.json.0123'), '');
    world.serve(numbered(5));
    await world.update();
    expect(world.files().filter((file) => file.endsWith('.txt'))).toHaveLength(3);
    expect(world.files()).not.toContain('.state.json.0123');
    expect((await world.list())?.snapshots.map(({ entries }) => entries)).toEqual([5, 4, 3]);
  });
});

describe('a damaged disk', () => {
  it('loses a snapshot, not the list: the previous one is used, and the whole list is requested', async () => {
    const world = setUp();
    world.serve(numbered(20), '"1"');
    await world.update();
    world.serve(numbered(21), '"2"');
    await world.update();
    const [newest] = (await world.list())?.snapshots ?? [];
    world.damage(newest, '');
    world.serve(numbered(21), '"2"');
    expect(await world.update()).toMatchObject({ result: 'taken', entries: 21, added: 1 });
    expect(world.asked.at(-1)).toEqual({ etag: null, lastModified: null });
    expect((await world.list())?.snapshots.map(({ entries }) => entries)).toEqual([21, 20]);
  });

  it.each(['', 'x', 'null', '[]', '{"format":2,"lists":{}}'])(
    'is reported when the state is not valid: %j',
    async (text) => {
      const world = setUp();
      mkdirSync(join(world.dataDir, 'lists'));
      writeFileSync(join(world.dataDir, 'lists/state.json'), text);
      await expect(world.update()).rejects.toThrow('not a state of lists that this version can read');
    },
  );

  it('is reported when it cannot be written to', async () => {
    const world = setUp();
    writeFileSync(join(world.dataDir, 'lists'), '');
    world.serve(['a.org']);
    await expect(world.update()).rejects.toThrow(/ENOTDIR|EEXIST/);
  });
});

describe('the name of a list', () => {
  it('never changes, and contains only the host of its address', () => {
    expect(idOf(URL)).toBe('lists_example_7ba5ddc6');
    expect(idOf('https://raw.githubusercontent.com/x/y.txt')).toMatch(
      /^raw_githubusercontent_com_[0-9a-f]{8}$/,
    );
    expect(idOf('http://127.0.0.1:80/')).toMatch(/^ip_127_0_0_1_[0-9a-f]{8}$/);
    expect(idOf('http://[::1]/')).toMatch(/^ip_1_[0-9a-f]{8}$/);
  });
});

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const configWith = (refreshHours: number) => ({ ...setUp().tools.config, refreshHours });

describe('the time until the next attempt', () => {
  it.each([
    [0, 5.4],
    [0.5, 6],
    [1, 6.6],
  ])('is the configured one, a tenth less or more at random (%d)', (random, hours) => {
    const config = configWith(6);
    for (const result of ['taken', 'unchanged', 'refused'] as const) {
      expect(waitMs(result, config, () => random)).toBeCloseTo(hours * HOUR_MS);
    }
    expect(waitMs('taken', config, () => random)).toBeLessThanOrEqual(Math.round(longestWaitMs(config)));
  });

  it('is half an hour after a failure, and no longer than the configured one', () => {
    expect(waitMs('failed', configWith(6), () => 0.5)).toBe(30 * MINUTE_MS);
    expect(waitMs('failed', configWith(0.25), () => 0.5)).toBe(15 * MINUTE_MS);
  });
});

it('an update includes what the operator allows in the canaries', async () => {
  const { tools, serve } = setUp();
  serve(['a.org', 'shop.example']);
  const allowed = [{ value: 'shop.example', reason: 'Ours.', owner: 'risk' }];
  expect(await updateList(URL, { ...tools, allowed })).toMatchObject({
    result: 'refused',
    reason: 'it names what must never be listed: shop.example (your allow list)',
  });
});

it('an update connects to no host where DNS has no address', async () => {
  const { download: _, ...tools } = setUp().tools;
  expect(await updateList('https://lists.example/', tools)).toMatchObject({
    result: 'failed',
    reason: 'DNS has no address of lists.example: nxdomain',
  });
});
