import { describe, expect, it } from 'vitest';
import type { LocalProvider, Setup } from '../../src/provider-kit/index.ts';
import { anAddress } from '../../src/provider-kit/testing/index.ts';
import { aCollector, aFact, aLocalProvider } from '../support/providers.ts';

const INPUTS = { options: {}, thresholds: { tuned: { least: 1 } }, lists: { allow: [], deny: [] } };
const DENIED = { allow: [], deny: [{ value: 'x.example', reason: 'Test.', owner: 'tests' }] };

/** Providers that count how often each was prepared. */
async function aWorld() {
  const counts: Record<string, number> = {};
  const counting = (id: string, look: (setup: Setup) => unknown = () => undefined) => ({
    prepare: (setup: Setup) => {
      counts[id] = (counts[id] ?? 0) + 1;
      return { state: look(setup) as undefined };
    },
  });
  const provider = (id: string, more: Partial<LocalProvider>) => aLocalProvider(id, more);
  const { collector } = await aCollector([
    provider('plain', counting('plain')),
    provider('tuned', counting('tuned')),
    provider(
      'lists',
      counting('lists', ({ lists }) => lists),
    ),
    provider('needy', { ...counting('needy'), needs: ['lists.seen'], facts: [aFact('needy.seen')] }),
  ]);
  const before = await collector.prepare(INPUTS);
  for (const id of Object.keys(counts)) delete counts[id];
  return { collector, before, counts };
}

describe('a change of the rules', () => {
  it('prepares no provider whose thresholds and lists have not changed', async () => {
    const { collector, before, counts } = await aWorld();
    const after = await collector.prepare(structuredClone(INPUTS), before);
    expect(counts).toEqual({});
    expect([...after.byId.values()]).toEqual([...before.byId.values()]);
  });

  it('prepares the provider whose thresholds have changed', async () => {
    const { collector, before, counts } = await aWorld();
    const after = await collector.prepare({ ...INPUTS, thresholds: { tuned: { least: 2 } } }, before);
    expect(counts).toEqual({ tuned: 1 });
    expect(after.byId.get('tuned')?.context.thresholds).toEqual({ least: 2 });
    await collector.prepare(INPUTS, after);
    expect(counts).toEqual({ tuned: 2 });
  });

  it('prepares the providers that read the changed lists, and those that need one of their facts', async () => {
    const { collector, before, counts } = await aWorld();
    const after = await collector.prepare({ ...INPUTS, lists: DENIED }, before);
    expect(counts).toEqual({ lists: 1, needy: 1 });
    expect(after.byId.get('lists')?.context.state).toBe(DENIED);
  });

  it('does not affect checks that use what was prepared before', async () => {
    const { collector, before } = await aWorld();
    const states = [...before.byId].map(([id, { context }]) => [id, context]);
    await collector.prepare({ ...INPUTS, lists: DENIED }, before);
    expect([...before.byId].map(([id, { context }]) => [id, context])).toEqual(states);
    expect(before.lists).toBe(INPUTS.lists);
  });
});

it('no provider can change the lists that other providers receive', async () => {
  const lists = () => ({ allow: [], deny: [...DENIED.deny] });
  const inputs = { options: {}, thresholds: {}, lists: lists() };
  const downloads = async () => [{ name: 'one' }] as never;
  const kinds: string[] = [];
  const provider = aLocalProvider('own', {
    prepare: async (setup) => {
      const changing = {
        entry: () => Object.assign(setup.lists.deny[0] ?? {}, { value: 'y.example' }),
        list: () => (setup.lists.deny as unknown[]).pop(),
        lists: () => Object.assign(setup.lists, { deny: [] }),
        downloads: async () => ((await setup.downloads()) as unknown[]).pop(),
      };
      for (const [kind, change] of Object.entries(changing))
        await (async () => change())().catch(() => kinds.push(kind));
      return { state: undefined };
    },
  });
  const { collector } = await aCollector([provider]);
  kinds.length = 0;
  await collector.prepare({ ...inputs, downloads });
  expect(kinds).toEqual(['entry', 'list', 'lists', 'downloads']);
  expect(inputs.lists).toEqual(lists());
});

it('no provider can change its options or thresholds for later checks', async () => {
  const { collector } = await aCollector([
    aLocalProvider('own', {
      check: (_address, { options, thresholds }) => {
        for (const given of [options, thresholds])
          expect(() => (given.of as string[]).pop()).toThrow(TypeError);
        return { facts: { 'own.seen': true } };
      },
    }),
  ]);
  const section = () => ({ own: { of: ['a', 'b'] } });
  const inputs = { options: section(), thresholds: section(), lists: { allow: [], deny: [] } };
  const { facts } = await collector.collect(anAddress(), await collector.prepare(inputs));
  expect(facts['own.seen']).toBe(true);
  expect(inputs).toMatchObject({ options: section(), thresholds: section() });
});
