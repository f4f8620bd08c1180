import { expect, it } from 'vitest';
import { MutexJobLock } from '../../src/storage/job-lock.ts';

it('does one job of a name at a time, those of another name beside it, and goes on after one that fails', async () => {
  const lock = new MutexJobLock();
  const done: string[] = [];
  const first = Promise.withResolvers<void>();
  const job = (name: string, until?: Promise<void>) => async () => {
    await until;
    done.push(name);
    return name;
  };
  const failing = lock.runExclusive('retention', async () => {
    await first.promise;
    throw new Error('disk full');
  });
  const next = lock.runExclusive('retention', job('next'));
  expect(await lock.runExclusive('lists', job('other'))).toBe('other');
  expect(done).toEqual(['other']);
  first.resolve();
  await expect(failing).rejects.toThrow('disk full');
  expect(await next).toBe('next');
});
