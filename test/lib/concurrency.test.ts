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
  it('yields in the order of the items, whoever is answered first', async () => {
    const answered: number[] = [];
    const ask = async (index: number) => {
      for (let wait = 0; wait < 10 - index; wait++) await turn();
      answered.push(index);
      return index;
    };
    expect(await allOf(inOrder(upTo(10), 5, ask))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(answered).not.toEqual(answered.toSorted());
  });

  it('asks about no more than so many at once, and takes no item before its turn', async () => {
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

  it('rejects when its turn comes for one that failed, and leaves no failure unhandled', async () => {
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

function takeAll(turns: FairQueue<string>): readonly string[] {
  const taken: string[] = [];
  for (let item = turns.take(); item !== undefined; item = turns.take()) taken.push(item);
  return taken;
}

describe('Turns', () => {
  it('serves each who asks once before anybody twice, and each in their order', () => {
    const turns = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'a3']) turns.add('ann', item);
    turns.add('bob', 'b1');
    expect(turns.take()).toBe('a1');
    turns.add('cem', 'c1');
    expect(takeAll(turns)).toEqual(['b1', 'a2', 'c1', 'a3']);
  });

  it('forgets what was taken away, and who has nothing left', () => {
    const turns = new FairQueue<string>();
    for (const item of ['a1', 'a2']) turns.add('ann', item);
    turns.add('bob', 'b1');
    expect([turns.countOf('ann'), turns.countOf('cem')]).toEqual([2, 0]);
    turns.remove('ann', 'a1');
    turns.remove('bob', 'b1');
    turns.remove('cem', 'c1');
    expect(takeAll(turns)).toEqual(['a2']);
  });
});

describe('LastAnswer', () => {
  function asked(lifeMs?: number) {
    const last = new LastAnswer<number>(lifeMs);
    let times = 0;
    const ask = (key: string, now = 0) => last.of(key, now, async () => ++times);
    return { last, ask };
  }

  it('is shared by those who ask for the same, and asked anew by another key', async () => {
    const { ask } = asked();
    expect(await Promise.all([ask('a'), ask('a'), ask('b'), ask('a')])).toEqual([1, 1, 2, 3]);
  });

  it('is asked anew when it is too old, or forgotten', async () => {
    const { last, ask } = asked(60);
    expect([await ask('a', 0), await ask('a', 59), await ask('a', 60)]).toEqual([1, 1, 2]);
    last.forget();
    expect(await ask('a', 61)).toBe(3);
  });

  it('is asked anew after one that failed, and one that fails late does not take a newer one away', async () => {
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
