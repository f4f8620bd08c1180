import { stdSerializers } from 'pino';
import type { ProviderOptions } from '../app/config/config.ts';
import type { InjectionToken } from '../di.ts';
import { kindOfThrown } from '../lib/thrown.ts';
import type { Logger } from '../observability/logger.ts';
import type {
  Clock,
  JsonHttp,
  Ports,
  ProviderLog,
  ProviderStore,
  SignalProvider,
  SmtpProber,
} from '../provider-kit/index.ts';
import type { ProviderValueStore } from '../storage/ports.ts';
import { isTracked, lent } from './plugin-work.ts';

/** Ports as the process has them; each provider gets a log and a store of its own. */
export interface HostPorts extends Omit<Ports, 'log' | 'store' | 'smtp' | 'http'> {
  /** Null in commands. */
  readonly smtp: SmtpProber | null;
  /** By the options of the provider, which may name what it asks. Rejects where they cannot. */
  httpFor(provider: SignalProvider, options: Readonly<Record<string, unknown>>): Promise<JsonHttp>;
  storeFor(provider: string): ProviderStore;
  logFor(provider: string): ProviderLog;
}

/** What providers may be granted. */
export const PORTS: InjectionToken<HostPorts> = Symbol('Ports');

/** Each enabled signal provider; registered once per provider, collected by `injectAll`. */
export const SIGNAL_PROVIDER: InjectionToken<SignalProvider> = Symbol('SignalProvider');

/** Each built-in provider that is switched off: its facts stay known by name. */
export const DISABLED_PROVIDER: InjectionToken<SignalProvider> = Symbol('DisabledProvider');

/** `check.deadline_ms`. */
export const CHECK_DEADLINE_MS: InjectionToken<number> = Symbol('CheckDeadlineMs');

/** `providers.<id>` by id, checked and with defaults. */
export const PROVIDER_OPTIONS: InjectionToken<ProviderOptions> = Symbol('ProviderOptions');

/**
 * The log of a provider. What was thrown at the service is told without its words, which may quote the address; in a command they
 * are shown: the one who reads them is the one who gave the address.
 */
export function providerLog(log: Logger, provider: string, isService: boolean): ProviderLog {
  const inFull = (error: Error) => {
    try {
      return stdSerializers.err(error);
    } catch {
      return kindOfThrown(error);
    }
  };
  return log.child({ provider }, { serializers: { err: isService ? kindOfThrown : inFull } });
}

/** The ports that a provider names in `uses`. */
export async function grantPorts(
  provider: SignalProvider,
  options: Readonly<Record<string, unknown>>,
  ports: HostPorts,
): Promise<Partial<Ports>> {
  const { id, uses = [] } = provider;
  const asked = new Set(uses);
  const granted = {
    ...(asked.has('dns') && { dns: ports.dns }),
    ...(asked.has('smtp') && ports.smtp !== null && { smtp: ports.smtp }),
    ...(asked.has('http') && { http: await ports.httpFor(provider, options) }),
    ...(asked.has('store') && { store: ports.storeFor(id) }),
    ...(asked.has('clock') && { clock: ports.clock }),
    ...(asked.has('log') && { log: ports.logFor(id) }),
  };
  return isTracked(provider) ? lent(granted) : granted;
}

/**
 * The stores of all providers. They are handed out before there is a database, which opens only when everything that
 * can be at fault has been looked at; until then, and once it is closed, nothing is kept.
 */
export class ProviderStores {
  #values: ProviderValueStore | undefined;

  constructor(private readonly clock: Clock) {}

  open(values: ProviderValueStore): void {
    this.#values = values;
  }

  close(): void {
    this.#values = undefined;
  }

  of(provider: string): ProviderStore {
    return {
      get: async (key) => this.#values?.find(provider, key, this.clock.now()),
      set: async (key, value, lifeSeconds) => {
        const now = this.clock.now();
        await this.#values?.keep(provider, key, value, now + Math.ceil(lifeSeconds * 1000), now);
      },
    };
  }
}
