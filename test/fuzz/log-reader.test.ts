import { describe, expect, it } from 'vitest';
import { LogReader } from './log-reader.ts';

const LINE = '{"level":"info","time":"2026-11-20T12:45:55.947Z","msg":"request"}';

function faultsOf(...chunks: string[]): string[] {
  const reader = new LogReader(/hunter2/i);
  for (const chunk of chunks) reader.read(chunk);
  reader.end();
  return reader.faults.map(({ line }) => line);
}

describe('the reader of the log', () => {
  it('accepts JSON lines however they are split', () => {
    expect(faultsOf(`${LINE}\n${LINE.slice(0, 9)}`, `${LINE.slice(9)}\n`)).toEqual([]);
  });

  it('ignores the blank at the end, and reports any other blank line', () => {
    expect(faultsOf(`${LINE}\n`, ' ')).toEqual([]);
    expect(faultsOf(`${LINE}\n`, '  ')).toEqual(['  ']);
    expect(faultsOf(`${LINE}\n \n`)).toEqual([' ']);
  });

  it.each([
    ['a warning of node’s own', '(node:1) Warning: leak'],
    ['JSON that is no record', '[]'],
    ['a line without its message', '{"level":"info","time":"x"}'],
    ['an error', LINE.replace('info', 'error')],
    ['what must not be logged', LINE.replace('request', 'Hunter2@example.com')],
    ['a last line that breaks off', LINE.slice(0, -1)],
  ])('finds %s', (_, line) => {
    expect(faultsOf(`${LINE}\n`, line)).toEqual([line]);
  });
});
