import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ListRefresher, type RefresherOptions } from '../../src/lists/list-refresher.ts';
import { idOf, type ListsState, rollBackList } from '../../src/lists/list-store.ts';
import { previewList, updateList } from '../../src/lists/update-list.ts';
import { noMetrics } from '../../src/observability/metrics.ts';
import { type JobLock, MutexJobLock } from '../../src/storage/job-lock.ts';
import { numbered, setUp as setUpList, URL } from './a-list.ts';

const HOUR_MS = 3_600_000;
/** With the random tenth that a wait may be longer, ten hours are the longest. */
const REFRESH_HOURS = 10 / 1.1;

function setUp({
  urls = [URL],
  jobLock = new MutexJobLock(),
}: {
  readonly urls?: readonly string[];
  readonly jobLock?: JobLock;
} = {}) {
  const world = setUpList();
  const logged: Record<string, unknown>[] = [];
  const counted: string[] = [];
  const timer = { intervalMs: 0, tick: (): void => undefined, isStopped: false };
  const inForce: ListsState[] = [];
  const newest = (state: ListsState | undefined) => state?.lists[URL]?.snapshots[0]?.sha256;
  const behaviour: { update: RefresherOptions['update']; preview: RefresherOptions['preview'] } = {
    update: (url, looked) => updateList(url, world.tools, looked),
    preview: (url, accepted) => previewList(url, world.tools, accepted),
  };
  const options: RefresherOptions = {
    config: {
      ...{ urls, staleAfterHours: 72, refreshHours: REFRESH_HOURS },
      ...{ maxBytes: 1e6, maxChangePercent: 10, allowPrivateAddresses: false },
    },
    store: world.store,
    jobLock,
    update: (url, looked, signal) => behaviour.update(url, looked, signal),
    preview: (url, accepted, signal) => behaviour.preview(url, accepted, signal),
    downloads: { isNews: (state) => newest(state) !== newest(inForce.at(-1)) },
    takeNews: async () => inForce.push(await world.store.read()),
    clock: world.clock,
    log: pino({ base: null, timestamp: false }, { write: (line) => logged.push(JSON.parse(line)) }),
    metrics: { ...noMetrics, count: (_name, labels) => counted.push(Object.values(labels).join(' ')) },
    every(intervalMs, tick) {
      Object.assign(timer, { intervalMs, tick });
      return () => {
        timer.isStopped = true;
      };
    },
  };
  const [refresher, another] = [new ListRefresher(options), new ListRefresher(options)];
  onTestFinished(() => refresher.stop());
  return { ...world, behaviour, refresher, another, logged, counted, timer, inForce };
}

const ID = idOf(URL);
const never = new AbortController().signal;

describe('the refresher', () => {
  it('downloads a missing list, activates it, logs and counts it', async () => {
    const { refresher, serve, inForce, logged, counted, timer } = setUp();
    serve(numbered(3));
    await refresher.start();
    await refresher.look();
    expect(inForce).toHaveLength(1);
    expect(logged).toMatchObject([{ list: ID, entries: 3, added: 3, removed: 0, msg: 'list updated' }]);
    expect(counted).toEqual([`${ID} taken`]);
    expect(timer.intervalMs).toBe(5_000);
    await refresher.stop();
    expect(timer.isStopped).toBe(true);
  });

  it('shows a list with its snapshots, and its address without its password', async () => {
    const { refresher, serve } = setUp({ urls: [URL.replace('//', '//ann:s3cret@')] });
    serve(numbered(3));
    await refresher.start();
    await refresher.look();
    expect(await refresher.read()).toMatchObject([
      {
        status: { url: URL.replace('//', '//ann:[redacted]@'), state: 'fresh' },
        snapshots: [{ entries: 3 }],
      },
    ]);
  });

  it('knows the state of the lists once it has started, before the first check whether one is due', async () => {
    const { refresher, another, serve, behaviour } = setUp();
    serve(numbered(3));
    await refresher.look();
    behaviour.update = () => new Promise(() => undefined);
    expect(another.complaints).toHaveLength(1);
    await another.start();
    onTestFinished(() => another.stop());
    expect(another.complaints).toEqual([]);
  });

  it('asks again when the recorded time has come, after a restart too, and not before', async () => {
    const { refresher, serve, asked, clock } = setUp();
    serve(numbered(3));
    await refresher.look();
    clock.time += 6 * HOUR_MS - 1;
    await refresher.look();
    expect(asked).toHaveLength(1);
    clock.time += 1;
    await refresher.look();
    expect(asked).toHaveLength(2);
  });

  it('asks again when the recorded wait is longer than the configured one, or the clock was set back', async () => {
    const { refresher, serve, asked, clock, tools } = setUp();
    serve(numbered(3));
    await updateList(URL, { ...tools, config: { ...tools.config, refreshHours: 1_000 } });
    clock.time += 10 * HOUR_MS + 1;
    await refresher.look();
    expect(asked).toHaveLength(2);
    clock.time -= 11 * HOUR_MS;
    await refresher.look();
    expect(asked).toHaveLength(3);
  });

  it('activates what another process downloaded or rolled back, without a request', async () => {
    const { refresher, serve, update, inForce, asked, store } = setUp();
    serve(numbered(3));
    await refresher.look();
    serve(numbered(4));
    await update();
    const before = asked.length;
    await refresher.look();
    expect(inForce.at(-1)?.lists[URL]?.snapshots[0]?.entries).toBe(4);
    await rollBackList(URL, store);
    await refresher.look();
    expect(inForce.at(-1)?.lists[URL]?.snapshots[0]?.entries).toBe(3);
    expect(inForce).toHaveLength(3);
    expect(asked).toHaveLength(before);
  });

  it('does not update a rolled back list, after any time', async () => {
    const { refresher, serve, update, store, clock, asked } = setUp();
    serve(numbered(3));
    await refresher.look();
    serve(numbered(4));
    await update();
    await rollBackList(URL, store);
    const before = asked.length;
    clock.time += 1_000 * HOUR_MS;
    await refresher.look();
    expect(asked).toHaveLength(before);
    expect(refresher.complaints.join('; ')).toBe(
      'a.txt of lists.example was rolled back and waits for an update by hand',
    );
  });

  it.each([
    [
      { outcome: 'failed', reason: 'answered with status 500' },
      'list not downloaded: what was in force stays',
    ],
    [{ outcome: 'refused', reason: 'more than 5 bytes' }, 'list refused: what was in force stays'],
  ] as const)(
    'warns and counts when no valid list is downloaded, and activates nothing: %j',
    async (answer, msg) => {
      const { refresher, source, logged, counted, inForce } = setUp();
      source.answer = answer;
      await refresher.look();
      expect(logged).toEqual([{ level: 40, list: ID, reason: answer.reason, msg }]);
      expect(counted).toEqual([`${ID} ${answer.outcome}`]);
      expect(inForce).toEqual([]);
      expect(refresher.complaints.join('; ')).toBe(
        `a.txt of lists.example was never downloaded: ${answer.reason}`,
      );
    },
  );

  it('warns of a list that was not confirmed for too long, and since when', async () => {
    const { refresher, serve, source, clock } = setUp();
    serve(numbered(3));
    await refresher.look();
    expect(refresher.complaints).toEqual([]);
    expect(refresher.ages).toEqual([[ID, clock.time]]);
    source.answer = { outcome: 'failed', reason: 'answered with status 404' };
    clock.time += 72 * HOUR_MS + 1;
    await refresher.look();
    expect(refresher.complaints.join('; ')).toBe(
      'a.txt of lists.example is 3 days old: answered with status 404',
    );
  });

  it('aborts an update when it stops, and does not log that as a failure', async () => {
    const { refresher, behaviour, logged, counted } = setUp();
    const begun = Promise.withResolvers<void>();
    behaviour.update = async (_url, _accepted, signal) => {
      begun.resolve();
      await new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new Error('broken off'))),
      );
      throw new Error('never');
    };
    await refresher.start();
    await begun.promise;
    await refresher.stop();
    expect([logged, counted]).toEqual([[], []]);
  });

  it('stops without waiting while another instance updates the list', async () => {
    const waiting = Promise.withResolvers<void>();
    const held: JobLock = {
      runExclusive: (_name, _job, signal) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
          waiting.resolve();
        }),
    };
    const { refresher, logged, asked } = setUp({ jobLock: held });
    const look = refresher.look();
    await waiting.promise;
    await refresher.stop();
    await look;
    expect([asked, logged]).toEqual([[], []]);
  });

  it('tries an update without a result again after half an hour, not at each check', async () => {
    const { refresher, serve, logged, behaviour, clock } = setUp();
    const { update } = behaviour;
    let attempts = 0;
    behaviour.update = async () => {
      attempts += 1;
      throw new Error('no space');
    };
    await refresher.look();
    clock.time += HOUR_MS / 2 - 1;
    await refresher.look();
    expect(attempts).toBe(1);
    expect(logged).toMatchObject([
      { list: ID, err: { message: 'no space' }, msg: 'list not updated: it is tried again in half an hour' },
    ]);
    clock.time += 1;
    await refresher.look();
    expect(attempts).toBe(2);
    behaviour.update = update;
    serve(numbered(3));
    // A clock that was set back delays nothing.
    clock.time -= HOUR_MS;
    await refresher.look();
    expect(logged).toMatchObject([{}, {}, { msg: 'list updated' }]);
  });

  it('shows the effect of an update and of a rollback, and changes nothing', async () => {
    const { refresher, serve, inForce, store } = setUp();
    expect(await refresher.snapshotBefore(ID)).toEqual({ ok: false, reason: 'it was never downloaded' });
    serve(numbered(3));
    await refresher.look();
    expect(await refresher.snapshotBefore(ID)).toMatchObject({ ok: false });
    const kept = await store.read();
    serve(numbered(4));
    const { snapshot, ...told } = await refresher.preview(ID, false, never);
    expect(told).toMatchObject({ result: 'taken', entries: 4, added: 1, removed: 0 });
    expect(snapshot?.text.split('\n')).toHaveLength(5);
    expect([await store.read(), inForce.length]).toEqual([kept, 1]);
    await refresher.updateNow(ID, { expected: told.download ?? '' });
    const before = await refresher.snapshotBefore(ID);
    expect(before).toMatchObject({ ok: true, snapshot: { url: URL, kept: { entries: 3 } } });
    expect((await store.read()).lists[URL]?.snapshots).toHaveLength(2);
  });

  it('updates the other lists when one update does not end', async () => {
    const { refresher, behaviour } = setUp({ urls: [URL, 'https://lists.example.net/b.txt'] });
    const asked: string[] = [];
    behaviour.update = async (url) => {
      asked.push(url);
      throw new Error('no space');
    };
    await refresher.look();
    expect(asked).toEqual([URL, 'https://lists.example.net/b.txt']);
  });

  it('logs that the data directory cannot be used, sends no request, and continues', async () => {
    const { refresher, store, serve, asked, logged } = setUp();
    serve(numbered(3));
    const read = vi.spyOn(store, 'version').mockRejectedValueOnce(new Error('EACCES'));
    await refresher.look();
    expect(asked).toEqual([]);
    expect(logged).toMatchObject([
      { err: { message: 'EACCES' }, msg: 'lists not refreshed: their store cannot be used' },
    ]);
    read.mockRestore();
    await refresher.look();
    expect(logged).toMatchObject([{}, { msg: 'list updated' }]);
  });
});

describe('a manual update or rollback', () => {
  it('downloads a list now, before its time and after a rollback, and returns when it is in force', async () => {
    const { refresher, serve, inForce, counted } = setUp();
    serve(numbered(3));
    await refresher.look();
    serve(numbered(4));
    expect(await refresher.updateNow(ID, {})).toMatchObject({ result: 'taken', entries: 4 });
    expect(inForce.at(-1)?.lists[URL]?.snapshots[0]?.entries).toBe(4);
    expect(await refresher.rollBack(ID)).toMatchObject({ ok: true, to: { entries: 3 } });
    expect(inForce.at(-1)?.lists[URL]?.snapshots[0]?.entries).toBe(3);
    expect(await refresher.updateNow(ID, {})).toMatchObject({
      result: 'refused',
      reason: 'it is what was rolled back',
    });
    expect(await refresher.updateNow(ID, { accepted: true })).toMatchObject({ result: 'taken', entries: 4 });
    expect(counted).toEqual([`${ID} taken`, `${ID} taken`, `${ID} refused`, `${ID} taken`]);
  });

  it('reports why there is no version to go back to, and changes nothing', async () => {
    const { refresher, inForce } = setUp();
    expect(await refresher.rollBack(ID)).toEqual({ ok: false, reason: 'it was never downloaded' });
    expect(inForce).toEqual([]);
  });

  it('reports that there is no such list', async () => {
    const { refresher } = setUp();
    await expect(refresher.updateNow('other', {})).rejects.toMatchObject({ code: 'not_found' });
    await expect(refresher.rollBack('other')).rejects.toMatchObject({ code: 'not_found' });
    await expect(refresher.snapshotBefore('other')).rejects.toMatchObject({ code: 'not_found' });
    expect(() => refresher.preview('other', false, never)).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    );
  });
});

it('of two instances that share a storage and find a list due, one downloads it', async () => {
  const { refresher, another, serve, asked } = setUp();
  serve(numbered(3));
  await Promise.all([refresher.look(), another.look()]);
  expect(asked).toHaveLength(1);
  expect(another.complaints).toEqual([]);
});
