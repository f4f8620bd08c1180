import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DiskWait, MANY, PATIENCE_MS } from '../../../src/http/server/disk-wait.ts';

let disk: DiskWait;
let done: string[];
const task = (name: string) => () => void done.push(name);

beforeEach(() => {
  disk = new DiskWait();
  done = [];
  // Turns of the event loop are real ones.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a wait for the disk', () => {
  it(`is long while ${MANY} answers or more wait`, () => {
    expect(disk.isLong).toBe(false);
    disk.begin(MANY - 1);
    expect(disk.isLong).toBe(false);
    disk.end();
    disk.begin(MANY);
    expect(disk.isLong).toBe(true);
    disk.end();
    expect(disk.isLong).toBe(false);
  });

  it('is over, for whoever asked, in the turn after its end, when promises have settled', async () => {
    disk.begin(MANY);
    disk.whenOver(task('one'));
    disk.whenOver(task('two'));
    await turn();
    expect(done).toEqual([]);
    disk.end();
    void Promise.resolve().then(task('answered'));
    await turn();
    expect(done).toEqual(['answered', 'one', 'two']);
    disk.begin(MANY);
    disk.end();
    await turn();
    expect(done).toHaveLength(3);
  });

  it(`is called over after ${PATIENCE_MS} ms, whatever becomes of the disk`, async () => {
    disk.begin(MANY);
    disk.whenOver(task('one'));
    vi.advanceTimersByTime(PATIENCE_MS - 1);
    await turn();
    expect(done).toEqual([]);
    vi.advanceTimersByTime(1);
    await turn();
    expect(done).toEqual(['one']);
    disk.whenOver(task('two'));
    vi.advanceTimersByTime(PATIENCE_MS);
    await turn();
    expect(done).toEqual(['one', 'two']);
    disk.end();
    await turn();
    expect(done).toEqual(['one', 'two']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('has its own time, whenever the one before it ended', async () => {
    disk.begin(MANY);
    disk.whenOver(task('one'));
    vi.advanceTimersByTime(PATIENCE_MS - 1);
    disk.end();
    disk.begin(MANY);
    disk.whenOver(task('two'));
    vi.advanceTimersByTime(PATIENCE_MS - 1);
    await turn();
    expect(done).toEqual(['one']);
  });

  it('has its own time, however many asked about the one before it', async () => {
    disk.begin(MANY);
    disk.whenOver(task('one'));
    disk.whenOver(task('two'));
    disk.end();
    vi.advanceTimersByTime(1);
    disk.begin(MANY);
    disk.whenOver(task('three'));
    vi.advanceTimersByTime(PATIENCE_MS - 1);
    await turn();
    expect(done).toEqual(['one', 'two']);
    vi.advanceTimersByTime(1);
    await turn();
    expect(done).toEqual(['one', 'two', 'three']);
  });
});

describe('those who were answered', () => {
  it('are away after a long wait, until as many have asked again', () => {
    disk.begin(MANY);
    expect(disk.away).toBe(0);
    disk.comeBack();
    disk.end();
    expect(disk.away).toBe(MANY);
    for (let n = 1; n < MANY; n += 1) disk.comeBack();
    expect(disk.away).toBe(1);
    disk.comeBack();
    disk.comeBack();
    expect(disk.away).toBe(0);
  });

  it.each([
    ['a short wait', () => disk.begin(MANY - 1)],
    ['no wait', () => {}],
  ])('are not expected back after %s', (_, wait) => {
    disk.begin(MANY);
    disk.end();
    wait();
    disk.end();
    expect(disk.away).toBe(0);
  });

  it('are expected no longer than they are waited for', () => {
    disk.begin(MANY);
    disk.end();
    disk.expectNobody();
    expect(disk.away).toBe(0);
  });
});

describe('what nobody waits for', () => {
  it('is done in the next turn where no wait is long', async () => {
    disk.meanwhile(task('before any'));
    expect(done).toEqual([]);
    await turn();
    disk.begin(MANY - 1);
    disk.end();
    disk.meanwhile(task('after a short one'));
    await turn();
    expect(done).toEqual(['before any', 'after a short one']);
  });

  it('is put off to the next wait after a long one, in the order it came', async () => {
    disk.begin(MANY);
    disk.end();
    disk.meanwhile(task('one'));
    disk.meanwhile(task('two'));
    await turn();
    expect(done).toEqual([]);
    disk.begin(1);
    await turn();
    expect(done).toEqual(['one', 'two']);
    disk.begin(MANY);
    await turn();
    expect(done).toHaveLength(2);
  });

  it('is put off to the next wait also when it is one thing alone', async () => {
    disk.begin(MANY);
    disk.end();
    disk.meanwhile(task('one'));
    disk.begin(MANY);
    expect(done).toEqual([]);
    await turn();
    expect(done).toEqual(['one']);
  });

  it.each([1, 2])('has its own time, whenever what came before it was done: %i before', (before) => {
    disk.begin(MANY);
    disk.end();
    for (let n = 0; n < before; n += 1) disk.meanwhile(task('before'));
    disk.doDeferred();
    vi.advanceTimersByTime(1);
    disk.meanwhile(task('after'));
    vi.advanceTimersByTime(PATIENCE_MS - 1);
    expect(done).toHaveLength(before);
    vi.advanceTimersByTime(1);
    expect(done.slice(before)).toEqual(['after']);
  });

  it(`is put off for ${PATIENCE_MS} ms at most`, () => {
    disk.begin(MANY);
    disk.end();
    disk.meanwhile(task('one'));
    vi.advanceTimersByTime(PATIENCE_MS - 1);
    disk.meanwhile(task('two'));
    expect(done).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(done).toEqual(['one', 'two']);
    expect(vi.getTimerCount()).toBe(0);
    disk.meanwhile(task('three'));
    vi.advanceTimersByTime(PATIENCE_MS);
    expect(done).toEqual(['one', 'two', 'three']);
  });

  it('is done at once for who is about to stop, and not again', async () => {
    disk.begin(MANY);
    disk.end();
    disk.meanwhile(task('one'));
    disk.doDeferred();
    expect(done).toEqual(['one']);
    disk.begin(MANY);
    vi.advanceTimersByTime(PATIENCE_MS);
    await turn();
    expect(done).toEqual(['one']);
  });
});
