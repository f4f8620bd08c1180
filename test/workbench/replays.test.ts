import { describe, expect, it } from 'vitest';
import { Replays } from '../../src/workbench/replays.ts';
import type { ReplayAnswer } from '../../src/workbench/rule-bench.ts';

const ORDER = { base: {}, candidate: {}, days: 30, costRatio: 1 };
const NEVER = new AbortController().signal;
const ANSWER: ReplayAnswer = { problems: [] };

/** A bench whose replays end when a test says so, or when they are given up. */
function aSlowBench() {
  const ends: (() => void)[] = [];
  const replay = (_order: unknown, signal?: AbortSignal) =>
    new Promise<ReplayAnswer>((resolve, reject) => {
      ends.push(() => resolve(ANSWER));
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  return { replays: new Replays({ replay }), ends };
}

describe('replays', () => {
  it('give up the older question of the same page, and no other', async () => {
    const { replays, ends } = aSlowBench();
    const [older, others] = [replays.ask('ann', ORDER, NEVER), replays.ask('bob', ORDER, NEVER)];
    const newer = replays.ask('ann', ORDER, NEVER);
    expect(await older).toBeUndefined();
    for (const end of ends) end();
    expect(await Promise.all([others, newer])).toEqual([ANSWER, ANSWER]);
  });

  it('are given up when the page is left', async () => {
    const { replays } = aSlowBench();
    const left = new AbortController();
    const asked = replays.ask('ann', ORDER, left.signal);
    left.abort();
    expect(await asked).toBeUndefined();
  });

  it('tell what failed by itself', async () => {
    const replays = new Replays({ replay: () => Promise.reject(new Error('no database')) });
    await expect(replays.ask('ann', ORDER, NEVER)).rejects.toThrow('no database');
  });
});
