import { describe, expect, it, onTestFinished } from 'vitest';
import { type JobLock, MutexJobLock } from '../../src/storage/job-lock.ts';
import { AdvisoryJobLock } from '../../src/storage/postgres/locks.ts';
import { eventually } from '../support/eventually.ts';
import { describePostgres, SOME_TENTHS_OF_A_SECOND } from '../support/postgres.ts';

const OURS = 'database = (SELECT oid FROM pg_database WHERE datname = current_database())';

/** The contract of every lock. `lockOf` makes the lock of an instance. */
function describeJobLock(lockOf: () => JobLock, otherOf: () => JobLock) {
  it('runs one job of a name at a time, jobs of other names concurrently, and continues after a failed one', async () => {
    const [lock, other] = [lockOf(), otherOf()];
    const done: string[] = [];
    const [begun, first] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const job = (name: string, until?: Promise<void>) => async () => {
      await until;
      done.push(name);
      return name;
    };
    const failing = lock.runExclusive('retention', async () => {
      begun.resolve();
      await first.promise;
      done.push('failing');
      throw new Error('disk full');
    });
    await begun.promise;
    const next = [lock, other].map((one, index) => one.runExclusive('retention', job(`next ${index}`)));
    expect(await other.runExclusive('lists', job('other'))).toBe('other');
    expect(done).toEqual(['other']);
    first.resolve();
    await expect(failing).rejects.toThrow('disk full');
    expect(await Promise.all(next)).toEqual(['next 0', 'next 1']);
    expect(done.slice(0, 2)).toEqual(['other', 'failing']);
  });

  it('does not begin a job that was cancelled while it waited', async () => {
    const [lock, other] = [lockOf(), otherOf()];
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = lock.runExclusive('retention', async () => {
      begun.resolve();
      await end.promise;
    });
    await begun.promise;
    const giving = new AbortController();
    let jobs = 0;
    const others = [lock, other].map((one) =>
      one.runExclusive('retention', async () => (jobs += 1), giving.signal),
    );
    giving.abort(new Error('the service ends'));
    end.resolve();
    await first;
    for (const { status } of await Promise.allSettled(others)) expect(status).toBe('rejected');
    expect(jobs).toBe(0);
    expect(await other.runExclusive('retention', async () => 'again')).toBe('again');
  });
}

describe('a lock of jobs in one process', () => {
  const lock = new MutexJobLock();
  describeJobLock(
    () => lock,
    () => lock,
  );
});

describePostgres('a lock of jobs in PostgreSQL', (database) => {
  const lockOf = () => new AdvisoryJobLock({ url: database.url });
  describeJobLock(lockOf, lockOf);

  it("is free again when the connection of its holder ends; the holder's job continues", async () => {
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = lockOf().runExclusive('retention', async () => {
      begun.resolve();
      await end.promise;
      return 'done';
    });
    await begun.promise;
    const next = lockOf().runExclusive('retention', async () => 'next');
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted AND ${OURS}`,
    );
    expect(await next).toBe('next');
    end.resolve();
    expect(await held).toBe('done');
  });

  it('is held and waited for as long as the job takes, whatever time-outs the role or the database has', async () => {
    const hasty = new URL(database.url);
    const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
    hasty.searchParams.set('options', limits.map((name) => `-c ${name}=50`).join(' '));
    const lock = () => new AdvisoryJobLock({ url: hasty.href });
    const done: string[] = [];
    const begun = Promise.withResolvers<void>();
    const held = lock().runExclusive('retention', async () => {
      begun.resolve();
      await database.someWait('postern jobs');
      await database.query(SOME_TENTHS_OF_A_SECOND);
      done.push('held');
    });
    await begun.promise;
    await lock().runExclusive('retention', async () => done.push('next'));
    await held;
    expect(done).toEqual(['held', 'next']);
  });

  it('is not waited for once the job is cancelled', async () => {
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = lockOf().runExclusive('retention', async () => {
      begun.resolve();
      await end.promise;
    });
    await begun.promise;
    const giving = new AbortController();
    const other = lockOf().runExclusive('retention', async () => undefined, giving.signal);
    await eventually(async () =>
      expect(
        await database.query(
          `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND ${OURS}`,
        ),
      ).toHaveLength(1),
    );
    giving.abort();
    await expect(other).rejects.toMatchObject({ code: 'unavailable' });
    end.resolve();
    await held;
  });

  it('keeps no connection when no job runs', async () => {
    await lockOf().runExclusive('retention', async () => undefined);
    await eventually(async () =>
      expect(
        await database.query(
          "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'postern jobs'",
        ),
      ).toEqual([]),
    );
  });

  it('begins no job while the server is unreachable', async () => {
    let jobs = 0;
    const lock = new AdvisoryJobLock({ url: 'postgres://127.0.0.1:1/postern' });
    onTestFinished(() => expect(jobs).toBe(0));
    await expect(lock.runExclusive('retention', async () => (jobs += 1))).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});
