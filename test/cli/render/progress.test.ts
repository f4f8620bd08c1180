import { beforeEach, describe, expect, it } from 'vitest';
import { Progress } from '../../../src/cli/render/progress.ts';

let written: string;
let now: number;
const clock = { now: () => now };
const terminal = {
  isTTY: true,
  write: (text: string) => {
    written += text;
  },
};
const advance = (progress: Progress, rows: number) => {
  for (let row = 0; row < rows; row++) progress.advance(500);
};

beforeEach(() => {
  written = '';
  now = 0;
});

describe('the progress bar', () => {
  it('is not there for what takes a second', () => {
    const progress = new Progress({ doing: 'checking', terminal, totalBytes: 1_000, clock });
    advance(progress, 1_000);
    now = 1_000;
    advance(progress, 1_000);
    progress.stop();
    expect(written).toBe('');
  });

  it('tells share and rows of what takes longer, and is wiped out at the end', () => {
    const progress = new Progress({ doing: 'checking', terminal, totalBytes: 1_000, clock });
    now = 1_001;
    advance(progress, 64);
    expect(written).toMatch(/checking.*50 %.*64 rows/);
    written = '';
    progress.stop();
    // ECMA-48: erase in line.
    expect(written).toContain('\u001b[2K');
  });

  it('tells the rows alone where the end is not known', () => {
    const progress = new Progress({ doing: 'checking', terminal, totalBytes: null, clock });
    now = 1_001;
    advance(progress, 64);
    progress.stop();
    expect(written).toMatch(/checking {2}64 rows/);
    expect(written).not.toContain('%');
  });

  it('is not there where nobody looks', () => {
    const progress = new Progress({ doing: 'checking', terminal: null, totalBytes: 1_000, clock });
    now = 5_000;
    advance(progress, 64);
    progress.stop();
    expect(written).toBe('');
  });
});
