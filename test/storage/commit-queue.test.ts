import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CommitQueue, type Refusal } from '../../src/storage/commit-queue.ts';

/** A disk whose every commit is completed by the test. */
class ManualDisk {
  readonly batches: { rows: readonly string[]; done: PromiseWithResolvers<readonly Refusal[]> }[] = [];
  #wake: () => void = () => undefined;

  readonly commit = (rows: readonly string[]): Promise<readonly Refusal[]> => {
    const done = Promise.withResolvers<readonly Refusal[]>();
    this.batches.push({ rows, done });
    this.#wake();
    return done.promise;
  };

  /** The batch of that number, once it has begun. */
  async begun(number: number) {
    for (;;) {
      const batch = this.batches[number];
      if (batch) return batch;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** After it, all promises that can settle have settled. */
const turnOfTheEventLoop = () => new Promise((resolve) => setImmediate(resolve));

const UNAVAILABLE = { code: 'unavailable', status: 503, retryAfterMs: 1_000 };

describe('CommitQueue', () => {
  let disk: ManualDisk;
  let logged: Record<string, unknown>[];

  beforeEach(() => {
    disk = new ManualDisk();
    logged = [];
    // Only the pause between two attempts is a timer.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => vi.useRealTimers());

  function queueOf(durability: 'commit' | 'async', capacity?: number): CommitQueue<string> {
    const log = pino({ base: null }, { write: (line) => logged.push(JSON.parse(line)) });
    return new CommitQueue({ commit: disk.commit, durability, capacity, log });
  }

  it('commits concurrent rows together, and later ones as the next batch', async () => {
    const queue = queueOf('commit');
    const first = [queue.append('a'), queue.append('b')];
    const one = await disk.begun(0);
    const second = [queue.append('c'), queue.append('d'), queue.append('e')];
    expect(disk.batches).toHaveLength(1);
    one.done.resolve([]);
    await Promise.all(first);
    const two = await disk.begun(1);
    two.done.resolve([]);
    await Promise.all(second);
    expect(disk.batches.map(({ rows }) => rows.join(''))).toEqual(['ab', 'cde']);
  });

  it('resolves no append before its batch is committed', async () => {
    const queue = queueOf('commit');
    const resolved: string[] = [];
    void queue.append('a').then(() => resolved.push('a'));
    const batch = await disk.begun(0);
    expect(resolved).toEqual([]);
    expect(queue.depth).toBe(1);
    batch.done.resolve([]);
    await queue.settled();
    expect(resolved).toEqual(['a']);
    await queue.close();
    expect(queue.depth).toBe(0);
  });

  it('refuses rows above its limit of waiting and pending rows, and accepts rows again afterwards', async () => {
    const queue = queueOf('commit', 2);
    const taken = [queue.append('a'), queue.append('b')];
    await disk.begun(0);
    await expect(queue.append('c')).rejects.toMatchObject(UNAVAILABLE);
    disk.batches[0]?.done.resolve([]);
    await Promise.all(taken);
    void queue.append('d');
    expect((await disk.begun(1)).rows).toEqual(['d']);
    disk.batches[1]?.done.resolve([]);
  });

  it('rejects every row of a failed batch and tries the next batch normally', async () => {
    const queue = queueOf('commit');
    const failed = [queue.append('a'), queue.append('b')];
    const cause = new Error('disk full');
    (await disk.begun(0)).done.reject(cause);
    for (const append of failed) await expect(append).rejects.toMatchObject({ ...UNAVAILABLE, cause });
    const next = queue.append('c');
    (await disk.begun(1)).done.resolve([]);
    await next;
  });

  it('rejects an invalid row as a bug, without its neighbours', async () => {
    const queue = queueOf('commit');
    const results = Promise.allSettled(['a', 'b', 'c'].map((row) => queue.append(row)));
    (await disk.begun(0)).done.resolve([{ index: 1, reason: 'UNIQUE' }]);
    const [a, b, c] = await results;
    expect([a?.status, c?.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(b).toMatchObject({
      status: 'rejected',
      reason: expect.not.objectContaining({ code: 'unavailable' }),
    });
  });

  it('splits waiting rows into transactions of at most a thousand, in order', async () => {
    const queue = queueOf('commit');
    const all = Array.from({ length: 2_500 }, (_, index) => queue.append(String(index)));
    for (const number of [0, 1, 2]) (await disk.begun(number)).done.resolve([]);
    await Promise.all(all);
    expect(disk.batches.map(({ rows }) => rows.length)).toEqual([1_000, 1_000, 500]);
    expect(disk.batches.flatMap(({ rows }) => rows)).toEqual(all.map((_, index) => String(index)));
  });

  it('retries the whole batch under async', async () => {
    const many = Array.from({ length: 15 }, (_, index) => `row ${index}`);
    const queue = queueOf('async');
    for (const row of many) void queue.append(row);
    (await disk.begun(0)).done.reject(new Error('disk full'));
    await turnOfTheEventLoop();
    expect(queue.depth).toBe(many.length);
    vi.advanceTimersByTime(1_000);
    const again = await disk.begun(1);
    expect(again.rows).toEqual(many);
    again.done.resolve([]);
  });

  it('commits queued rows when it closes, and accepts none afterwards', async () => {
    const queue = queueOf('commit');
    const last = queue.append('a');
    const closed = queue.close();
    await expect(queue.append('b')).rejects.toMatchObject(UNAVAILABLE);
    (await disk.begun(0)).done.resolve([]);
    await Promise.all([last, closed]);
  });

  describe('with async durability', () => {
    it('resolves before the commit', async () => {
      const queue = queueOf('async');
      await queue.append('a');
      expect(queue.depth).toBe(1);
      (await disk.begun(0)).done.resolve([]);
    });

    it('keeps a failed batch, refuses more meanwhile, and tries again after a second', async () => {
      const queue = queueOf('async');
      await queue.append('a');
      const first = await disk.begun(0);
      await queue.append('b');
      first.done.reject(new Error('disk full'));
      await turnOfTheEventLoop();
      await expect(queue.append('c')).rejects.toMatchObject(UNAVAILABLE);
      await expect(queue.settled()).rejects.toMatchObject(UNAVAILABLE);
      expect(logged).toMatchObject([{ level: 50, rows: 1 }]);
      vi.advanceTimersByTime(1_000);
      const again = await disk.begun(1);
      expect(again.rows).toEqual(['a', 'b']);
      again.done.resolve([]);
      await turnOfTheEventLoop();
      expect(queue.depth).toBe(0);
      await queue.append('d');
      (await disk.begun(2)).done.resolve([]);
    });

    it('closes after one last attempt and logs each check that is lost', async () => {
      const queue = queueOf('async');
      await queue.append('a');
      (await disk.begun(0)).done.reject(new Error('disk full'));
      await turnOfTheEventLoop();
      const closed = queue.close();
      (await disk.begun(1)).done.reject(new Error('disk still full'));
      await closed;
      // A timer that nothing waits for any more would keep the process alive.
      expect(vi.getTimerCount()).toBe(0);
      expect(logged).toHaveLength(2);
      expect(logged[1]).toMatchObject({ level: 50, msg: 'a check that was answered is not recorded' });
    });

    it('drops and logs an invalid row', async () => {
      const queue = queueOf('async');
      await queue.append('a');
      (await disk.begun(0)).done.resolve([{ index: 0, reason: 'UNIQUE' }]);
      await queue.close();
      expect(logged).toMatchObject([{ level: 50, msg: 'a check that was answered is not recorded' }]);
    });
  });

  it('is unhealthy for ten seconds after a failed commit; a success makes it healthy at once', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const queue = new CommitQueue<string>({ commit: disk.commit, durability: 'commit' });
    const commitFails = async (number: number) => {
      const appended = queue.append(`row ${number}`);
      (await disk.begun(number)).done.reject(new Error('disk full'));
      await expect(appended).rejects.toMatchObject(UNAVAILABLE);
    };
    queue.requireHealthy();
    await commitFails(0);
    vi.advanceTimersByTime(9_999);
    expect(() => queue.requireHealthy()).toThrow('the last checks could not be committed: disk full');
    vi.advanceTimersByTime(1);
    queue.requireHealthy();
    await commitFails(1);
    const appended = queue.append('row 2');
    (await disk.begun(2)).done.resolve([]);
    await appended;
    queue.requireHealthy();
    vi.useRealTimers();
  });
});
