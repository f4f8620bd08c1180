import { AsyncLocalStorage } from 'node:async_hooks';
import type { Ports, SignalProvider } from '../provider-kit/index.ts';

/** Which plugin has begun what runs: a promise that it leaves behind is rejected long after its answer. */
const atWork = new AsyncLocalStorage<string | undefined>();

const plugins = new WeakSet<SignalProvider>();

/** In a listener of `unhandledRejection`: whose the promise is; undefined for one of the service's own. */
export function pluginAtWork(): string | undefined {
  return atWork.getStore();
}

/** The same plugin, whose work can be told from the service's. */
export function tracked(plugin: SignalProvider): SignalProvider {
  const methods = ['prepare', 'counts', 'check'].flatMap((name) => {
    const method: unknown = Reflect.get(plugin, name);
    return typeof method === 'function' ? [[name, method] as const] : [];
  });
  // Not a copy: a plugin in plain JavaScript may have its members from a class.
  const same: SignalProvider = Object.create(
    plugin,
    Object.fromEntries(
      methods.map(([name, method]) => {
        const value = (...given: readonly unknown[]) =>
          atWork.run(plugin.id, () => Reflect.apply(method, plugin, given));
        return [name, { value, enumerable: true }];
      }),
    ),
  );
  plugins.add(same);
  return same;
}

export function isTracked(provider: SignalProvider): boolean {
  return plugins.has(provider);
}

/** What the service does for a plugin at its ports is no work of the plugin; the promise that it gets for it is the plugin's to look after. */
export function lent(ports: Partial<Ports>): Partial<Ports> {
  return Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, new Proxy(port, LENDING)]));
}

const LENDING: ProxyHandler<object> = {
  get: (port, name) => {
    const member: unknown = Reflect.get(port, name);
    if (typeof member !== 'function') return member;
    return (...given: readonly unknown[]) => {
      const answer: unknown = atWork.run(undefined, () => Reflect.apply(member, port, given));
      return answer instanceof Promise ? answer.then((value) => value) : answer;
    };
  },
};
