import type { InjectionToken } from '../di.ts';
import type { Ports, ProviderLog, ProviderStore, SignalProvider, SmtpProber } from '../provider-kit/index.ts';

/** Ports as the process has them; each provider gets a log and a store of its own. */
export interface HostPorts extends Omit<Ports, 'counters' | 'log' | 'store' | 'smtp'> {
  /** Null in commands. */
  readonly smtp: SmtpProber | null;
  storeFor(provider: string): ProviderStore;
  logFor(provider: string): ProviderLog;
}

/** What providers may be granted. */
export const PORTS: InjectionToken<HostPorts> = Symbol('Ports');

/** What a provider has asked for. Counters are those of one check, and are granted with it. */
export function grantPorts({ id, uses = [] }: SignalProvider, ports: HostPorts): Partial<Ports> {
  const asked = new Set(uses);
  return {
    ...(asked.has('dns') && { dns: ports.dns }),
    ...(asked.has('smtp') && ports.smtp !== null && { smtp: ports.smtp }),
    ...(asked.has('store') && { store: ports.storeFor(id) }),
    ...(asked.has('clock') && { clock: ports.clock }),
    ...(asked.has('log') && { log: ports.logFor(id) }),
  };
}

/** Each enabled signal provider; registered once per provider, collected by `injectAll`. */
export const SIGNAL_PROVIDER: InjectionToken<SignalProvider> = Symbol('SignalProvider');

/** Each built-in provider that is switched off: its facts stay known by name. */
export const DISABLED_PROVIDER: InjectionToken<SignalProvider> = Symbol('DisabledProvider');

/** `check.deadline_ms`. */
export const CHECK_DEADLINE_MS: InjectionToken<number> = Symbol('CheckDeadlineMs');

/** `providers.<id>` by id, checked and with defaults. */
export const PROVIDER_OPTIONS: InjectionToken<Readonly<Record<string, Readonly<Record<string, unknown>>>>> =
  Symbol('ProviderOptions');
