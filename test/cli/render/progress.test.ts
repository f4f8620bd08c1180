import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Progress } from '../../../src/cli/render/progress.ts';
import { sinkOf } from '../world.ts';

let written: string;
let now: number;
const clock = { now: () => now };
const terminal = sinkOf((text) => {
  written += text;
}, true);
const advance = (progress: Progress, rows: number) => progress.advance(rows, 500);

beforeEach(() => {
  written = '';
  now = 0;
});

describe('the progress bar', () => {
  it('is not shown for work of less than a second', () => {
    const progress = new Progress({ doing: 'checking', terminal, total: 1_000, clock });
    advance(progress, 1_000);
    now = 1_000;
    advance(progress, 1_000);
    progress.stop();
    expect(written).toBe('');
  });

  it('shows share and rows of longer work, and is erased at the end', () => {
    const progress = new Progress({ doing: 'checking', terminal, total: 1_000, clock });
    now = 1_001;
    advance(progress, 64);
    expect(written).toMatch(/checking.*50 %.*64 rows/);
    written = '';
    progress.stop();
    // ECMA-48: erase in line.
    expect(written).toContain('\u001b[2K');
  });

  it('shows only the rows where the total is unknown', () => {
    const progress = new Progress({ doing: 'checking', terminal, total: null, clock });
    now = 1_001;
    advance(progress, 64);
    progress.stop();
    expect(written).toMatch(/checking {2}64 rows/);
    expect(written).not.toContain('%');
  });

  it.each([
    { at: 60_000, done: 300, left: '2 min left' },
    { at: 5_000, done: 250, left: '15 s left' },
    { at: 5_000, done: 999, left: '1 s left' },
    { at: 3_600_000, done: 250, left: '3 h 0 min left' },
    { at: 20_000_000, done: 250, left: '16 h 40 min left' },
    { at: 59_600, done: 500, left: '1 min left' },
  ])('shows $left when $done of 1,000 took $at ms', ({ at, done, left }) => {
    const progress = new Progress({ doing: 'checking', terminal, total: 1_000, clock });
    now = at;
    progress.advance(64, done);
    progress.stop();
    expect(written).toContain(`64 rows  ${left}`);
  });

  it('shows the same remaining time, however often it is told that nothing more was read', () => {
    const progress = new Progress({ doing: 'checking', terminal, total: 10_000, clock });
    now = 2_000;
    for (let row = 0; row < 3_200; row++) advance(progress, 1);
    progress.stop();
    expect(new Set(written.match(/\S+ \S+ left/g))).toEqual(new Set(['38 s left']));
  });

  it.each([
    ['before anything was read', 0],
    ['once all was read', 1_000],
  ])('shows no remaining time %s', (_when, done) => {
    const progress = new Progress({ doing: 'checking', terminal, total: 1_000, clock });
    now = 2_000;
    progress.advance(64, done);
    progress.stop();
    expect(written).toContain('64 rows');
    expect(written).not.toContain('left');
  });

  it('sets no terminal mode that would remain after Ctrl-C', () => {
    const progress = new Progress({ doing: 'checking', terminal, total: 1_000, clock });
    now = 1_001;
    advance(progress, 64);
    // DEC private modes: no line wrap (7), hidden cursor (25).
    expect(written).not.toContain('\u001b[?');
    progress.stop();
  });

  it('is not shown where the output is not a terminal', () => {
    const progress = new Progress({ doing: 'checking', terminal: null, total: 1_000, clock });
    now = 5_000;
    advance(progress, 64);
    progress.stop();
    expect(written).toBe('');
  });

  describe('where a part takes longer than a second', () => {
    beforeEach(() => {
      vi.useFakeTimers();
    });
    afterEach(() => {
      vi.useRealTimers();
    });
    const aBar = () => new Progress({ doing: 'downloading', unit: 'of 2 lists', terminal, total: 2, clock });

    it('is shown before that part is done, with the number of its rows', () => {
      const progress = aBar();
      progress.advance(1);
      vi.advanceTimersByTime(1_000);
      expect(written).toContain('1 of 2 lists');
      expect(written).not.toContain('\u001b[?');
      progress.stop();
    });

    it('is not shown after the work has ended', () => {
      const progress = aBar();
      vi.advanceTimersByTime(999);
      progress.advance(1);
      progress.stop();
      vi.advanceTimersByTime(1_000);
      expect(written).toBe('');
    });
  });
});
