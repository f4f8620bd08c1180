import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, Ports, Setup, SignalProvider } from '../provider-kit/index.ts';
import { DATA } from './check-provider.ts';

/** The plugin that started the running work, across all its awaits: a promise that it leaves behind may reject long after its answer. */
const atWork = new AsyncLocalStorage<string | undefined>();

const plugins = new WeakSet<SignalProvider>();

/** In a listener of `unhandledRejection` or `uncaughtException`: whose work failed; undefined for the service's own. */
export function pluginAtWork(): string | undefined {
  return atWork.getStore();
}

/** Runs a plugin's work, such as its module, so that `pluginAtWork` names the plugin. */
export function asWorkOf<Result>(plugin: string, work: () => Result): Result {
  return atWork.run(plugin, work);
}

/** A copy of the plugin as declared, whose methods run as its work: `pluginAtWork` names it. Throws what reading the plugin throws. */
export function tracked(plugin: SignalProvider): SignalProvider {
  const id = String(plugin.id);
  const members: [string, unknown][] = DATA.flatMap((name) => {
    const value: unknown = Reflect.get(plugin, name);
    // A plugin may be plain JavaScript, which says null of what it does not have.
    return value === undefined || value === null ? [] : [[name, structuredClone(value)]];
  });
  const method = (name: string, lend: (given: readonly unknown[]) => readonly unknown[]) => {
    // A plugin in plain JavaScript may have its members from a class.
    const own: unknown = Reflect.get(plugin, name);
    if (typeof own !== 'function') return;
    const run = (...given: readonly unknown[]) =>
      atWork.run(id, () => Reflect.apply(own, plugin, lend(given)));
    members.push([name, run]);
  };
  method('prepare', ([setup]) => [lentSetup(setup as Setup)]);
  method('checkThresholds', (given) => given);
  method('counts', (given) => given);
  method('check', ([address, context]) => [
    address,
    plugin.stage === 'network' ? lentSignal(id, context as Context) : context,
  ]);
  const same = Object.fromEntries(members) as unknown as SignalProvider;
  plugins.add(same);
  return same;
}

export function isTracked(provider: SignalProvider): boolean {
  return plugins.has(provider);
}

/** Ports for a plugin. Their work runs as the service's; the promise that the plugin gets is the plugin's own, to be awaited or handled. */
export function lent(ports: Partial<Ports>): Partial<Ports> {
  return Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, new Proxy(port, LENDING)]));
}

const LENDING: ProxyHandler<object> = {
  get: (port, name) => {
    const member: unknown = Reflect.get(port, name);
    if (typeof member !== 'function') return member;
    return (...given: readonly unknown[]) => lend(() => Reflect.apply(member, port, given));
  },
  // Providers share most ports: a plugin that put its own function into one would answer other providers.
  set: () => false,
  defineProperty: () => false,
  deleteProperty: () => false,
  setPrototypeOf: () => false,
};

function lend<Result>(work: () => Result): Result {
  const answer = atWork.run(undefined, work);
  return answer instanceof Promise ? (answer.then((value: unknown) => value) as Result) : answer;
}

function lentSetup(setup: Setup): Setup {
  // Inherits `lists`, whose getter tells the host that the provider reads them: a copy would call it for every plugin.
  return Object.create(setup, { downloads: { value: () => lend(() => setup.downloads()) } });
}

/** A signal whose listeners run as the plugin's work. The service's timer fires it, so what a listener throws would else end the service. */
function lentSignal(plugin: string, context: Context): Context {
  const own = new AbortController();
  const abort = () => atWork.run(plugin, () => own.abort(context.signal.reason));
  context.signal?.addEventListener('abort', abort, { once: true });
  return { ...context, signal: own.signal };
}
