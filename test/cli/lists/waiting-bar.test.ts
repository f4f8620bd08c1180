import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WaitingBar } from '../../../src/cli/lists/update-lists.ts';

let written: string;
const terminal = {
  isTTY: true,
  write: (text: string) => {
    written += text;
  },
};

beforeEach(() => {
  written = '';
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the bar over lists', () => {
  it('is not there for what takes less than a second', () => {
    const bar = new WaitingBar(terminal, 2);
    vi.advanceTimersByTime(999);
    bar.advance();
    bar.stop();
    vi.advanceTimersByTime(1_000);
    expect(written).toBe('');
  });

  it('changes nothing about the terminal that Ctrl-C would leave so', () => {
    const bar = new WaitingBar(terminal, 2);
    bar.advance();
    vi.advanceTimersByTime(1_000);
    expect(written).toContain('1 of 2 lists');
    // DEC private modes: lines that do not wrap (7), a cursor that is hidden (25).
    expect(written).not.toContain('\u001b[?');
    bar.stop();
  });
});
