import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { noMetrics } from '../../src/observability/metrics.ts';
import { unavailable } from '../../src/storage/commit-queue.ts';
import { type JobLock, MutexJobLock } from '../../src/storage/job-lock.ts';
import { openPostgresStorage } from '../../src/storage/postgres/postgres-storage.ts';
import { confirmDue, findDue, startRetention } from '../../src/storage/retention.ts';
import { eventually } from '../support/eventually.ts';
import { describePostgres } from '../support/postgres.ts';
import { describeDrivers } from './drivers.ts';
import { checkOf } from './rows.ts';

function setUp(
  deleteBefore: (instant: string, signal?: AbortSignal) => Promise<number>,
  deleteIdle: (instant: string) => Promise<number> = async () => 0,
  deleteEndedSessions: (instant: string) => Promise<void> = async () => undefined,
  { due = 1, extent = 10_000, last = '2026-11-20T09:00:00.000Z' } = {},
) {
  const state = new Map<string, string>();
  const logged: Record<string, unknown>[] = [];
  const counted: number[] = [];
  const prepared: string[] = [];
  const timer: { intervalMs: number; tick: () => void; isStopped: boolean } = {
    intervalMs: 0,
    tick: () => undefined,
    isStopped: false,
  };
  const clock = { time: Date.parse('2026-11-20T10:00:00.000Z'), now: () => clock.time };
  const retention = startRetention({
    checks: {
      deleteBefore,
      prepare: async (instant) => void prepared.push(instant),
      extent: async () => ({ atMost: extent, newest: last }),
      countBefore: async (_instant, limit) => Math.min(due, limit),
    },
    state: {
      find: async (name) => state.get(name),
      keep: async (name, value) => void state.set(name, value),
    },
    labels: { deleteIdle },
    people: { deleteEndedSessions },
    jobLock: new MutexJobLock(),
    days: 90,
    clock,
    log: pino({ base: null, timestamp: false }, { write: (line) => logged.push(JSON.parse(line)) }),
    metrics: { ...noMetrics, count: (_name, _labels, by = 1) => counted.push(by) },
    every(intervalMs, tick) {
      Object.assign(timer, { intervalMs, tick });
      return () => {
        timer.isStopped = true;
      };
    },
  });
  return { retention, logged, counted, prepared, timer, clock, state };
}

describe('retention', () => {
  it('deletes what is older than its days at the start and every hour, and logs and counts how many', async () => {
    const instants: string[] = [];
    const { retention, logged, counted, timer, clock } = setUp(async (instant) => instants.push(instant));
    await eventually(() => expect(logged).toHaveLength(1));
    clock.time += 3_600_000;
    timer.tick();
    await retention.run();
    expect(timer.intervalMs).toBe(3_600_000);
    expect(instants).toEqual(['2026-08-22T10:00:00.000Z', '2026-08-22T11:00:00.000Z']);
    expect(counted).toEqual([1, 2]);
    expect(logged).toMatchObject([
      { deleted: 1, days: 90 },
      { deleted: 2, days: 90 },
    ]);
  });

  it('prepares for checks of the coming day, also where a deletion waits for confirmation', async () => {
    const { retention, prepared, clock, timer } = setUp(async () => 0, undefined, undefined, { due: 9_000 });
    await retention.run();
    expect(retention.waits).toBeDefined();
    clock.time += 3_600_000;
    timer.tick();
    await retention.run();
    expect(prepared).toEqual(['2026-11-21T10:00:00.000Z', '2026-11-21T11:00:00.000Z']);
  });

  it('deletes sessions that have ended', async () => {
    const instants: string[] = [];
    const { retention } = setUp(
      async () => 0,
      async () => 0,
      async (instant) => void instants.push(instant),
    );
    await retention.run();
    expect(instants).toEqual(['2026-11-20T10:00:00.000Z']);
  });

  it('logs nothing when nothing was due', async () => {
    const { retention, logged } = setUp(async () => 0);
    await retention.run();
    expect(logged).toEqual([]);
  });

  it('does not start a second run beside one in progress', async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    let runs = 0;
    const { retention, timer } = setUp(() => {
      runs += 1;
      return promise;
    });
    timer.tick();
    resolve(0);
    await retention.run();
    expect(runs).toBe(1);
  });

  it('logs a failure and tries again', async () => {
    const outcomes = [Promise.reject(new Error('disk full')), Promise.resolve(3)];
    const { retention, logged } = setUp(() => outcomes.shift() ?? Promise.resolve(0));
    await retention.run();
    await retention.run();
    expect(logged).toMatchObject([{ level: 50, err: { message: 'disk full' } }, { deleted: 3 }]);
  });

  it('logs what the database could not do', async () => {
    const late = unavailable(new Error('canceling statement due to statement timeout'));
    const { retention, logged } = setUp(() => Promise.reject(late));
    await retention.run();
    const message = 'what is stored cannot be used now: canceling statement due to statement timeout';
    expect(logged).toMatchObject([{ level: 50, err: { message } }]);
  });

  it('deletes labels of people without records, after the records', async () => {
    const order: string[] = [];
    const { retention, logged, counted } = setUp(
      async () => order.push('checks') - 1,
      async (instant) => order.push(instant),
    );
    await retention.run();
    expect(order).toEqual(['checks', '2026-08-22T10:00:00.000Z']);
    expect(logged).toMatchObject([{ deleted: 2, days: 90, msg: 'labels of people without records deleted' }]);
    expect(counted).toEqual([0]);
  });

  it('reports the deleted records, also where their labels cannot be deleted', async () => {
    const { retention, logged, counted } = setUp(
      async () => 3,
      () => Promise.reject(new Error('disk full')),
    );
    await retention.run();
    expect(counted).toEqual([3]);
    expect(logged).toMatchObject([{ deleted: 3, days: 90 }, { err: { message: 'disk full' } }]);
  });

  it('stops after the current batch, and deletes no labels then', async () => {
    const order: string[] = [];
    const batch = Promise.withResolvers<number>();
    let signal: AbortSignal | undefined;
    const { retention, timer, logged } = setUp(
      (_, given) => {
        signal = given;
        return batch.promise;
      },
      async () => order.push('labels'),
    );
    await eventually(() => expect(signal).toBeDefined());
    const stopped = retention.stop().then(() => order.push('stopped'));
    expect([timer.isStopped, signal?.aborted]).toEqual([true, true]);
    batch.resolve(500);
    order.push('deleted');
    await stopped;
    expect(order).toEqual(['deleted', 'stopped']);
    expect(logged).toMatchObject([{ deleted: 500 }]);
  });
});

describe('retention of several instances', () => {
  const HOUR_MS = 3_600_000;

  /** As many instances as are asked for, on one storage; each is named by what it deletes. */
  function instances(
    names: readonly string[],
    jobLock: JobLock = new MutexJobLock(),
    stored = new Map<string, string>(),
  ) {
    const passes: string[] = [];
    const logged: Record<string, unknown>[] = [];
    const clock = { time: Date.parse('2026-11-20T10:00:00.000Z'), now: () => clock.time };
    const started = names.map((name) =>
      startRetention({
        checks: {
          deleteBefore: async () => passes.push(name),
          prepare: async () => undefined,
          extent: async () => ({ atMost: 10_000, newest: '2026-11-20T09:00:00.000Z' }),
          countBefore: async () => 1,
        },
        state: {
          find: async (key) => stored.get(key),
          keep: async (key, value) => void stored.set(key, value),
        },
        labels: { deleteIdle: async () => 0 },
        people: { deleteEndedSessions: async () => undefined },
        ...{ jobLock, clock, days: 90, metrics: noMetrics },
        log: pino({ base: null, timestamp: false }, { write: (line) => logged.push(JSON.parse(line)) }),
        every: () => () => undefined,
      }),
    );
    return { started, passes, clock, logged };
  }

  it('is run by one of several instances that start at once, and each hour by one', async () => {
    const { started, passes, clock } = instances(['a', 'b', 'c']);
    await Promise.all(started.map(({ run }) => run()));
    expect(passes).toEqual(['a']);
    for (let hour = 1; hour <= 3; hour++) {
      // Their timers are twelve minutes apart.
      for (const { run } of started) {
        clock.time += HOUR_MS / 5;
        await run();
      }
      clock.time += HOUR_MS - 3 * (HOUR_MS / 5);
    }
    expect(passes).toEqual(['a', 'a', 'a', 'a']);
  });

  it('is run by another within two hours when the previous one has stopped', async () => {
    const { started, passes, clock } = instances(['a', 'b']);
    const [gone, left] = started;
    await gone?.run();
    await left?.run();
    await gone?.stop();
    clock.time += HOUR_MS;
    await left?.run();
    expect(passes).toEqual(['a', 'b']);
  });

  it('is run at the start of an instance, however recently it was run', async () => {
    const stored = new Map([['retention_ran_at', '2026-11-20T09:59:00.000Z']]);
    const { started, passes } = instances(['a'], new MutexJobLock(), stored);
    await started[0]?.run();
    expect(passes).toEqual(['a']);
  });

  it('is tried again in an hour when the lock cannot be acquired', async () => {
    let isAway = true;
    const lock = new MutexJobLock();
    const { started, passes, logged } = instances(['a'], {
      runExclusive: (name, job) =>
        isAway ? Promise.reject(new Error('no connection')) : lock.runExclusive(name, job),
    });
    await started[0]?.run();
    expect(passes).toEqual([]);
    expect(logged).toMatchObject([{ level: 50, err: { message: 'no connection' } }]);
    isAway = false;
    await started[0]?.run();
    expect(passes).toEqual(['a']);
  });
});

describe('retention waits for confirmation', () => {
  const WITHOUT_WORK = [undefined, undefined] as const;

  it('when the clock is more than a day after the last pass, and again until it is confirmed', async () => {
    let deletions = 0;
    const { retention, logged, clock, state } = setUp(async () => (deletions += 1), ...WITHOUT_WORK);
    await retention.run();
    expect([deletions, retention.waits]).toEqual([1, undefined]);
    expect(state.get('retention_ran_at')).toBe('2026-11-20T10:00:00.000Z');
    clock.time += 400 * 86_400_000;
    await retention.run();
    await retention.run();
    expect(deletions).toBe(1);
    expect(retention.waits).toContain('400 days after the last pass or record (2026-11-20T10:00:00.000Z)');
    expect(retention.waits).toContain('postern retention confirm');
    expect(logged.at(-1)).toMatchObject({ level: 50, reason: retention.waits });
    // A pass that waited does not count: the clock must not become plausible by a second attempt.
    expect(state.get('retention_ran_at')).toBe('2026-11-20T10:00:00.000Z');

    clock.time -= 400 * 86_400_000;
    await retention.run();
    expect([deletions, retention.waits]).toEqual([2, undefined]);
  });

  it('before the first pass, when the newest record is more than a day old', async () => {
    const { retention } = setUp(async () => 0, ...WITHOUT_WORK, { last: '2026-11-18T09:00:00.000Z' });
    await retention.run();
    expect(retention.waits).toContain('2 days after the last pass or record');
  });

  it('not where nothing is due, whatever the clock shows', async () => {
    const { retention, state } = setUp(async () => 0, ...WITHOUT_WORK, {
      due: 0,
      last: '2020-01-01T00:00:00.000Z',
    });
    await retention.run();
    expect(retention.waits).toBeUndefined();
    expect(state.get('retention_ran_at')).toBe('2026-11-20T10:00:00.000Z');
  });

  it.each([
    [1_000, 1_000, false],
    [1_001, 1_001, true],
    [5_000, 100_000, false],
    [5_001, 100_000, true],
  ])('with %i of %i records due at once: %j', async (due, extent, mustWait) => {
    const { retention } = setUp(async () => 0, ...WITHOUT_WORK, { due, extent });
    await retention.run();
    expect(retention.waits !== undefined).toBe(mustWait);
    if (mustWait) expect(retention.waits).toContain('are due at once');
  });
});

describeDrivers('retention', (open) => {
  it('keeps every record until it is confirmed, and then deletes for a day without confirmation', async () => {
    const storage = await open();
    for (let day = 1; day <= 9; day++) {
      await storage.checks.append(checkOf(`chk_${day}`, { created_at: `2026-11-0${day}T10:00:00.000Z` }));
    }
    const clock = { time: Date.parse('2026-11-09T10:00:00.000Z') + 400 * 86_400_000, now: () => clock.time };
    const { checks, labels, state, jobLock } = storage;
    const { people } = storage.peopleStorage;
    const options = { ...{ checks, labels, people, state, jobLock, clock }, days: 90 };
    const retention = startRetention({
      ...options,
      log: pino({ level: 'silent' }),
      metrics: noMetrics,
      every: () => () => undefined,
    });
    await retention.run();
    expect(retention.waits).toContain('400 days after');
    expect(await checks.countBefore('9999', 100)).toBe(9);
    expect(await checks.extent()).toEqual({ atMost: 9, newest: '2026-11-09T10:00:00.000Z' });

    await confirmDue(state, await findDue(options));
    clock.time += 3_600_000;
    await retention.run();
    expect(retention.waits).toBeUndefined();
    expect(await checks.extent()).toEqual({ atMost: 0, newest: undefined });
  });
});

describePostgres('retention of instances that share a database', (database) => {
  it('is run once by those that start at once, and leaves nothing that is due', async () => {
    const open = async () => {
      const opened = await openPostgresStorage({
        url: database.url,
        durability: 'commit',
        maxConnections: 3,
      });
      onTestFinished(() => opened.close());
      return opened;
    };
    const storages = await Promise.all([open(), open(), open()]);
    for (let day = 1; day <= 9; day++) {
      const created_at = `2026-11-0${day}T10:00:00.000Z`;
      await storages[0].checks.append(checkOf(`chk_${day}`, { created_at }));
    }
    const clock = { now: () => Date.parse('2026-11-09T10:00:01.000Z') };
    const deleted: number[] = [];
    const metrics = { ...noMetrics, count: (_: string, _labels: unknown, by = 1) => void deleted.push(by) };
    const log = pino({ level: 'silent' });
    // They start at once: each has seen that there was no pass yet when the first of them begins one.
    const haveLooked = Promise.withResolvers<void>();
    let looked = 0;
    const started = storages.map(({ checks, labels, state, jobLock: own, peopleStorage: { people } }) => {
      const jobLock: JobLock = {
        runExclusive: async (name, job, signal) => {
          looked += 1;
          if (looked === storages.length) haveLooked.resolve();
          await haveLooked.promise;
          return await own.runExclusive(name, job, signal);
        },
      };
      const ports = { checks, labels, people, state, jobLock, clock, metrics, log };
      return startRetention({ ...ports, days: 3, every: () => () => undefined });
    });
    await Promise.all(started.map(({ run }) => run()));
    // One pass: only that one counts.
    expect(deleted).toEqual([6]);
    expect(await storages[1].checks.countBefore('9999', 100)).toBe(3);
  });
});
