import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { noMetrics } from '../../src/observability/metrics.ts';
import { MutexJobLock } from '../../src/storage/job-lock.ts';
import { startRetention } from '../../src/storage/retention.ts';

function setUp(
  deleteBefore: (instant: string, signal?: AbortSignal) => Promise<number>,
  deleteIdle: (instant: string) => Promise<number> = async () => 0,
  deleteEndedSessions: (instant: string) => Promise<void> = async () => undefined,
) {
  const logged: Record<string, unknown>[] = [];
  const counted: number[] = [];
  const timer: { intervalMs: number; tick: () => void; isStopped: boolean } = {
    intervalMs: 0,
    tick: () => undefined,
    isStopped: false,
  };
  const clock = { time: Date.parse('2026-11-20T10:00:00.000Z'), now: () => clock.time };
  const retention = startRetention({
    checks: { deleteBefore },
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
  return { retention, logged, counted, timer, clock };
}

describe('retention', () => {
  it('deletes what is older than its days at the start and every hour, and logs and counts how many', async () => {
    const instants: string[] = [];
    const { retention, logged, counted, timer, clock } = setUp(async (instant) => instants.push(instant));
    await vi.waitFor(() => expect(logged).toHaveLength(1));
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

  it('deletes sessions that are over now', async () => {
    const instants: string[] = [];
    const { retention } = setUp(
      async () => 0,
      async () => 0,
      async (instant) => void instants.push(instant),
    );
    await retention.run();
    expect(instants).toEqual(['2026-11-20T10:00:00.000Z']);
  });

  it('is silent when nothing was due', async () => {
    const { retention, logged } = setUp(async () => 0);
    await retention.run();
    expect(logged).toEqual([]);
  });

  it('does not start a second run beside one that is under way', async () => {
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

  it('tells of the records that went, also where their labels cannot go', async () => {
    const { retention, logged, counted } = setUp(
      async () => 3,
      () => Promise.reject(new Error('disk full')),
    );
    await retention.run();
    expect(counted).toEqual([3]);
    expect(logged).toMatchObject([{ deleted: 3, days: 90 }, { err: { message: 'disk full' } }]);
  });

  it('stops when the batch under way is done, and deletes no labels then', async () => {
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
    await vi.waitFor(() => expect(signal).toBeDefined());
    const stopped = retention.stop().then(() => order.push('stopped'));
    expect([timer.isStopped, signal?.aborted]).toEqual([true, true]);
    batch.resolve(500);
    order.push('deleted');
    await stopped;
    expect(order).toEqual(['deleted', 'stopped']);
    expect(logged).toMatchObject([{ deleted: 500 }]);
  });
});
