import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FairQueue, inOrder, LastAnswer } from '../../src/lib/concurrency.ts';
import { allOf } from '../support/chunks.ts';

async function* upTo(count: number, onTaken: (index: number) => void = () => undefined) {
  for (let index = 0; index < count; index++) {
    onTaken(index);
    yield index;
  }
}

describe('inOrder', () => {
  it('yields in the order of the items, whichever is answered first', async () => {
    const answered: number[] = [];
    const ask = async (index: number) => {
      for (let wait = 0; wait < 10 - index; wait++) await turn();
      answered.push(index);
      return index;
    };
    expect(await allOf(inOrder(upTo(10), 5, ask))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(answered).not.toEqual(answered.toSorted());
  });

  it('runs at most the given number at once, and takes no item early', async () => {
    let open = 0;
    let most = 0;
    let taken = 0;
    const ask = async () => {
      most = Math.max(most, ++open);
      await turn();
      open -= 1;
    };
    const answers = inOrder(
      upTo(100, () => taken++),
      8,
      ask,
    );
    await answers.next();
    expect(taken).toBeLessThanOrEqual(9);
    await allOf(answers);
    expect({ most, taken }).toEqual({ most: 8, taken: 100 });
  });

  it('rejects at the position of a failed item, and leaves no rejection unhandled', async () => {
    const yielded: number[] = [];
    const ask = async (index: number) => {
      if (index > 2) throw new Error(`no ${index}`);
      for (let wait = 0; wait < 5; wait++) await turn();
      return index;
    };
    const all = async () => {
      for await (const index of inOrder(upTo(6), 6, ask)) yielded.push(index);
    };
    await expect(all()).rejects.toThrow('no 3');
    expect(yielded).toEqual([0, 1, 2]);
  });
});

describe('FairQueue', () => {
  /** Starts the named tasks, whose first letter is the asker, and ends them when told to. */
  function opened(atOnce: number) {
    const queue = new FairQueue(atOnce);
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const ask = (name: string, signal?: AbortSignal) =>
      queue.run(
        name.slice(0, 1),
        () => {
          begun.push(name);
          return new Promise<string>((resolve) => void ends.set(name, () => resolve(name)));
        },
        signal,
      );
    const end = async (name: string) => {
      ends.get(name)?.();
      await turn();
    };
    return { queue, begun, ask, end };
  }

  it('serves each asker once before any of them twice, and each in the order of its calls', async () => {
    const { begun, ask, end } = opened(1);
    const asked = ['a1', 'a2', 'a3', 'b1'].map((name) => ask(name));
    asked.push(ask('c1'));
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) await end(name);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
    expect(await Promise.all(asked)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1']);
  });

  it('runs as many at once as its limit, and continues after a failed one', async () => {
    const { queue, begun, ask, end } = opened(2);
    const failed = expect(queue.run('z', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    for (const name of ['a1', 'b1', 'c1']) void ask(name);
    expect(begun).toEqual(['a1']);
    await failed;
    await turn();
    expect(begun).toEqual(['a1', 'b1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'b1', 'c1']);
  });

  it('skips a cancelled task that waits, and keeps the place of a started one until it ends', async () => {
    const { queue, begun, ask, end } = opened(1);
    const leaves = new AbortController();
    const gone = ['a1', 'a2', 'b1'].map((name) => expect(ask(name, leaves.signal)).rejects.toThrow('gone'));
    void ask('a3');
    expect([queue.countOf('a'), queue.countOf('b')]).toEqual([2, 1]);
    leaves.abort(new Error('gone'));
    await Promise.all(gone);
    expect([queue.countOf('a'), queue.countOf('b'), begun]).toEqual([1, 0, ['a1']]);
    await end('a1');
    expect(begun).toEqual(['a1', 'a3']);
    await expect(ask('c1', leaves.signal)).rejects.toThrow('gone');
  });
});

describe('LastAnswer', () => {
  function asked(lifeMs?: number) {
    const last = new LastAnswer<number>(lifeMs);
    let times = 0;
    const ask = (key: string, now = 0) => last.of(key, now, async () => ++times);
    return { last, ask };
  }

  it('is shared by callers with the same key, and computed again for another key', async () => {
    const { ask } = asked();
    expect(await Promise.all([ask('a'), ask('a'), ask('b'), ask('a')])).toEqual([1, 1, 2, 3]);
  });

  it('is computed again when it is too old, or forgotten', async () => {
    const { last, ask } = asked(60);
    expect([await ask('a', 0), await ask('a', 59), await ask('a', 60)]).toEqual([1, 1, 2]);
    last.forget();
    expect(await ask('a', 61)).toBe(3);
  });

  it('is computed again after a failure, and a late failure does not remove a newer answer', async () => {
    const last = new LastAnswer<string>();
    const late = Promise.withResolvers<string>();
    const failing = last.of('a', 0, () => late.promise);
    expect(await last.of('b', 0, async () => 'newer')).toBe('newer');
    late.reject(new Error('away'));
    await expect(failing).rejects.toThrow('away');
    expect(await last.of('b', 0, async () => 'another')).toBe('newer');
    await expect(last.of('c', 0, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await last.of('c', 0, async () => 'again')).toBe('again');
  });
});
