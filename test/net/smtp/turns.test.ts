import { expect, it } from 'vitest';
import { Turns } from '../../../src/net/smtp/turns.ts';

/** Tasks that end when they are told to, and who has begun. */
function aQueue(atOnce: number) {
  const turns = new Turns(atOnce);
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const join = (name: string, ...keys: readonly string[]) => {
    const end = Promise.withResolvers<void>();
    ends.set(name, end);
    return turns.run(keys, async () => {
      begun.push(name);
      await end.promise;
      return name;
    });
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const finish = async (name: string, fault?: Error) => {
    if (fault) ends.get(name)?.reject(fault);
    else ends.get(name)?.resolve();
    await settle();
  };
  return { join, finish, settle, begun };
}

it('lets no more than so many run at once, in the order they came', async () => {
  const { join, finish, settle, begun } = aQueue(2);
  const all = ['a', 'b', 'c', 'd'].map((name) => join(name, name));
  await settle();
  expect(begun).toEqual(['a', 'b']);
  await finish('b');
  expect(begun).toEqual(['a', 'b', 'c']);
  for (const name of ['a', 'c', 'd']) await finish(name);
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

it('never lets two run that share a key, and lets others pass them', async () => {
  const { join, finish, settle, begun } = aQueue(3);
  void join('first', 'name x', 'address 1');
  void join('same name', 'name x', 'address 2');
  void join('same address', 'name y', 'address 1');
  void join('other', 'name z', 'address 3');
  await settle();
  expect(begun).toEqual(['first', 'other']);
  await finish('first');
  expect(begun).toEqual(['first', 'other', 'same name', 'same address']);
});

it('goes on after a task that fails', async () => {
  const { join, finish, settle, begun } = aQueue(1);
  const failed = join('a', 'x');
  const next = join('b', 'x');
  await settle();
  const refused = expect(failed).rejects.toThrow('fault');
  await finish('a', new Error('fault'));
  await refused;
  expect(begun).toEqual(['a', 'b']);
  await finish('b');
  expect(await next).toBe('b');
});
