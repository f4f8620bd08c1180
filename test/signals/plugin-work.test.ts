import { expect, it } from 'vitest';
import { kindOfThrown } from '../../src/lib/thrown.ts';
import type { Clock, ProviderStore, SignalProvider } from '../../src/provider-kit/index.ts';
import { isTracked, lent, pluginAtWork, tracked } from '../../src/signals/plugin-work.ts';
import { ProviderStores } from '../../src/signals/provider-ports.ts';
import { anAddress } from '../support/addresses.ts';
import { aNetworkProvider } from '../support/providers.ts';

const later = () => new Promise((resolve) => setTimeout(resolve, 1));
const NOTHING = { thresholds: {}, options: {}, lists: { allow: [], deny: [] }, downloads: async () => [] };

/** As in plain JavaScript: members of a class, with state of its own. */
class Plugin {
  readonly id = 'liar';
  readonly apiVersion = 1;
  readonly seen: (string | undefined)[] = [];
  readonly #state = 'mine';

  async prepare() {
    this.seen.push(pluginAtWork());
    await later();
    this.seen.push(pluginAtWork());
    return { state: this.#state };
  }

  check() {
    setTimeout(() => this.seen.push(pluginAtWork()), 1);
    return { facts: { 'liar.state': this.#state } };
  }
}

it('is known from its start and in everything that it starts, and no longer', async () => {
  const plugin = new Plugin();
  const provider = tracked(plugin as unknown as SignalProvider);
  expect([provider.id, isTracked(provider), isTracked(plugin as unknown as SignalProvider)]).toEqual([
    'liar',
    true,
    false,
  ]);
  expect(await provider.prepare?.(NOTHING)).toEqual({ state: 'mine' });
  expect(pluginAtWork()).toBe(undefined);
  const context = {} as Parameters<SignalProvider['check']>[1];
  expect(await provider.check(anAddress(), context)).toEqual({ facts: { 'liar.state': 'mine' } });
  expect(pluginAtWork()).toBe(undefined);
  await later();
  await later();
  expect(plugin.seen).toEqual(['liar', 'liar', 'liar']);
});

it('is named in the trace of an error that a port throws', async () => {
  const clock = { now: () => 0 };
  const provider = tracked({
    ...aNetworkProvider('own'),
    check: async (_address, { store }) => {
      await store?.get(5 as never);
      return { facts: {} };
    },
  });
  const context = lent({ store: new ProviderStores(clock).of('own') }) as Parameters<
    SignalProvider['check']
  >[1];
  const error = await Promise.resolve(provider.check(anAddress(), context)).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(TypeError);
  expect(kindOfThrown(error).at.join()).toContain('plugin-work.test.ts:');
});

it('cannot change a port, which others receive too', () => {
  const clock: Clock & { mine?: number } = { now: () => 5 };
  const lentOne = lent({ clock }).clock as typeof clock;
  expect(() => Object.assign(lentOne, { now: () => 6 })).toThrow(TypeError);
  expect(() => Object.assign(lentOne, { mine: 6 })).toThrow(TypeError);
  expect(() => Object.defineProperty(lentOne, 'now', { value: () => 6 })).toThrow(TypeError);
  expect(() => Reflect.deleteProperty(lentOne, 'now')).not.toThrow();
  expect(() => Object.setPrototypeOf(lentOne, null)).toThrow(TypeError);
  expect([clock.now(), Object.keys(clock)]).toEqual([5, ['now']]);
});

it("does not include the work of the service inside a port, but the code after the port's promise", async () => {
  const inside: (string | undefined)[] = [];
  class Store implements ProviderStore {
    readonly #kept = new Map<string, string>();
    async get(key: string) {
      await later();
      inside.push(pluginAtWork());
      return this.#kept.get(key);
    }
    async set(key: string, value: string) {
      inside.push(pluginAtWork());
      this.#kept.set(key, value);
    }
  }
  const clock: Clock = { now: () => inside.push(pluginAtWork()) };
  const ports = lent({ store: new Store(), clock });
  const after: (string | undefined)[] = [];
  const check = async () => {
    expect(ports.clock?.now()).toBe(1);
    await ports.store?.set('a', 'b', 1);
    after.push(pluginAtWork());
    expect(await ports.store?.get('a')).toBe('b');
    after.push(pluginAtWork());
    return { facts: {} };
  };
  const plugin = { id: 'liar', stage: 'network', facts: [], check } as unknown as SignalProvider;
  await tracked(plugin).check(anAddress(), {} as Parameters<SignalProvider['check']>[1]);
  expect(inside).toEqual([undefined, undefined, undefined]);
  expect(after).toEqual(['liar', 'liar']);
});
