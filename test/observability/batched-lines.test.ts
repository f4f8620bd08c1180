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
/** Where the destination is said to write. */
let file: string;
let fd: number;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  destination = new ManualDestination();
  file = join(temporaryDirectory(), 'log.jsonl');
  fd = openSync(file, 'a');
  lines = new BatchedLines(destination, fd);
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

  it('are an error when more than a reader is missing', () => {
    expect(() => failWith('EPIPE')).not.toThrow();
    expect(() => failWith('ENOSPC')).toThrow('write');
  });
});
