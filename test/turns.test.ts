import { describe, expect, it } from 'vitest';
import { Turns } from '../src/turns.ts';

function takeAll(turns: Turns<string>): readonly string[] {
  const taken: string[] = [];
  for (let item = turns.take(); item !== undefined; item = turns.take()) taken.push(item);
  return taken;
}

describe('Turns', () => {
  it('serves each who asks once before anybody twice, and each in their order', () => {
    const turns = new Turns<string>();
    for (const item of ['a1', 'a2', 'a3']) turns.add('ann', item);
    turns.add('bob', 'b1');
    expect(turns.take()).toBe('a1');
    turns.add('cem', 'c1');
    expect(takeAll(turns)).toEqual(['b1', 'a2', 'c1', 'a3']);
  });

  it('forgets what was taken away, and who has nothing left', () => {
    const turns = new Turns<string>();
    for (const item of ['a1', 'a2']) turns.add('ann', item);
    turns.add('bob', 'b1');
    expect([turns.countOf('ann'), turns.countOf('cem')]).toEqual([2, 0]);
    turns.remove('ann', 'a1');
    turns.remove('bob', 'b1');
    turns.remove('cem', 'c1');
    expect(takeAll(turns)).toEqual(['a2']);
  });
});
