import { describe, expect, it } from 'vitest';
import { poissonArrivals } from '../../bench/http/poisson.ts';
import { sendWhenDue } from '../../bench/http/send-when-due.ts';
import { tailQuantile } from '../../bench/support/median.ts';
import { randomFrom } from '../../bench/support/random.ts';

describe('random arrivals', () => {
  const due = poissonArrivals(200, 20_000, randomFrom(1));
  const gaps = due.map((at, n) => at - (due[n - 1] ?? 0));
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;

  it('are the same in every run, in order', () => {
    expect(poissonArrivals(200, 20_000, randomFrom(1))).toEqual(due);
    expect(gaps.every((gap) => gap >= 0)).toBe(true);
  });
  it('come at the rate asked for, and independently: the spread of the gaps equals their mean', () => {
    const deviation = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length);
    expect(mean).toBeCloseTo(5, 0);
    expect(deviation / mean).toBeCloseTo(1, 1);
  });
});

describe('latency', () => {
  /** Requests due at the given instants over the given number of connections, each answered after 10 ms of a fake clock. */
  async function send(due: number[], connections: number, lateBy = 0) {
    let now = 0;
    const events: { at: number; happens: () => void }[] = [];
    const connection = {
      ask: () => new Promise<void>((resolve) => events.push({ at: now + 10, happens: resolve })),
    };
    const sent = sendWhenDue({
      dueMs: Float64Array.from(due),
      connections: Array.from({ length: connections }, () => ({ ...connection })),
      now: () => now,
      pace: (onDue) => due.forEach((at, n) => void events.push({ at: at + lateBy, happens: () => onDue(n) })),
    });
    for (let event = nextOf(events); event; event = nextOf(events)) {
      now = event.at;
      event.happens();
      await new Promise(setImmediate);
    }
    return sent;
  }
  function nextOf(events: { at: number; happens: () => void }[]) {
    events.sort((a, b) => a.at - b.at);
    return events.shift();
  }

  it('counts from when a request was due, although it was sent later, when a connection was free', async () => {
    const { latencyMs, lateMs } = await send([0, 1, 2], 1);
    expect([...latencyMs]).toEqual([10, 19, 28]);
    expect([...lateMs]).toEqual([0, 9, 18]);
  });
  it('includes no time of another request while a connection is free', async () => {
    expect([...(await send([0, 1, 2], 3)).latencyMs]).toEqual([10, 10, 10]);
  });
  it('includes the delay of the generator itself', async () => {
    expect([...(await send([0, 20], 2, 3)).latencyMs]).toEqual([13, 13]);
  });
  it('rejects when a request fails', async () => {
    const sent = sendWhenDue({
      dueMs: Float64Array.of(0),
      connections: [{ ask: () => Promise.reject(new Error('refused')) }],
      now: () => 0,
      pace: (onDue) => onDue(0),
    });
    await expect(sent).rejects.toThrow('refused');
  });
});

it('gives no percentile above which there are fewer than three values', () => {
  const values = Array.from({ length: 400 }, (_, n) => n);
  expect([tailQuantile(values, 0.99), tailQuantile(values, 0.999)]).toEqual([396, Number.NaN]);
});
