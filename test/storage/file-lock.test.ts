import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { FileNotHeld, lockFile, whileHeld } from '../../src/storage/file-lock.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const COUNTING = join(import.meta.dirname, 'counting.process.ts');

function aCount() {
  const dir = temporaryDirectory();
  const file = join(dir, 'count');
  writeFileSync(file, '0');
  return { dir, file, count: () => readFileSync(file, 'utf8') };
}

async function countInProcess(file: string, times: number): Promise<unknown> {
  const [code, signal] = await once(spawn(process.execPath, [COUNTING, file, `${times}`]), 'exit');
  return signal ?? code;
}

it('keeps all concurrent writes of processes, through any path, and leaves no lock file', async () => {
  const { dir, file, count } = aCount();
  symlinkSync('count', join(dir, 'link'));
  const link = join(temporaryDirectory(), 'folder');
  symlinkSync(dir, link);
  const paths = [file, file, join(link, 'count'), file];
  expect(await Promise.all(paths.map((path) => countInProcess(path, 25)))).toEqual([0, 0, 0, 0]);
  expect(count()).toBe('100');
  expect(readdirSync(dir).sort()).toEqual(['count', 'link']);
}, 30_000);

it('is not blocked by a killed process, and removes its lock file', async () => {
  const { dir, file, count } = aCount();
  expect(await countInProcess(file, 0)).toBe('SIGKILL');
  expect(readdirSync(dir)).toContain('.count.lock');
  expect(await countInProcess(file, 1)).toBe(0);
  expect(count()).toBe('1');
  expect(readdirSync(dir)).toEqual(['count']);
}, 30_000);

it('runs one callback after the other, and releases the lock when one throws', async () => {
  const { dir, file } = aCount();
  const order: string[] = [];
  const work = (name: string) => async () => {
    order.push(`${name} begins`);
    await Promise.resolve();
    order.push(`${name} ends`);
    throw new Error(name);
  };
  const done = ['a', 'b'].map((name) => whileHeld([file, join(dir, 'other')], work(name)));
  expect(await Promise.allSettled(done)).toMatchObject([
    { reason: { message: 'a' } },
    { reason: { message: 'b' } },
  ]);
  expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  expect(readdirSync(dir)).toEqual(['count']);
});

it('gives up on a file that is locked for too long, names the lock, and does nothing', async () => {
  const { dir, file } = aCount();
  const held = lockFile(join(dir, '.count.lock'));
  const work = vi.fn();
  const pause = vi.fn(async () => undefined);
  try {
    await expect(whileHeld([file], work, pause)).rejects.toThrow(
      /held .*\.count\.lock for 10 seconds; try again$/,
    );
  } finally {
    held?.[Symbol.dispose]();
  }
  expect(work).not.toHaveBeenCalled();
  expect(pause).toHaveBeenCalledTimes(500);
});

it('reports why a file cannot be locked, and does nothing', async () => {
  const work = vi.fn();
  const fault = whileHeld([join(temporaryDirectory(), 'none/count')], work);
  await expect(fault).rejects.toThrow(FileNotHeld);
  await expect(fault).rejects.toMatchObject({ cause: { code: 'ENOENT' } });
  expect(work).not.toHaveBeenCalled();
});
