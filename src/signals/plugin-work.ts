import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, Ports, Setup, SignalProvider } from '../provider-kit/index.ts';

/** Which plugin has begun what runs: a promise that it leaves behind is rejected long after its answer. */
const atWork = new AsyncLocalStorage<string | undefined>();

const plugins = new WeakSet<SignalProvider>();

/** In a listener of `unhandledRejection` or `uncaughtException`: whose work failed; undefined for the service's own. */
export function pluginAtWork(): string | undefined {
  return atWork.getStore();
}

/** Runs what is a plugin's work, such as its module. */
export function asWorkOf<Result>(plugin: string, work: () => Result): Result {
  return atWork.run(plugin, work);
}

/** What is asked for as data, once: a getter of the plugin's could throw later, or answer otherwise. */
export const DATA = [
  'id',
  'apiVersion',
  'description',
  'stage',
  'facts',
  'never',
  'options',
  'thresholds',
  'needs',
  'uses',
  'timeoutMs',
  'cache',
  'http',
];

/** The same plugin, as it was declared, whose work can be told from the service's. Throws what reading it throws. */
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

/** What the service does for a plugin at its ports is no work of the plugin; the promise that it gets for it is the plugin's to look after. */
export function lent(ports: Partial<Ports>): Partial<Ports> {
  return Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, new Proxy(port, LENDING)]));
}

const LENDING: ProxyHandler<object> = {
  get: (port, name) => {
    const member: unknown = Reflect.get(port, name);
    if (typeof member !== 'function') return member;
    return (...given: readonly unknown[]) => lend(() => Reflect.apply(member, port, given));
  },
  // Most ports are the same for all: one that puts its own function in would answer others.
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
  // The getter of `lists` tells the host that they are read.
  return Object.create(setup, { downloads: { value: () => lend(() => setup.downloads()) } });
}

/** Its listeners are the plugin's work: what they throw would else end the service, whose timer fires the signal. */
function lentSignal(plugin: string, context: Context): Context {
  const own = new AbortController();
  const abort = () => atWork.run(plugin, () => own.abort(context.signal.reason));
  context.signal?.addEventListener('abort', abort, { once: true });
  return { ...context, signal: own.signal };
}
