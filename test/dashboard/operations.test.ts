import { describe, expect, it } from 'vitest';
import { figuresOf, sharesOf } from '../../dashboard/src/api/provider-shares.ts';
import { readLines } from '../../dashboard/src/api/read-lines.ts';

async function read(chunks: readonly string[]): Promise<unknown[]> {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(Uint8Array.from(chunk, (octet) => octet.charCodeAt(0)));
      controller.close();
    },
  });
  const lines: unknown[] = [];
  for await (const line of readLines(stream)) lines.push(line);
  return lines;
}

describe('a streamed answer in lines', () => {
  it('is read line by line, however it was split in transit', async () => {
    expect(await read(['{"a":1}\n{"b"', ':"\xc3', '\xa9"}\n'])).toEqual([{ a: 1 }, { b: 'é' }]);
  });

  it('that broke off has no last line', async () => {
    expect(await read(['{"a":1}\n', '{"b":'])).toEqual([{ a: 1 }]);
  });
});

describe('the shares of a provider', () => {
  const times = { p50_us: 1, p95_us: 1, p99_us: 1 };
  const figures = { id: 'mx', timing: { measured: 100, ...times }, anew: { measured: 25, ...times } };

  it('separate cached answers from failed ones; not_run does not count as failed', () => {
    const reasons = [
      { reason: 'not_run', checks: 60 },
      { reason: 'timeout', checks: 4 },
      { reason: 'error', checks: 3 },
    ];
    expect(sharesOf({ ...figures, unknown: 64, reasons })).toEqual({ checks: 100, kept: 0.75, failed: 0.04 });
  });

  it('are empty where nothing was asked', () => {
    const ofMx = figuresOf({ providers: [] }, 'mx');
    expect(sharesOf(ofMx)).toEqual({ checks: 0, kept: null, failed: null });
  });
});
