import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FairQueue, inOrder } from '../../src/lib/concurrency.ts';
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
