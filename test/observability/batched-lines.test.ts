import { EventEmitter } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BatchedLines, type Destination } from '../../src/observability/batched-lines.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** One that the test lets drain or fail. */
class ManualDestination extends EventEmitter implements Destination {
  readonly written: string[] = [];
  isDestroyed = false;

  write(text: string): void {
    this.written.push(text);
  }

  destroy(): void {
    this.isDestroyed = true;
  }
}

const LARGE = `${'x'.repeat(12_287)}\n`;
/** More than any line waits. */
const LONG_MS = 1_000;

let destination: ManualDestination;
let lines: BatchedLines;
/** How many lines it said were lost, each time. */
let lost: number[];
/** Where the destination is said to write. */
let file: string;
let fd: number;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  destination = new ManualDestination();
  file = join(temporaryDirectory(), 'log.jsonl');
  fd = openSync(file, 'a');
  lost = [];
  lines = new BatchedLines(destination, fd, (count) => lost.push(count));
});
afterEach(() => {
  // Else the process writes them as it ends, to whatever has this descriptor then.
  lines.flushSync();
  closeSync(fd);
  vi.useRealTimers();
});

const failWith = (code: string) => destination.emit('error', Object.assign(new Error('write'), { code }));

describe('lines', () => {
  it('are gathered for a while and passed on together, each time anew', () => {
    for (const [one, two] of [
      ['a\n', 'b\n'],
      ['c\n', 'd\n'],
    ] as const) {
      const before = destination.written.length;
      lines.write(one);
      lines.write(two);
      expect(destination.written).toHaveLength(before);
      vi.advanceTimersByTime(LONG_MS);
      expect(destination.written.slice(before)).toEqual([one + two]);
      destination.emit('drain');
    }
  });

  it('are passed on at once when they are many, and gathered again after', () => {
    lines.write('a\n');
    lines.write(LARGE);
    expect(destination.written).toEqual([`a\n${LARGE}`]);
    destination.emit('drain');
    lines.write('b\n');
    expect(destination.written).toHaveLength(1);
  });

  it('wait for those before them to be written, and for nothing else', () => {
    lines.write(LARGE);
    lines.write('b\n');
    lines.write('c\n');
    vi.advanceTimersByTime(LONG_MS);
    lines.write(LARGE);
    expect(destination.written).toEqual([LARGE]);
    destination.emit('drain');
    expect(destination.written.slice(1)).toEqual([`b\nc\n${LARGE}`]);
  });

  it('that come while others are written are passed on as soon as those are', () => {
    lines.write(LARGE);
    lines.write('b\n');
    destination.emit('drain');
    expect(destination.written.slice(1)).toEqual(['b\n']);
  });

  it('that are still gathered are written at once when they must be, and not again', () => {
    lines.write('a\n');
    lines.flushSync();
    expect(readFileSync(file, 'utf8')).toBe('a\n');
    vi.advanceTimersByTime(LONG_MS);
    lines.flushSync();
    expect(destination.written).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe('a\n');
  });
});

describe('lines that nobody reads any more', () => {
  it.each([
    ['came before it was known', ['a\n'], []],
    ['come after', [], ['b\n']],
  ])('are let go when they %s', (_, before, after) => {
    for (const line of before) lines.write(line);
    failWith('EPIPE');
    expect(destination.isDestroyed).toBe(true);
    for (const line of after) lines.write(line);
    vi.advanceTimersByTime(LONG_MS);
    lines.flushSync();
    expect(destination.written).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe('');
  });
});

describe('lines that cannot be written', () => {
  it('are tried again after a while, with those that came since behind them', () => {
    lines.write(LARGE);
    // pino passes an error on a second time.
    failWith('ENOSPC');
    failWith('ENOSPC');
    lines.write('b\n');
    vi.advanceTimersByTime(999);
    expect(destination.written).toEqual([LARGE]);
    vi.advanceTimersByTime(1);
    // What failed the destination still has.
    expect(destination.written).toEqual([LARGE, '']);
    failWith('ENOSPC');
    vi.advanceTimersByTime(1_000);
    expect(destination.written).toEqual([LARGE, '', '']);
    destination.emit('drain');
    expect(destination.written).toEqual([LARGE, '', '', 'b\n']);
    expect(destination.isDestroyed).toBe(false);
    expect(lost).toEqual([]);
  });

  it('are kept up to a bound, and told when they were more', () => {
    lines.write(LARGE);
    const most = Math.ceil(8_000_000 / LARGE.length);
    for (let n = 0; n < most + 2; n += 1) lines.write(LARGE);
    expect(lost).toEqual([]);
    destination.emit('drain');
    expect(destination.written.map((text) => text.length / LARGE.length)).toEqual([1, most]);
    expect(lost).toEqual([2]);
    lines.write('b\n');
    destination.emit('drain');
    expect(destination.written.at(-1)).toBe('b\n');
    expect(lost).toEqual([2]);
  });

  it('hold no process that ends: the destination is let go', () => {
    lines.write(LARGE);
    failWith('ENOSPC');
    lines.write('b\n');
    lines.close();
    expect(destination.isDestroyed).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe('b\n');
    vi.advanceTimersByTime(LONG_MS);
    expect(destination.written).toEqual([LARGE]);
  });

  it('are none where all were: what still writes is left to it as the process ends', () => {
    lines.write(LARGE);
    lines.close();
    expect(destination.isDestroyed).toBe(false);
  });
});
